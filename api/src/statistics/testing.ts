import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { categories } from '@rogatka/contract/vehicle.ts'
import type { Random } from '@rogatka/domain/core/random.ts'
import type { NewLocation } from '../locations/queries.ts'

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

/** A random vehicle: some with violations, some with missing values. */
export function randomVehicle(random: Random, sequence: number, at: Date, lanes: number): WireMeasurement {
  const category = random.pick(categories)
  const kg = () => Math.round(random.next() * 7_000)
  return {
    sequence,
    createdAt: at.toISOString(),
    laneNumber: 1 + Math.floor(random.next() * lanes),
    speed:
      random.next() < 0.1
        ? null
        : random.next() < 0.04
          ? Math.floor(random.next() * 5)
          : Math.round(40 + random.next() * 110),
    vehHeight: random.next() < 0.1 ? 430 : 300,
    ctg8p1: category === 'lack' ? null : Number(category),
    wrongDirection: random.next() < 0.05,
    overlane: random.next() < 0.1,
    axles: random.next() < 0.2 ? null : [0, 400].map((gap) => ({ leftWeight: kg(), rightWeight: kg(), gap })),
  }
}

/** A random vehicle of two to six axles in one of two lanes, some without weights or speed. */
export function randomLorry(random: Random, sequence: number, at: Date): WireMeasurement {
  const axles = 2 + Math.floor(random.next() * 5)
  const kg = () => 1_500 + Math.round(random.next() * 5_000)
  return {
    sequence,
    createdAt: at.toISOString(),
    laneNumber: 1 + Math.floor(random.next() * 2),
    speed: random.next() < 0.1 ? null : 60 + Math.floor(random.next() * 60),
    ctg8p1: random.pick([7, 3, 8, 9, 5, null]),
    ctg323: [null, 0, 1, 5, 8][sequence % 5] ?? null,
    nationality: ['PL', 'LT', null][sequence % 3] ?? null,
    axles:
      random.next() < 0.2
        ? null
        : Array.from({ length: axles }, (_, i) => ({
            leftWeight: kg(),
            rightWeight: kg(),
            gap: i === 0 ? 0 : random.pick([131, 180, 181, 400]),
          })),
  }
}
