import { type LookKind, lookKinds, type Purpose, purposes } from '@rogatka/contract/looks.ts'
import { oneOf } from '../core/urlParams.ts'
import type { TrailSearch } from './search.ts'

/** Filters with their range. */
export type TrailQuery = {
  userId?: number | undefined
  systemId?: number | undefined
  kind?: LookKind | undefined
  purpose?: Purpose | undefined
  dateTimeStart: string
  dateTimeEnd: string
  lookup?: string | undefined
}

/** The filters of an address; `lastDay`: the range if it has none. Unknown options are omitted. */
export function queryOf({ page: _, ...search }: TrailSearch, lastDay: { start: string; end: string }): TrailQuery {
  const { dateTimeStart = lastDay.start, dateTimeEnd = lastDay.end } = search
  const [kind, purpose] = [oneOf(lookKinds, search.kind), oneOf(purposes, search.purpose)]
  return { ...search, kind, purpose, dateTimeStart, dateTimeEnd }
}

/** Filters as the API has them. */
export const filtersOf = ({ kind, lookup, ...filters }: TrailQuery) => ({
  ...filters,
  kinds: kind && [kind],
  search: lookup,
})

/** Who is filtered by. */
export type Who = Pick<TrailQuery, 'userId' | 'systemId'>

/** Value of a selected person or system; null: everyone. */
export const whoOf = ({ userId, systemId }: Who): string | null =>
  userId !== undefined ? `user ${userId}` : systemId !== undefined ? `system ${systemId}` : null

/** The opposite of `whoOf`. */
export function whoIn(value: string | null): Who {
  const [kind, id] = value?.split(' ') ?? []
  return { userId: kind === 'user' ? Number(id) : undefined, systemId: kind === 'system' ? Number(id) : undefined }
}
