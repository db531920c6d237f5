import { setTimeout as sleep } from 'node:timers/promises'
import { isLive } from '@rogatka/domain/current/live.ts'
import type { Pool } from '../core/database.ts'
import { createGroupCommit } from '../core/group-commit.ts'
import { clearPartitionCache, type PartitionUnit } from '../core/partitions.ts'
import { vehicleKey } from '../core/passage.ts'
import { ensureVehiclePartitions } from '../vehicle/public-api.ts'
import { notifyContacts } from '../wanted/public-api.ts'
import { createLastTimes } from './last-times.ts'
import { insertVehicles, type NewVehicle, type StoredVehicle, storedVehicles, writeLastTimes } from './queries.ts'

/** Rows per statement. */
const MAX_ROWS = 500
const MAX_ATTEMPTS = 5

/** Vehicles of one station, received at `now`. */
type StationVehicles = { locationId: number; vehicles: readonly NewVehicle[]; now: Date }

/** The number of new vehicles, and the existing ones by `vehicleKey`. */
type StoreResult = { accepted: number; before: Map<string, StoredVehicle> }

/**
 * Stores vehicles of one station durably, each key at most once, and notifies all processes of live ones. In
 * transactions of 500: after a failure the station sends the batch again, which is idempotent. No two of `vehicles` may
 * have the same key.
 */
export type StoreVehicles = (locationId: number, vehicles: readonly NewVehicle[], now: Date) => Promise<StoreResult>

/** `vehicleKey` of a new vehicle. */
export const keyOf = ({ measured, derived }: NewVehicle) =>
  vehicleKey({ id: derived.id, createdAt: measured.createdAt })

/** Stores vehicles of concurrent requests, of any stations, in shared transactions. */
export function createVehicleStore(db: Pool, unit: PartitionUnit): StoreVehicles {
  const lastTimes = createLastTimes((times) => writeLastTimes(db, times))

  /** Returns the keys of the new vehicles of each part. Of vehicles with the same key the first one is stored. */
  const writeParts = async (parts: readonly StationVehicles[]): Promise<Set<string>[]> => {
    const now = new Date(Math.max(...parts.map((part) => part.now.getTime())))
    const vehicles = firstsOf(parts).map((vehicle) => ({
      ...vehicle,
      isLive: isLive({ ...vehicle.derived, createdAt: vehicle.measured.createdAt }, now, now),
    }))
    const stations = [...new Set(parts.map(({ locationId }) => locationId))]
    const claimed = stations.filter((id) => lastTimes.claim(id))
    const instants = vehicles.map(({ measured }) => measured.createdAt)
    try {
      const isDistributed = await db.hasCitus()
      const inserted = await withRetry(db, instants, unit, () =>
        db.transaction(
          async (db) => {
            const inserted = await insertVehicles(db, vehicles, now, claimed, isDistributed)
            await notifyContacts(
              db,
              inserted.filter(({ wanted }) => wanted),
              now,
            )
            return inserted
          },
          { genericPlans: true },
        ),
      )
      for (const { locationId, createdAt } of inserted)
        if (!claimed.includes(locationId)) lastTimes.add(locationId, createdAt)
      const unassigned = new Set(inserted.map(vehicleKey))
      return parts.map((part) => new Set(part.vehicles.map(keyOf).filter((key) => unassigned.delete(key))))
    } catch (error) {
      for (const id of claimed) lastTimes.release(id)
      throw error
    }
  }
  const store = createGroupCommit({
    write: writeParts,
    sizeOf: ({ vehicles }) => vehicles.length,
    maxSize: MAX_ROWS,
  })

  return async (locationId, vehicles, now) => {
    const parts = Array.from({ length: Math.ceil(vehicles.length / MAX_ROWS) }, (_, part) =>
      vehicles.slice(part * MAX_ROWS, (part + 1) * MAX_ROWS),
    )
    const results = await Promise.all(
      parts.map(async (vehicles) => {
        const newKeys = await store({ locationId, vehicles, now })
        const existing = vehicles.filter((vehicle) => !newKeys.has(keyOf(vehicle)))
        const before = existing.length > 0 ? await storedVehicles(db, locationId, existing) : []
        return { accepted: newKeys.size, before }
      }),
    )
    return {
      accepted: results.reduce((sum, { accepted }) => sum + accepted, 0),
      before: new Map(results.flatMap(({ before }) => before.map((vehicle) => [vehicleKey(vehicle), vehicle]))),
    }
  }
}

/** The first vehicle with each key, and its station. */
function firstsOf(parts: readonly StationVehicles[]) {
  const byKey = new Map<string, NewVehicle & { locationId: number }>()
  for (const { locationId, vehicles } of parts)
    for (const vehicle of vehicles) {
      const key = keyOf(vehicle)
      if (!byKey.has(key)) byKey.set(key, { ...vehicle, locationId })
    }
  return [...byKey.values()]
}

/** Transient errors: deadlock and serialization failure. A missing partition is created before the retry. */
const TRANSIENT = ['40P01', '40001']
const NO_PARTITION = '23514'

/**
 * Runs a transaction that needs the partitions of these instants; retries it after transient errors with random
 * back-off.
 */
export async function withRetry<T>(
  db: Pool,
  instants: readonly Date[],
  unit: PartitionUnit,
  run: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await ensureVehiclePartitions(db, instants, unit)
    try {
      return await run()
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (attempt === MAX_ATTEMPTS || ![...TRANSIENT, NO_PARTITION].includes(code)) throw error
      if (code === NO_PARTITION) clearPartitionCache(db)
      else await sleep(Math.random() * 50 * attempt)
    }
  }
}
