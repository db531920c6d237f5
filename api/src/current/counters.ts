import type { Vehicle, VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { createMatch, type Match } from '@rogatka/domain/current/match.ts'
import { vehicleKey } from '../core/passage.ts'
import type { Window, WindowDelta } from './window.ts'

/** The selected stations, or all that have ever sent vehicles. */
export const watchedStations = (window: Window, selected: number[] | undefined): number[] =>
  selected && selected.length > 0 ? [...new Set(selected)] : [...window.lastTimes().keys()]

/** Vehicles of the window that match filters, by station. */
export type Tally = { filters: VehicleFilters; matches: Match; counts: Map<number, number> }

/** Counts vehicles for many filters incrementally: by changes, instead of all vehicles again. */
export function createTallies() {
  /** The vehicles of the window as they are counted, by key. */
  const counted = new Map<string, Vehicle>()

  const count = ({ matches, counts }: Tally, vehicle: Vehicle | undefined, by: number) => {
    if (!vehicle || !matches(vehicle)) return
    const { id } = vehicle.location
    counts.set(id, (counts.get(id) ?? 0) + by)
  }

  const countAll = (tally: Tally) => {
    tally.counts.clear()
    for (const vehicle of counted.values()) count(tally, vehicle, 1)
  }

  return {
    create(filters: VehicleFilters): Tally {
      const tally = { filters, matches: createMatch(filters), counts: new Map() }
      countAll(tally)
      return tally
    },

    /** Counts the vehicles of another window, or of one whose changes are unknown. */
    reset(window: Window, tallies: readonly Tally[]) {
      counted.clear()
      for (const { vehicle } of window.entries()) counted.set(vehicleKey(vehicle), vehicle)
      for (const tally of tallies) countAll(tally)
    },

    update({ added, moved, changed, removed }: WindowDelta, tallies: readonly Tally[]) {
      const replace = (key: string, vehicle: Vehicle | undefined) => {
        const before = counted.get(key)
        if (vehicle) counted.set(key, vehicle)
        else counted.delete(key)
        for (const tally of tallies) {
          count(tally, before, -1)
          count(tally, vehicle, 1)
        }
      }
      for (const { vehicle } of removed) replace(vehicleKey(vehicle), undefined)
      for (const { vehicle } of [...added, ...moved, ...changed]) replace(vehicleKey(vehicle), vehicle)
    },
  }
}

/** Encodes the live vehicles and the last vehicle time of each selected station, by id, of tallies that are up to date. */
export function createCountersJson(window: Window, now: Date): (tally: Tally) => string {
  const expired = window.expired(now)
  const times = window.lastTimes()
  const all = watchedStations(window, undefined).toSorted((a, b) => a - b)
  const jsonSuffixes = new Map(all.map((id) => [id, `,"lastVehicleTime":${JSON.stringify(times.get(id))}}`]))
  return ({ filters, matches, counts }) => {
    const live = new Map(counts)
    for (const { vehicle } of expired)
      if (matches(vehicle)) live.set(vehicle.location.id, (live.get(vehicle.location.id) ?? 0) - 1)
    const stations = filters.locations?.length
      ? watchedStations(window, filters.locations).toSorted((a, b) => a - b)
      : all
    const counters = stations.map(
      (id) =>
        `{"locationId":${id},"vehicles":${live.get(id) ?? 0}${jsonSuffixes.get(id) ?? ',"lastVehicleTime":null}'}`,
    )
    return `[${counters}]`
  }
}
