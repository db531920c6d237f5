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

/** Rows of one statement. */
const MAX_ROWS = 500
const ATTEMPTS = 5

/** How many vehicles were new, and by `sortValueOf` those that were there before. */
type Outcome = { accepted: number; before: Map<string, StoredVehicle> }

/** Key of a vehicle within its station. */
export const keyOf = (id: number, createdAt: Date) => `${id}@${createdAt.getTime()}`

/**
 * Stores vehicles of one station durably, each key at most once, and notifies all processes of those that are live.
 * Each part of 500 is a transaction of its own: a failure leaves whole parts, and the station sends again.
 */
export async function storeVehicles(
  db: Pool,
  locationId: number,
  vehicles: NewVehicle[],
  now: Date,
  span: PartitionUnit,
): Promise<Outcome> {
  // In the order of their keys, so that the parts of two batches with the same vehicles hardly ever meet head on.
  const sorted = vehicles.toSorted(
    (a, b) => +a.measured.createdAt - +b.measured.createdAt || a.derived.id - b.derived.id,
  )
  const before = new Map<string, StoredVehicle>()
  let accepted = 0
  for (let from = 0; from < sorted.length; from += MAX_ROWS) {
    const part = await storePart(db, locationId, sorted.slice(from, from + MAX_ROWS), now, span)
    accepted += part.accepted
    for (const vehicle of part.before) before.set(keyOf(vehicle.id, vehicle.createdAt), vehicle)
  }
  return { accepted, before }
}

async function storePart(db: Pool, locationId: number, part: NewVehicle[], now: Date, span: PartitionUnit) {
  const instants = part.map(({ measured }) => measured.createdAt)
  const lastTimes = lastTimesOf(db)
  const withLastTime = lastTimes.claim(locationId)
  try {
    const { accepted, before, newest } = await withRetry(db, instants, span, () =>
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
  const fresh = new Set(inserted.map(({ id, createdAt }) => keyOf(id, createdAt)))
  const isFresh = ({ measured, derived }: NewVehicle) => fresh.has(keyOf(derived.id, measured.createdAt))
  const met = part.filter((vehicle) => !isFresh(vehicle))
  // Also those that another transaction wrote meanwhile: this is a statement of its own, and sees them.
  const before = met.length > 0 ? await storedVehicles(db, locationId, met) : []
  const newest = inserted.at(-1)?.createdAt
  if (!newest) return { accepted: 0, before, newest }
  await markChangedHours(
    db,
    locationId,
    inserted.map(({ createdAt }) => createdAt),
  )
  const live = part
    .filter(isFresh)
    .map(({ measured: { createdAt }, derived }) => ({ ...derived, createdAt }))
    .filter((it) => isLive(it, now, now))
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

/** Deadlock, serialization failure, and a row without a partition: all of them pass when tried again. */
const PASSING = ['40P01', '40001']
const NO_PARTITION = '23514'

/** Runs a transaction whose rows need the partitions of these instants, again where what stopped it will pass. */
export async function withRetry<T>(
  db: Pool,
  instants: readonly Date[],
  span: PartitionUnit,
  run: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await ensureVehiclePartitions(db, instants, span)
    try {
      return await run()
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (attempt === ATTEMPTS || ![...PASSING, NO_PARTITION].includes(code)) throw error
      if (code === NO_PARTITION) clearPartitionCache(db)
      else await sleep(Math.random() * 50 * attempt)
    }
  }
}
