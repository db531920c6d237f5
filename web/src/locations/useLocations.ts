import { list } from '@rogatka/contract/locations.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'

/** Availability is judged by the last vehicle, which counts as old after a minute. */
const REFRESH_MS = 45_000

const locationsQuery = queryOptions({
  queryKey: ['locations'],
  queryFn: async ({ signal }) => {
    try {
      const locations = await call(list, { signal, background: true })
      return locations.toReversed()
    } catch (error) {
      if (!signal.aborted) console.warn('The stations could not be loaded.', error)
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: REFRESH_MS,
  // Nothing is fetched for a hidden page: what it shows when it is back is fetched at once.
  refetchOnWindowFocus: 'always',
})

/** The stations in the order of their numbers, refetched while they are on the screen. */
export const useLocations = () => useQuery(locationsQuery)
