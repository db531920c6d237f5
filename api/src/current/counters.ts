import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { matches } from '@rogatka/domain/current/match.ts'
import type { Window } from './window.ts'

/** The selected stations, or all that have ever sent vehicles. */
export const watchedStations = (window: Window, selected: number[] | undefined): number[] =>
  selected && selected.length > 0 ? [...new Set(selected)] : [...window.lastTimes().keys()]

/** The number of matching live vehicles and the last vehicle time of each selected station, by station id. */
export function countVehicles(window: Window, filters: VehicleFilters, now: Date) {
  const vehicles = new Map<number, number>()
  for (const vehicle of window.since(undefined, now)) {
    const { id } = vehicle.location
    if (matches(vehicle, filters)) vehicles.set(id, (vehicles.get(id) ?? 0) + 1)
  }
  return watchedStations(window, filters.locations)
    .toSorted((a, b) => a - b)
    .map((locationId) => ({
      locationId,
      vehicles: vehicles.get(locationId) ?? 0,
      lastVehicleTime: window.lastTimes().get(locationId) ?? null,
    }))
}
