import type { WireSign, WireSignGroup } from '@rogatka/contract/vms.ts'
import type { Status } from '../ui/StatusMark.tsx'

/** What stands beside a sign: lit when it shows something, whoever had it shown. */
export function markOf({ vmsStatus: { condition, contentDisplayed } }: WireSign): Status {
  if (condition !== 'ok') return condition
  return contentDisplayed ? 'enabled' : 'available'
}

/** From the worst on. */
const SEVERITY: Status[] = ['malfunction', 'unavailable', 'enabled', 'available']

/** What stands beside a station: the worst of its signs; null where it has none. */
export const worstMark = (signs: readonly WireSign[]): Status | null => {
  const marks = signs.map(markOf)
  return SEVERITY.find((mark) => marks.includes(mark)) ?? null
}

/** It shows other than the last command wants. */
export const isStray = ({ asOrdered }: WireSign): boolean => asOrdered === false

/** How many signs show something. */
export const enabledCount = (signs: readonly WireSign[]): number =>
  signs.filter(({ vmsStatus }) => vmsStatus.contentDisplayed).length

export const signsAt = (groups: readonly WireSignGroup[], locationId: number): WireSign[] =>
  groups.filter(({ group }) => group.location.id === locationId).flatMap(({ vms }) => vms)

/** The content that a sign has in a variant. */
export const contentIn = ({ contentVariants }: WireSign, variant: number): number | null =>
  contentVariants.find((one) => one.variant === variant)?.content.id ?? null

/** The variant in the selector: the operator's choice for as long as the group has it, else the group's own. */
export const chosenVariant = (
  { variants, selectedVariant }: Pick<WireSignGroup, 'variants' | 'selectedVariant'>,
  choice: number | null,
): number | null => (variants.some(({ variant }) => variant === choice) ? choice : selectedVariant)

/** The group in place of its older self. */
export const withGroup = (groups: readonly WireSignGroup[], newer: WireSignGroup): WireSignGroup[] =>
  groups.map((group) => (group.group.id === newer.group.id ? newer : group))

/** The numbers of the signs that have no content in a variant. */
export const signsWithoutContent = (signs: readonly WireSign[], variant: number): number[] =>
  signs.filter((sign) => contentIn(sign, variant) === null).map(({ number }) => number)
