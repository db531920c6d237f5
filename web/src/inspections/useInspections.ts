import { scales } from '@rogatka/contract/certificates.ts'
import { lastCarrier, list, read, type WireInspection } from '@rogatka/contract/inspections.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { ApiFailure } from '../core/failure.ts'
import { queryClient } from '../core/queryClient.ts'
import { timesOf } from './queue.ts'
import { queueTimesQuery } from './queueTimes.ts'
import { inspectionKey } from './sending.ts'

/** How often the queue, and an inspection in work, are loaded again. */
const QUEUE_MS = 4_000
const ONE_MS = 10_000
const MAX_LISTED = 100
/** Inspections at the end of the queue. */
const LATEST = 5

/** Open inspections of a station, or of all. */
export const useQueue = (locationId: number | null) =>
  useQuery({
    queryKey: ['inspections', 'list', 'open', locationId],
    queryFn: async ({ signal }) => {
      const queue = await call(list, {
        query: { open: true, limit: MAX_LISTED, ...(locationId !== null && { locations: [locationId] }) },
        signal,
        background: true,
      })
      const isComplete = queue.content.length === queue.totalCount
      if (isComplete) queryClient.setQueryData(queueTimesQuery(locationId).queryKey, timesOf(queue.content))
      return queue
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: QUEUE_MS,
  })

/** Closed inspections since a time, latest first, and their number. */
export const useClosedSince = (since: string, locationId: number | null) =>
  useQuery({
    queryKey: ['inspections', 'list', 'closed', since, locationId],
    queryFn: ({ signal }) =>
      call(list, {
        query: {
          states: ['closed'],
          dateTimeStart: since,
          limit: MAX_LISTED,
          ...(locationId && { locations: [locationId] }),
        },
        signal,
        background: true,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ONE_MS,
  })

export const latestOf = (content: readonly WireInspection[]): readonly WireInspection[] => content.slice(0, LATEST)

export const inspectionQuery = (id: number) =>
  queryOptions({
    queryKey: inspectionKey(id),
    queryFn: ({ signal }) => call(read, { params: { id }, signal, background: true }),
    staleTime: 0,
  })

/** As a list has it. */
const listed = (id: number): WireInspection | undefined =>
  queryClient
    .getQueriesData<{ content: WireInspection[] }>({ queryKey: ['inspections', 'list'] })
    .flatMap(([, data]) => data?.content ?? [])
    .find((it) => it.id === id)

/** One inspection; at first as the queue has it. */
export const useInspection = (id: number) =>
  useQuery({
    ...inspectionQuery(id),
    placeholderData: () => listed(id),
    // One that is unknown, or not for this user, does not appear later.
    refetchInterval: ({ state }) => (state.error instanceof ApiFailure && state.error.status === 404 ? false : ONE_MS),
  })

/**
 * The inspection of the last response. Queries publish a response a moment after its step has left the unsent ones: in
 * that moment the inspection would be shown as before the step.
 */
export function newestOf(inspection: WireInspection): WireInspection {
  const answered = queryClient.getQueryData<WireInspection>(inspectionKey(inspection.id))
  return answered && answered.version > inspection.version ? answered : inspection
}

/** Number of an inspection that was shown before. */
export const numberOf = (id: number): string | undefined =>
  queryClient.getQueryData<WireInspection>(inspectionKey(id))?.number ?? listed(id)?.number

/** The carrier of an earlier inspection of the same plate. */
export const useLastCarrier = (id: number) =>
  useQuery({
    queryKey: ['inspections', 'last-carrier', id],
    queryFn: async ({ signal }) => (await call(lastCarrier, { params: { id }, signal, background: true })).carrier,
    staleTime: Number.POSITIVE_INFINITY,
  }).data ?? null

/** Static scales, by name. */
export const useScales = () =>
  useQuery({
    queryKey: ['scales'],
    queryFn: ({ signal }) => call(scales, { signal, background: true }),
    staleTime: 60_000,
  })
