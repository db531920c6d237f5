import { isStoredAs } from './digest.ts'
import type { NewVehicle } from './queries.ts'
import { keyOf, type StoreVehicles } from './store.ts'
import type { Candidate } from './validate.ts'

type BatchVehicle = Candidate & NewVehicle

/**
 * Stores the vehicles of a batch. The first one with a sequence and time wins, whether stored before or earlier in the
 * batch: the same content again is a duplicate, other content is a reused sequence.
 */
export async function storeBatch(
  storeVehicles: StoreVehicles,
  locationId: number,
  vehicles: readonly BatchVehicle[],
  now: Date,
): Promise<{ accepted: number; duplicates: number; reused: BatchVehicle[] }> {
  const byKey = Map.groupBy(vehicles, keyOf)
  const firsts = [...byKey.values()].flatMap(([first]) => first ?? [])
  const { accepted, before } = await storeVehicles(locationId, firsts, now)
  const reused = [...byKey].flatMap(([key, [first, ...others]]) => {
    if (!first) return []
    const stored = before.get(key)
    if (!stored) return others.filter(({ digest }) => !digest.equals(first.digest))
    return [first, ...others].filter((vehicle) => !isStoredAs(stored, vehicle))
  })
  return { accepted, duplicates: vehicles.length - accepted - reused.length, reused }
}
