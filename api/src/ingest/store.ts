import { setTimeout as sleep } from 'node:timers/promises'
import { isLive } from '@rogatka/domain/current/live.ts'
import { markChangedHours } from '../archive/public-api.ts'
import type { Database, Pool } from '../core/database.ts'
import { notifyLastVehicleTime, notifyVehicles } from '../core/live-events.ts'
import { clearPartitionCache, type PartitionUnit } from '../core/partitions.ts'
import { ensureVehiclePartitions } from '../vehicle/public-api.ts'
import { notifyContacts } from '../wanted/public-api.ts'
import { lastTimesOf } from './last-times.ts'
import { insertVehicles, type NewVehicle, type StoredVehicle, storedVehicles } from './queries.ts'

/** Rows per statement. */
const MAX_ROWS = 500
const MAX_ATTEMPTS = 5

/** The number of new vehicles, and the existing ones by `keyOf`. */
type StoreResult = { accepted: number; before: Map<string, StoredVehicle> }

/** A vehicle's key within its station. */
export const keyOf = (id: number, createdAt: Date) => `${id}@${createdAt.getTime()}`

/**
 * Stores vehicles of one station durably, each key at most once, and notifies all processes of live ones. In
 * transactions of 500: after a failure the station sends the batch again, which is idempotent.
 */
export async function storeVehicles(
  db: Pool,
  locationId: number,
  vehicles: NewVehicle[],
  now: Date,
  unit: PartitionUnit,
): Promise<StoreResult> {
  // In key order, so that transactions with the same vehicles rarely deadlock.
  const sorted = vehicles.toSorted(
    (a, b) => +a.measured.createdAt - +b.measured.createdAt || a.derived.id - b.derived.id,
  )
  const before = new Map<string, StoredVehicle>()
  let accepted = 0
  for (let from = 0; from < sorted.length; from += MAX_ROWS) {
    const part = await storePart(db, locationId, sorted.slice(from, from + MAX_ROWS), now, unit)
    accepted += part.accepted
    for (const vehicle of part.before) before.set(keyOf(vehicle.id, vehicle.createdAt), vehicle)
  }
  return { accepted, before }
}

async function storePart(db: Pool, locationId: number, part: NewVehicle[], now: Date, unit: PartitionUnit) {
  const instants = part.map(({ measured }) => measured.createdAt)
  const lastTimes = lastTimesOf(db)
  const withLastTime = lastTimes.claim(locationId)
  try {
    const { accepted, before, newest } = await withRetry(db, instants, unit, () =>
      db.transaction((db) => writePart(db, locationId, part, now, withLastTime)),
    )
    if (newest && !withLastTime) lastTimes.add(locationId, newest)
    return { accepted, before }
  } catch (error) {
    if (withLastTime) lastTimes.release(locationId)
    throw error
  }
}

async function writePart(db: Database, locationId: number, part: NewVehicle[], now: Date, withLastTime: boolean) {
  const inserted = await insertVehicles(db, locationId, part, now, withLastTime)
  const newKeys = new Set(inserted.map(({ id, createdAt }) => keyOf(id, createdAt)))
  const isNew = ({ measured, derived }: NewVehicle) => newKeys.has(keyOf(derived.id, measured.createdAt))
  const existing = part.filter((vehicle) => !isNew(vehicle))
  // Includes those committed concurrently, as a new statement sees them.
  const before = existing.length > 0 ? await storedVehicles(db, locationId, existing) : []
  const newest = inserted.at(-1)?.createdAt
  if (!newest) return { accepted: 0, before, newest }
  await markChangedHours(
    db,
    locationId,
    inserted.map(({ createdAt }) => createdAt),
  )
  const live = part
    .filter(isNew)
    .map(({ measured: { createdAt }, derived }) => ({ ...derived, createdAt }))
    .filter((vehicle) => isLive(vehicle, now, now))
  const wanted = inserted.filter(({ wanted }) => wanted)
  await notifyContacts(
    db,
    wanted.map(({ id, createdAt }) => ({ locationId, id, createdAt })),
    now,
  )
  await notifyVehicles(db, live)
  await notifyLastVehicleTime(db, locationId, newest)
  return { accepted: inserted.length, before, newest }
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
