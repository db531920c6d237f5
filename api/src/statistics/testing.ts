import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { categories } from '@rogatka/contract/vehicle.ts'
import type { NewLocation } from '../locations/queries.ts'

/** Numbers from 0 to 1 that are the same in every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export const stationAt = (id: number, lanes: number): NewLocation => ({
  id,
  shortName: `S${id}`,
  name: `Station ${id}`,
  roadNumber: 'S8',
  chainage: '1+000',
  direction: 'Warszawa',
  speedLimit: 100,
  speedLimitHeavy: 80,
  distanceToSign: null,
  distanceToCheckpoint: null,
  lanes: Array.from({ length: lanes }, (_, i) => ({ laneNumber: i + 1, accuracyClass: 'B+(7)' })),
})

/** A vehicle of any kind: some too fast, too heavy or in the wrong place, some of which little is known. */
export function anyVehicle(random: () => number, sequence: number, at: Date, lanes: number): WireMeasurement {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const category = pick(categories)
  const kg = () => Math.round(random() * 7_000)
  return {
    sequence,
    createdAt: at.toISOString(),
    laneNumber: 1 + Math.floor(random() * lanes),
    speed: random() < 0.1 ? null : random() < 0.04 ? Math.floor(random() * 5) : Math.round(40 + random() * 110),
    vehHeight: random() < 0.1 ? 430 : 300,
    ctg8p1: category === 'lack' ? null : Number(category),
    wrongDirection: random() < 0.05,
    overlane: random() < 0.1,
    axles: random() < 0.2 ? null : [0, 400].map((gap) => ({ leftWeight: kg(), rightWeight: kg(), gap })),
  }
}
