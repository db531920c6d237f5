import type { Pool } from '../core/database.ts'
import type { PartitionUnit } from '../core/partitions.ts'
import { isStoredAs } from './digest.ts'
import type { NewVehicle } from './queries.ts'
import { keyOf, storeVehicles } from './store.ts'
import type { Candidate } from './validate.ts'

type BatchVehicle = Candidate & NewVehicle

/**
 * Stores the vehicles of a batch. Of several with the same sequence and time the first stands, be it stored before or
 * earlier in the batch: the same content again is a duplicate, another content reuses the sequence.
 */
export async function storeBatch(
  db: Pool,
  locationId: number,
  vehicles: readonly BatchVehicle[],
  now: Date,
  span: PartitionUnit,
): Promise<{ accepted: number; duplicates: number; reused: BatchVehicle[] }> {
  const byKey = Map.groupBy(vehicles, ({ measured, derived }) => keyOf(derived.id, measured.createdAt))
  const firsts = [...byKey.values()].flatMap(([first]) => first ?? [])
  const { accepted, before } = await storeVehicles(db, locationId, firsts, now, span)
  const reused = [...byKey].flatMap(([key, [first, ...others]]) => {
    if (!first) return []
    const stored = before.get(key)
    if (!stored) return others.filter(({ digest }) => !digest.equals(first.digest))
    return [first, ...others].filter((vehicle) => !isStoredAs(stored, vehicle))
  })
  return { accepted, duplicates: vehicles.length - accepted - reused.length, reused }
}
