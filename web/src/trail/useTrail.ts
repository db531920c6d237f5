import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { trail, trailSummary } from '@rogatka/contract/trail.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { filtersOf, type TrailQuery } from './query.ts'

export const PAGE_SIZE = 25

export type WireTrailEntry = WireOf<typeof trail, 'response'>['content'][number]
export type Summary = WireOf<typeof trailSummary, 'response'>

/** One page of looks, newest first. While another page loads, the previous rows stay. */
export const useTrail = (query: TrailQuery, page: number) =>
  useQuery({
    queryKey: ['trail', 'list', query, page],
    queryFn: ({ signal }) => call(trail, { query: { ...filtersOf(query), page, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    // Each look at it is recorded: it is read when it is opened, and not again for a closed dialog or a language.
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

/** Why a look needs attention: an hour with many plates of its user, or outside the usual shifts; null: it does not. */
export const attentionReasonOf = (
  { user, at }: WireTrailEntry,
  { manyPlates, outsideShift }: Pick<Summary, 'manyPlates' | 'outsideShift'>,
): 'many-plates' | 'outside-shift' | null => {
  const time = Date.parse(at)
  const isOf = (one: { user: { id: number } }) => one.user.id === user?.id
  if (outsideShift.some((one) => isOf(one) && time >= Date.parse(one.from) && time <= Date.parse(one.to)))
    return 'outside-shift'
  const inHour = (hour: string) => time >= Date.parse(hour) && time < Date.parse(hour) + HOUR_MS
  return manyPlates.some((one) => isOf(one) && inHour(one.hour)) ? 'many-plates' : null
}
