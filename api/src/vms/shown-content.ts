import type { DisplayKind } from '@rogatka/contract/vms.ts'
import { toMulti } from '@rogatka/domain/vms/multi.ts'
import type { Content, SignRow, UnsettledCommand } from './queries.ts'

/** Time a sign may take to switch its content. */
export const SWITCH_TIMEOUT_MS = 20_000

export type ShownContent = { kind: DisplayKind; contentId: number | null; multi: string }

/** What a sign shows, by its MULTI string; null if unknown. */
export function shownContent(sign: SignRow, contents: readonly Content[]): ShownContent | null {
  const { shown: multi, plate } = sign
  if (multi === null) return null
  if (multi === '') return { kind: 'blank', contentId: null, multi }
  if (plate && plate.shown === multi) return { kind: plate.allTrucks ? 'trucks' : 'plate', contentId: null, multi }
  // Of contents that look alike, prefers the enabled one, then its own.
  const own = sign.contents.toSorted((a) => (a.variant === sign.enabledVariant ? -1 : 1))
  const order = [...own.map(({ contentId }) => contentId), ...contents.map(({ id }) => id)]
  const contentId = order.find((id) => contents.some((content) => content.id === id && toMulti(content) === multi))
  return contentId === undefined ? { kind: 'other', contentId: null, multi } : { kind: 'content', contentId, multi }
}

/** The content of a sign without a vehicle: that of its enabled variant, or blank. */
export const defaultContent = (sign: SignRow, contents: readonly Content[]): string =>
  variantMulti(sign, sign.enabledVariant, contents) ?? ''

/** What a sign shows in a variant; undefined without content. */
export function variantMulti(sign: SignRow, variant: number | null, contents: readonly Content[]): string | undefined {
  const { contentId } = sign.contents.find((content) => content.variant === variant) ?? {}
  const content = contents.find(({ id }) => id === contentId)
  return content && toMulti(content)
}

/** The last unanswered command for the default content; it takes precedence over what is enabled. */
const unsettledContentCommand = ({ unsettled }: SignRow) => unsettled.find(({ kind }) => kind !== 'plate')

export const hasUnsettledContent = (sign: SignRow): boolean => unsettledContentCommand(sign) !== undefined

/** What an unanswered command requested; undefined if obsolete: its plate has ended, or its content was deleted. */
export function requestedMulti(
  { kind, variant, plateId }: UnsettledCommand,
  sign: SignRow,
  contents: readonly Content[],
): string | undefined {
  if (kind === 'clear') return ''
  if (kind === 'variant') return variantMulti(sign, variant, contents)
  const { plate } = sign
  return plate?.id === plateId && !plate.endingAt ? plate.shown : undefined
}

/** The default content requested last, answered or not. */
export function requestedContent(sign: SignRow, contents: readonly Content[]): string {
  const last = unsettledContentCommand(sign)
  return (last && requestedMulti(last, sign, contents)) ?? defaultContent(sign, contents)
}

/** The name of a sign in the audit log, which outlives it. */
export const signName = ({ shortName, roadNumber, chainage, id }: SignRow): string =>
  `${shortName} · ${roadNumber} ${chainage} · #${id}`

/** For the audit log: what a sign shows, with the vehicle instead of the plate. */
export function auditedContent(shows: ShownContent | null, sign: SignRow, contents: readonly Content[]): object {
  if (!shows) return { shows: 'unknown' }
  if (shows.kind === 'plate' || shows.kind === 'trucks') return { shows: shows.kind, vehicle: sign.plate?.vehicleId }
  if (shows.kind === 'content')
    return { shows: 'content', content: contents.find(({ id }) => id === shows.contentId)?.description }
  return { shows: shows.kind }
}
