import { list } from '@rogatka/contract/locations.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { readStored, writeStored } from '../core/stored.ts'

/** Availability is judged by the last vehicle, which counts as old after a minute. */
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
  // Nothing is fetched for a hidden page: what it shows when it is back is fetched at once.
  refetchOnWindowFocus: 'always',
})

/** The stations in the order of their numbers, refetched while they are on the screen. */
export const useLocations = () => useQuery(locationsQuery)

/** How many stations this device saw the last time; undefined: it never did. */
export function expectedStations(): number | undefined {
  const count = Number(readStored('local', COUNT))
  return Number.isInteger(count) && count > 0 && count < 1_000 ? count : undefined
}
