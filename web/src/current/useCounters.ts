import { counters } from '@rogatka/contract/current.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { useStore } from '../core/store.ts'
import { recordCounters, streamedCounters } from './live.ts'
import { type CurrentSearch, filtersOf } from './search.ts'

const REFRESH_MS = 5_000

/** Live counts and time of the last vehicle by station while the list is shown: from the stream, otherwise polled. */
export function useCounters(search: CurrentSearch, enabled: boolean) {
  const query = filtersOf(search)
  const streamed = useStore(streamedCounters)
  const { data } = useQuery({
    queryKey: ['counters', query],
    queryFn: async ({ signal }) => {
      const response = await call(counters, { query, signal, background: true })
      // Also if unchanged: recorded as a fresh response.
      recordCounters(response)
      return response
    },
    enabled: enabled && streamed === null,
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: false,
    retry: false,
    placeholderData: keepPreviousData,
  })
  return enabled ? (streamed ?? data) : undefined
}
