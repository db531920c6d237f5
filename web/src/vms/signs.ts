import type { WireSign, WireSignGroup } from '@rogatka/contract/vms.ts'
import type { Status } from '../ui/StatusMark.tsx'

/** Status mark of a sign: enabled if it shows anything, whoever commanded it. */
export function markOf({ vmsStatus: { condition, contentDisplayed } }: WireSign): Status {
  if (condition !== 'ok') return condition
  return contentDisplayed ? 'enabled' : 'available'
}

/** Worst first. */
const SEVERITY: Status[] = ['malfunction', 'unavailable', 'enabled', 'available']

/** Status mark of a station: the worst of its signs; null without signs. */
export const worstMark = (signs: readonly WireSign[]): Status | null => {
  const marks = signs.map(markOf)
  return SEVERITY.find((mark) => marks.includes(mark)) ?? null
}

/** Whether it shows other content than last commanded. */
export const isDeviating = ({ asOrdered }: WireSign): boolean => asOrdered === false

/** Number of signs that show content. */
export const enabledCount = (signs: readonly WireSign[]): number =>
  signs.filter(({ vmsStatus }) => vmsStatus.contentDisplayed).length

export const signsAt = (groups: readonly WireSignGroup[], locationId: number): WireSign[] =>
  groups.filter(({ group }) => group.location.id === locationId).flatMap(({ vms }) => vms)

/** Content id of a sign in a variant; null: none. */
export const contentIn = ({ contentVariants }: WireSign, variant: number): number | null =>
  contentVariants.find((entry) => entry.variant === variant)?.content.id ?? null

/** Selected variant: the user's choice if the group has it, else the group's own. */
export const selectedVariantOf = (
  { variants, selectedVariant }: Pick<WireSignGroup, 'variants' | 'selectedVariant'>,
  choice: number | null,
): number | null => (variants.some(({ variant }) => variant === choice) ? choice : selectedVariant)

/** Replaces a group by its newer state. */
export const withGroup = (groups: readonly WireSignGroup[], newer: WireSignGroup): WireSignGroup[] =>
  groups.map((group) => (group.group.id === newer.group.id ? newer : group))

/** Numbers of the signs without content in a variant. */
export const signsWithoutContent = (signs: readonly WireSign[], variant: number): number[] =>
  signs.filter((sign) => contentIn(sign, variant) === null).map(({ number }) => number)
