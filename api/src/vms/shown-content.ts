import type { ShownKind } from '@rogatka/contract/vms.ts'
import { toMulti } from '@rogatka/domain/vms/multi.ts'
import type { Content, SignRow, UnsettledCommand } from './queries.ts'

/** So long a sign may take to show what it was told. */
export const SWITCHES_MS = 20_000

export type ShownContent = { kind: ShownKind; contentId: number | null; multi: string }

/** What a sign shows, told by its MULTI string; null when nobody knows. */
export function shownContent(sign: SignRow, contents: readonly Content[]): ShownContent | null {
  const { shown: multi, plate } = sign
  if (multi === null) return null
  if (multi === '') return { kind: 'blank', contentId: null, multi }
  if (plate && plate.shown === multi) return { kind: plate.allTrucks ? 'trucks' : 'plate', contentId: null, multi }
  // Of contents that look alike, the one that is enabled; else one of its own.
  const own = sign.contents.toSorted((a) => (a.variant === sign.enabledVariant ? -1 : 1))
  const order = [...own.map(({ contentId }) => contentId), ...contents.map(({ id }) => id)]
  const contentId = order.find((id) => contents.some((content) => content.id === id && toMulti(content) === multi))
  return contentId === undefined ? { kind: 'other', contentId: null, multi } : { kind: 'content', contentId, multi }
}

/** What a sign shows for itself, without any vehicle: the content of its enabled variant, or nothing. */
export const defaultContent = (sign: SignRow, contents: readonly Content[]): string =>
  variantMulti(sign, sign.enabledVariant, contents) ?? ''

/** What a sign shows in a variant; undefined when it has no content there. */
export function variantMulti(sign: SignRow, variant: number | null, contents: readonly Content[]): string | undefined {
  const { contentId } = sign.contents.find((one) => one.variant === variant) ?? {}
  const content = contents.find(({ id }) => id === contentId)
  return content && toMulti(content)
}

/** The last command that changes the base and was never answered: it counts before what is known to be enabled. */
const unsettledBase = ({ unsettled }: SignRow) => unsettled.find(({ kind }) => kind !== 'plate')

export const hasUnsettledBase = (sign: SignRow): boolean => unsettledBase(sign) !== undefined

/** What an unanswered command wanted on the sign; undefined when that is over: its plate has ended, its content is gone. */
export function wantedMulti(
  { kind, variant, plateId }: UnsettledCommand,
  sign: SignRow,
  contents: readonly Content[],
): string | undefined {
  if (kind === 'clear') return ''
  if (kind === 'variant') return variantMulti(sign, variant, contents)
  const { plate } = sign
  return plate?.id === plateId && !plate.endingAt ? plate.shown : undefined
}

/** What the last command wants as the base, answered or not. */
export function orderedBase(sign: SignRow, contents: readonly Content[]): string {
  const last = unsettledBase(sign)
  return (last && wantedMulti(last, sign, contents)) ?? defaultContent(sign, contents)
}

/** A sign in the audit log, which outlives it: its station, its place and its number. */
export const signName = ({ shortName, roadNumber, chainage, id }: SignRow): string =>
  `${shortName} · ${roadNumber} ${chainage} · #${id}`

/** For the audit log: what stands on a sign, without the plate itself; the vehicle leads to it who may see it. */
export function described(shows: ShownContent | null, sign: SignRow, contents: readonly Content[]): object {
  if (!shows) return { shows: 'unknown' }
  if (shows.kind === 'plate' || shows.kind === 'trucks') return { shows: shows.kind, vehicle: sign.plate?.vehicleId }
  if (shows.kind === 'content')
    return { shows: 'content', content: contents.find(({ id }) => id === shows.contentId)?.description }
  return { shows: shows.kind }
}
