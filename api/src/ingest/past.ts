import type { Database } from '../core/database.ts'
import { type PassageKey, vehicleKey } from '../core/passage.ts'
import { isStoredAs } from './digest.ts'
import { collectedDigests, insertCollected } from './figure-queries.ts'
import {
  insertPastVehicles,
  type OfImport,
  type StoredVehicle,
  storedVehicles,
  type VehicleOfStation,
} from './queries.ts'
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

/** Vehicles of a batch: new ones, repeated ones, and others with the key of an earlier one. */
type SortedBatch<V> = { accepted: V[]; duplicates: V[]; reused: V[] }

type Target<V, Stored> = {
  /** Inserts vehicles with different keys; returns the keys of the new ones. */
  insert: (firsts: readonly V[]) => Promise<readonly PassageKey[]>
  /** What exists of vehicles, by `vehicleKey`. */
  find: (existing: readonly V[]) => Promise<Map<string, Stored>>
  isSame: (stored: Stored, vehicle: V) => boolean
}

/** Inserts vehicles: the first one with a key wins, as in `storeBatch`. */
async function insertFirsts<V extends VehicleOfStation, Stored>(
  vehicles: readonly V[],
  { insert, find, isSame }: Target<V, Stored>,
): Promise<SortedBatch<V>> {
  const firsts = new Map<string, V>()
  for (const vehicle of vehicles) if (!firsts.has(keyOf(vehicle))) firsts.set(keyOf(vehicle), vehicle)
  const inserted = firsts.size > 0 ? await insert([...firsts.values()]) : []
  const isNew = new Set(inserted.map(vehicleKey))
  const existing = [...firsts].filter(([key]) => !isNew.has(key)).map(([, vehicle]) => vehicle)
  const stored = existing.length > 0 ? await find(existing) : new Map<string, Stored>()
  const result: SortedBatch<V> = { accepted: [], duplicates: [], reused: [] }
  for (const vehicle of vehicles) {
    const key = keyOf(vehicle)
    const [first, before] = [firsts.get(key), stored.get(key)]
    if (first === vehicle && !before) result.accepted.push(vehicle)
    else {
      const isRepeated = before ? isSame(before, vehicle) : first?.digest.equals(vehicle.digest)
      result[isRepeated ? 'duplicates' : 'reused'].push(vehicle)
    }
  }
  return result
}

/**
 * Stores vehicles of an import in the transaction of `db`: as those that stations send, but without live lists, list hits
 * and last vehicle times.
 */
export const storePastVehicles = <V extends VehicleOfStation>(
  db: Database,
  vehicles: readonly V[],
  of: OfImport,
): Promise<SortedBatch<V>> =>
  insertFirsts(vehicles, {
    insert: (firsts) => insertPastVehicles(db, firsts, of),
    find: (existing) => findStored(db, existing),
    isSame: isStoredAs,
  })

/**
 * Collects vehicles of an import in the transaction of `db`. They are counted by day once the import has read all of them,
 * and never stored as vehicles.
 */
export const collectPastVehicles = <V extends VehicleOfStation>(
  db: Database,
  vehicles: readonly V[],
  importId: number,
): Promise<SortedBatch<V>> =>
  insertFirsts(vehicles, {
    insert: (firsts) => insertCollected(db, importId, firsts),
    find: async (existing) => {
      const keys = existing.map(({ locationId, measured, derived }) => ({
        ...{ locationId, createdAt: measured.createdAt, id: derived.id },
      }))
      return new Map((await collectedDigests(db, importId, keys)).map((row) => [vehicleKey(row), row.digest]))
    },
    isSame: (digest: Buffer, vehicle) => digest.equals(vehicle.digest),
  })
