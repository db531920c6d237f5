import type { Database } from '../core/database.ts'
import { figureDays, measuredDays } from '../statistics/public-api.ts'
import type { RefusedRow, RowVehicle } from './rows.ts'

/** What becomes of the vehicles of a day of a station. */
type DayKind = 'stored' | 'counted' | 'replaced' | 'measured'

export type SortedVehicles = { stored: RowVehicle[]; counted: RowVehicle[]; refused: RefusedRow[] }

const keyOf = ({ locationId, day }: { locationId: number; day: string }) => `${locationId} ${day}`

/**
 * Sorts vehicles by the days of their stations: days within the retention are stored, older ones counted in the figures, unless
 * the station has measured the day. A day that has figures of an earlier import is counted again, which replaces them:
 * `isReplaced`, of a day that was sorted.
 */
export function createDaySorter() {
  const kinds = new Map<string, DayKind>()

  const loadKinds = async (db: Database, vehicles: readonly RowVehicle[]) => {
    const unknown = [
      ...new Map(vehicles.filter((one) => !kinds.has(keyOf(one))).map((one) => [keyOf(one), one])).values(),
    ]
    if (unknown.length === 0) return
    for (const one of unknown) kinds.set(keyOf(one), one.isOld ? 'counted' : 'stored')
    for (const day of await figureDays(db, unknown)) kinds.set(keyOf(day), 'replaced')
    const old = unknown.filter((one) => kinds.get(keyOf(one)) === 'counted')
    for (const day of old.length > 0 ? await measuredDays(db, old) : []) kinds.set(keyOf(day), 'measured')
  }

  return {
    sort: async (db: Database, vehicles: readonly RowVehicle[]): Promise<SortedVehicles> => {
      await loadKinds(db, vehicles)
      const sorted: SortedVehicles = { stored: [], counted: [], refused: [] }
      for (const vehicle of vehicles) {
        const kind = kinds.get(keyOf(vehicle))
        if (kind === 'stored') sorted.stored.push(vehicle)
        else if (kind === 'measured') sorted.refused.push(toDayMeasured(vehicle))
        else sorted.counted.push(vehicle)
      }
      return sorted
    },
    isReplaced: (day: { locationId: number; day: string }): boolean => kinds.get(keyOf(day)) === 'replaced',
  }
}

const originOf = ({ line, text, station, lane, locationId, laneNumber }: RowVehicle) => ({
  ...{ line, text, station, lane, locationId, laneNumber },
})

const toDayMeasured = (vehicle: RowVehicle): RefusedRow => ({
  ...originOf(vehicle),
  code: 'day-measured',
  path: 'createdAt',
  value: vehicle.day,
})

/** The row of another vehicle with the sequence and time of a stored or earlier one. */
export const toSequenceReused = (vehicle: RowVehicle): RefusedRow => ({
  ...originOf(vehicle),
  code: 'sequence-reused',
  path: 'sequence',
  value: String(vehicle.measured.sequence),
})
