import type { Pool } from '../core/database.ts'
import type { PartitionUnit } from '../core/partitions.ts'
import { isStoredAs } from './digest.ts'
import type { NewVehicle } from './queries.ts'
import { keyOf, storeVehicles } from './store.ts'
import type { Candidate } from './validate.ts'

type BatchVehicle = Candidate & NewVehicle

/**
 * Stores the vehicles of a batch. The first one with a sequence and time wins, whether stored before or earlier in the
 * batch: the same content again is a duplicate, other content is a reused sequence.
 */
export async function storeBatch(
  db: Pool,
  locationId: number,
  vehicles: readonly BatchVehicle[],
  now: Date,
  unit: PartitionUnit,
): Promise<{ accepted: number; duplicates: number; reused: BatchVehicle[] }> {
  const byKey = Map.groupBy(vehicles, ({ measured, derived }) => keyOf(derived.id, measured.createdAt))
  const firsts = [...byKey.values()].flatMap(([first]) => first ?? [])
  const { accepted, before } = await storeVehicles(db, locationId, firsts, now, unit)
  const reused = [...byKey].flatMap(([key, [first, ...others]]) => {
    if (!first) return []
    const stored = before.get(key)
    if (!stored) return others.filter(({ digest }) => !digest.equals(first.digest))
    return [first, ...others].filter((vehicle) => !isStoredAs(stored, vehicle))
  })
  return { accepted, duplicates: vehicles.length - accepted - reused.length, reused }
}
