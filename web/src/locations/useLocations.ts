import { list } from '@rogatka/contract/locations.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { readStored, writeStored } from '../core/browserStorage.ts'
import { call } from '../core/call.ts'

/** Availability depends on the last vehicle; the result is stale after a minute. */
const REFRESH_MS = 45_000
const COUNT = 'stations'

const locationsQuery = queryOptions({
  queryKey: ['locations'],
  queryFn: async ({ signal }) => {
    try {
      const locations = await call(list, { signal, background: true })
      writeStored('local', COUNT, String(locations.length))
      return locations.toReversed()
    } catch (error) {
      if (!signal.aborted) console.warn('The stations could not be loaded.', error)
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: REFRESH_MS,
  // Hidden pages do not refetch; returning to the page refetches at once.
  refetchOnWindowFocus: 'always',
})

/** Stations in order of their numbers, refetched while the page is visible. */
export const useLocations = () => useQuery(locationsQuery)

/** Number of stations at the last visit on this device; undefined: none. */
export function expectedStations(): number | undefined {
  const count = Number(readStored('local', COUNT))
  return Number.isInteger(count) && count > 0 && count < 1_000 ? count : undefined
}
