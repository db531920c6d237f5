import type { WireLocation } from '@rogatka/contract/locations.ts'
import { available } from '@rogatka/domain/locations/availability.ts'
import { serverNow } from '../core/clock.ts'
import { useLocations } from './useLocations.ts'

type Station = {
  location: WireLocation
  available: boolean
  /** Whole minutes since its last vehicle; null when it saw none. */
  silentMinutes: number | null
}

/** What is known of a station's last vehicle elsewhere and later than in the list of stations. */
type LastSeen = ReadonlyMap<number, string | null>

const stationOf = (location: WireLocation, lastSeen: string | null, now: number): Station => ({
  location,
  available: available(lastSeen, new Date(now)),
  silentMinutes: lastSeen === null ? null : Math.max(0, Math.floor((now - Date.parse(lastSeen)) / 60_000)),
})

/** The stations with their availability now. */
export function useStations(lastSeen?: LastSeen) {
  const { data: locations, error, refetch } = useLocations()
  const now = serverNow()
  const stations = locations?.map((location) =>
    stationOf(location, lastSeen?.get(location.id) ?? location.lastVehicleTime, now),
  )
  return { stations, error, refetch }
}
