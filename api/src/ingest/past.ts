import type { Database } from '../core/database.ts'
import { vehicleKey } from '../core/passage.ts'
import { isStoredAs } from './digest.ts'
import { insertPastVehicles, type StoredVehicle, storedVehicles, type VehicleOfStation } from './queries.ts'
import { keyOf } from './store.ts'

/** The stored vehicles with the keys of these, by `vehicleKey`. */
export async function findStored(
  db: Database,
  vehicles: readonly VehicleOfStation[],
): Promise<Map<string, StoredVehicle>> {
  const found = new Map<string, StoredVehicle>()
  for (const [locationId, ofStation] of Map.groupBy(vehicles, (vehicle) => vehicle.locationId))
    for (const stored of await storedVehicles(db, locationId, ofStation)) found.set(vehicleKey(stored), stored)
  return found
}

/**
 * Stores vehicles of the past in the transaction of `db`: as those that stations send, but without live lists, list hits
 * and last vehicle times. The first one with a key wins, as in `storeBatch`.
 */
export async function storePast<V extends VehicleOfStation>(
  db: Database,
  vehicles: readonly V[],
  now: Date,
): Promise<{ accepted: V[]; duplicates: V[]; reused: V[] }> {
  const firsts = new Map<string, V>()
  for (const vehicle of vehicles) if (!firsts.has(keyOf(vehicle))) firsts.set(keyOf(vehicle), vehicle)
  const inserted = firsts.size > 0 ? await insertPastVehicles(db, [...firsts.values()], now) : []
  const isNew = new Set(inserted.map(vehicleKey))
  const existing = [...firsts].filter(([key]) => !isNew.has(key)).map(([, vehicle]) => vehicle)
  const stored = existing.length > 0 ? await findStored(db, existing) : new Map<string, StoredVehicle>()
  const result: { accepted: V[]; duplicates: V[]; reused: V[] } = { accepted: [], duplicates: [], reused: [] }
  for (const vehicle of vehicles) {
    const key = keyOf(vehicle)
    const [first, before] = [firsts.get(key), stored.get(key)]
    if (first === vehicle && !before) result.accepted.push(vehicle)
    else {
      const isSame = before ? isStoredAs(before, vehicle) : first?.digest.equals(vehicle.digest)
      result[isSame ? 'duplicates' : 'reused'].push(vehicle)
    }
  }
  return result
}
