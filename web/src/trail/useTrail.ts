import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { trail, trailSummary } from '@rogatka/contract/trail.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { filtersOf, type TrailQuery } from './query.ts'

export const PAGE_SIZE = 25

export type Entry = WireOf<typeof trail, 'response'>['content'][number]
export type Summary = WireOf<typeof trailSummary, 'response'>

/** One page of looks, newest first. While another page loads, the previous rows stay. */
export const useTrail = (query: TrailQuery, page: number) =>
  useQuery({
    queryKey: ['trail', 'list', query, page],
    queryFn: ({ signal }) => call(trail, { query: { ...filtersOf(query), page, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    // Each look at it is recorded: it is read when it is opened, and not anew for a closed dialog or a language.
    staleTime: 0,
    gcTime: 0,
  })

/** Looks by purpose, and who saw many plates. */
export const useTrailSummary = ({ dateTimeStart, dateTimeEnd }: Pick<TrailQuery, 'dateTimeStart' | 'dateTimeEnd'>) =>
  useQuery({
    queryKey: ['trail', 'summary', dateTimeStart, dateTimeEnd],
    queryFn: ({ signal }) => call(trailSummary, { query: { dateTimeStart, dateTimeEnd }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Whether a look is one of an hour in which its user saw many plates. */
export const isWorthALook = ({ user, at }: Entry, { manyPlates }: Pick<Summary, 'manyPlates'>): boolean =>
  manyPlates.some(({ user: { id }, hour }) => {
    const since = Date.parse(at) - Date.parse(hour)
    return id === user?.id && since >= 0 && since < HOUR_MS
  })
