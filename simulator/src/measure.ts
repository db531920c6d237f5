import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import type { AccuracyClass } from '@rogatka/contract/locations.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Detection, SimulatedStation } from './detection.ts'
import { ctg8p1Of, ctg323Of } from './kinds.ts'
import { readingOf } from './plates.ts'
import { type Random, trafficRandom } from './random.ts'
import { profileOf } from './shape.ts'
import { heightOf } from './vehicle-shape.ts'

/** COST 323 tolerances of gross weight and single axle, in percent, met by 95 % of readings (docs/domain.md). */
const TOLERANCES: Record<AccuracyClass, { gross: number; axle: number }> = {
  'A(5)': { gross: 5, axle: 8 },
  'B+(7)': { gross: 7, axle: 11 },
  'B(10)': { gross: 10, axle: 15 },
  'C(15)': { gross: 15, axle: 20 },
  'D+(20)': { gross: 20, axle: 25 },
  'D(25)': { gross: 25, axle: 30 },
}

/** Share of the permitted deviation that a scale uses: one that passed its class is better than the class. */
const USED_SHARE = 0.7

/**
 * Relative standard deviations of a reading: common to all axles of a vehicle (speed, temperature) and per axle
 * (bouncing), such that gross weight and single axles meet the tolerances of the class.
 */
const scatterOf = (accuracyClass: AccuracyClass): { vehicle: number; axle: number } => {
  const { gross, axle } = TOLERANCES[accuracyClass]
  const [grossDeviation, singleDeviation] = [(USED_SHARE * gross) / 196, (USED_SHARE * axle) / 196]
  // About a quarter of the variance per axle remains in the gross weight of a lorry.
  const own = Math.sqrt(Math.max(0, (singleDeviation ** 2 - grossDeviation ** 2) / 0.75))
  return { vehicle: Math.sqrt(Math.max(0, singleDeviation ** 2 - own ** 2)), axle: own }
}

/** On one station of six the scale of lane 1 drifts visibly. */
const isDrifting = (locationId: number, laneNumber: number): boolean => locationId % 6 === 2 && laneNumber === 1

/** Temperature drift of every lane: relative amplitude and period. */
const SWING = { size: 0.01, days: 42 }
/** Relative drift of a drifting scale since its calibration: over 7 % within eight days. */
const WEAR = { perDay: 0.009, max: 0.12 }

/** Ratio of measured to true weight of a lane. A calibration resets the wear of a drifting scale. */
export const driftOf = ({ location: { id }, calibratedAt }: SimulatedStation, laneNumber: number, at: Date): number => {
  const phase = trafficRandom(`drift:${id}:${laneNumber}`).next()
  const swing = SWING.size * Math.sin(2 * Math.PI * (at.getTime() / DAY_MS / SWING.days + phase))
  const last = Math.max(...calibratedAt.filter((calibrated) => calibrated <= at).map((calibrated) => +calibrated))
  const wear = Number.isFinite(last) ? Math.min(WEAR.max, (WEAR.perDay * (+at - last)) / DAY_MS) : 0
  return 1 + swing + (isDrifting(id, laneNumber) ? wear : 0)
}

const weightsOf = (detection: Detection, accuracyClass: AccuracyClass, drift: number, random: Random) => {
  const scatter = scatterOf(accuracyClass)
  const common = drift * random.normal(1, scatter.vehicle)
  // Crossfall to the right: the right wheels carry slightly more. Astride two lanes, one side misses most of the scale.
  const left = detection.overlane ? random.between(0.2, 0.32) : random.normal(0.49, 0.012)
  return detection.axleLoads.map((load) => {
    const read = load * common * random.normal(1, scatter.axle)
    const side = Math.min(0.9, Math.max(0.1, random.normal(left, 0.012)))
    return { leftWeight: Math.round(read * side), rightWeight: Math.round(read * (1 - side)) }
  })
}

const axlesOf = (detection: Detection, accuracyClass: AccuracyClass, drift: number, random: Random) =>
  weightsOf(detection, accuracyClass, drift, random).map((weights, i) => ({
    ...weights,
    gap: i === 0 ? 0 : Math.max(30, Math.round((detection.vehicle.form.gaps[i - 1] ?? 0) * random.normal(1, 0.004))),
  }))

/** Share of unclassified vehicles. */
const UNCLASSIFIED = 0.01

/**
 * Measures a vehicle, with noise by the accuracy class of its lane, drift and misread plates. Axles are null on a lane
 * without a scale.
 */
export const measure = (detection: Detection, site: SimulatedStation): WireMeasurement => {
  const { vehicle, sequence, at, laneNumber } = detection
  const { form } = vehicle
  const { id, lanes } = site.location
  const random = trafficRandom(`measure:${id}:${sequence}`)
  const accuracyClass = lanes.find((lane) => lane.laneNumber === laneNumber)?.accuracyClass?.name
  const plateLpr = readingOf(vehicle.plate, random)
  const isClassified = !random.happens(UNCLASSIFIED)
  return {
    sequence,
    createdAt: at.toISOString(),
    laneNumber,
    plateLpr,
    nationality: plateLpr === null ? null : vehicle.nationality,
    speed: Math.max(0, Math.round(detection.speed * random.normal(1, 0.004))),
    vehLength: Math.max(100, Math.round(form.length + random.normal(0, 8))),
    vehHeight: Math.round(heightOf(form) + random.normal(0, 1.2)),
    ctg8p1: isClassified ? ctg8p1Of[form.kind] : 6,
    ctg323: isClassified ? ctg323Of(form.kind, form.layout) : null,
    wrongDirection: detection.wrongDirection,
    overlane: detection.overlane,
    axles: accuracyClass ? axlesOf(detection, accuracyClass, driftOf(site, laneNumber, at), random) : null,
    shapeSamples: profileOf(form).map((height) => Math.max(0, Math.round(height + random.normal(0, 1)))),
    euro: plateLpr === null ? null : vehicle.euro,
  }
}
