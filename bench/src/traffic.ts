import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { type Detection, detection } from './archive-traffic.ts'
import { benchRandom } from './random.ts'

/** A station of two lanes with scales, 5 km before its checkpoint. */
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

/** So many vehicles with each call, as a station sends them; none comes twice, and the same seed tells the same story. */
export function trafficFrom(seed: number, timeOf: (sequence: number) => number): (count: number) => WireMeasurement[] {
  const random = benchRandom(seed)
  let sequence = 0
  return (count) =>
    Array.from({ length: count }, () => {
      sequence += 1
      return measured(detection(timeOf(sequence), 2, random), sequence)
    })
}

function measured(it: Detection, sequence: number): WireMeasurement {
  const wheel = Math.round((it.load ?? 0) / it.axles / 2)
  const gap = Math.round((it.length * 0.7) / it.axles)
  return {
    sequence,
    createdAt: new Date(it.at).toISOString(),
    laneNumber: it.lane,
    plateLpr: it.plate,
    nationality: it.nationality,
    speed: it.speed,
    vehLength: it.length,
    ctg8p1: it.ctg8p1,
    ctg323: it.ctg323,
    axles:
      it.load === null
        ? null
        : Array.from({ length: it.axles }, (_, at) => ({ leftWeight: wheel, rightWeight: wheel, gap: at && gap })),
  }
}
