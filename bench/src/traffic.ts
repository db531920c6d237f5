import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { type Detection, detection } from './archive-traffic.ts'
import { benchRandom } from './random.ts'

/** A station with two lanes with scales, 5 km before its checkpoint. */
export const benchStation = (id: number, name: string) => ({
  id,
  shortName: name,
  name,
  roadNumber: 'S8',
  chainage: '1+000',
  direction: 'Warszawa',
  speedLimit: 120,
  speedLimitHeavy: 80,
  distanceToSign: 1_000,
  distanceToCheckpoint: 5_000,
  lanes: [1, 2].map((laneNumber) => ({ laneNumber, accuracyClass: 'B+(7)' })),
})

/** Creates a generator of `count` new measurements per call; equal seeds give equal traffic. */
export function trafficFrom(seed: number, timeOf: (sequence: number) => number): (count: number) => WireMeasurement[] {
  const random = benchRandom(seed)
  let sequence = 0
  return (count) =>
    Array.from({ length: count }, () => {
      sequence += 1
      return toMeasurement(detection(timeOf(sequence), 2, random), sequence)
    })
}

function toMeasurement(vehicle: Detection, sequence: number): WireMeasurement {
  const wheel = Math.round((vehicle.load ?? 0) / vehicle.axles / 2)
  const gap = Math.round((vehicle.length * 0.7) / vehicle.axles)
  return {
    sequence,
    createdAt: new Date(vehicle.at).toISOString(),
    laneNumber: vehicle.lane,
    plateLpr: vehicle.plate,
    nationality: vehicle.nationality,
    speed: vehicle.speed,
    vehLength: vehicle.length,
    ctg8p1: vehicle.ctg8p1,
    ctg323: vehicle.ctg323,
    axles:
      vehicle.load === null
        ? null
        : Array.from({ length: vehicle.axles }, (_, at) => ({ leftWeight: wheel, rightWeight: wheel, gap: at && gap })),
  }
}
