import type { WireLocation } from '@rogatka/contract/locations.ts'
import { isAvailable, laneOptions } from '@rogatka/domain/locations/availability.ts'
import { serverNow } from '../core/clock.ts'
import { formatNoDataTime } from '../core/noDataTime.ts'
import { useIsOlderThan } from '../core/useIsOlderThan.ts'
import type { Station } from '../ui/vehicle/StationSection.tsx'
import { expectedStations, useLocations } from './useLocations.ts'

/** Older data does not show the current state: the status is unknown. */
const STALE_MS = 60_000

/** Times of last vehicles from elsewhere, newer than those of the list of stations. */
type LastSeen = ReadonlyMap<number, string | null>

function stationOf(location: WireLocation, lastSeen: string | null, now: number, isStale: boolean): Station {
  if (location.closedAt !== null) return { location, status: 'unavailable', noDataTime: null }
  if (isStale) return { location, status: 'unknown', noDataTime: null }
  if (isAvailable(lastSeen, location.silentAfterMinutes, new Date(now)))
    return { location, status: 'available', noDataTime: null }
  return { location, status: 'unavailable', noDataTime: lastSeen && formatNoDataTime(now - Date.parse(lastSeen)) }
}

/** Stations with their current availability, and their lane numbers; undefined while loading. */
export function useStations(lastSeen?: LastSeen) {
  const { data: locations, dataUpdatedAt, error, refetch } = useLocations()
  const isStale = useIsOlderThan(dataUpdatedAt, STALE_MS)
  const now = serverNow()
  const stations = locations?.map((location) =>
    stationOf(location, lastSeen?.get(location.id) ?? location.lastVehicleTime, now, isStale),
  )
  return { stations, lanes: locations && laneOptions(locations), expected: expectedStations(), error, refetch }
}

/** Those that are not closed: only they send vehicles. */
export function useOpenStations() {
  const { stations, ...list } = useStations()
  return { ...list, stations: stations?.filter(({ location }) => location.closedAt === null) }
}
