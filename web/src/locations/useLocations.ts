import { list } from '@rogatka/contract/locations.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'

/** Availability is judged by the last vehicle, so it is looked at again now and then. */
const REFRESH_MS = 5 * 60_000

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
})

/** The stations, loaded once, in the order of their numbers. */
export const useLocations = () => useQuery(locationsQuery)
