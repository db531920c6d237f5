import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import type { AccuracyClass } from '@rogatka/contract/locations.ts'
import type { Detection, SimulatedStation } from './detection.ts'
import { ctg8p1Of, ctg323Of } from './kinds.ts'
import { readingOf } from './plates.ts'
import { type Random, trafficRandom } from './random.ts'
import { profileOf } from './shape.ts'
import { heightOf } from './vehicle-shape.ts'

/** COST 323 tolerances of gross weight and single axle, percent, within which 95 % of readings lie (docs/domain.md). */
const TOLERANCES: Record<AccuracyClass, { gross: number; axle: number }> = {
  'A(5)': { gross: 5, axle: 8 },
  'B+(7)': { gross: 7, axle: 11 },
  'B(10)': { gross: 10, axle: 15 },
  'C(15)': { gross: 15, axle: 20 },
  'D+(20)': { gross: 20, axle: 25 },
  'D(25)': { gross: 25, axle: 30 },
}

/** A scale that passed its class is better than its class: so much of the permitted scatter is used. */
const USED = 0.7

/**
 * Deviations of one reading: a part that all axles of a vehicle share (speed, temperature) and a part of each axle
 * (bouncing), such that gross weight and single axles scatter as the class permits.
 */
const scatterOf = (accuracyClass: AccuracyClass): { vehicle: number; axle: number } => {
  const { gross, axle } = TOLERANCES[accuracyClass]
  const [grossDeviation, singleDeviation] = [(USED * gross) / 196, (USED * axle) / 196]
  // Of the axles' own parts about a quarter of the variance is left in the sum of a lorry's axles.
  const own = Math.sqrt(Math.max(0, (singleDeviation ** 2 - grossDeviation ** 2) / 0.75))
  return { vehicle: Math.sqrt(Math.max(0, singleDeviation ** 2 - own ** 2)), axle: own }
}

/** Of every six stations, one has a first lane whose scale visibly drifts. */
const isDrifting = (locationId: number, laneNumber: number): boolean => locationId % 6 === 2 && laneNumber === 1

const DAY = 86_400_000

/** Temperature moves every lane by so much, back and forth in so many days. */
const SWING = { size: 0.01, days: 42 }
/** So much more a drifting scale reads with every day since its calibration: over 7 % within eight days. */
const WEAR = { perDay: 0.009, most: 0.12 }

/** What a lane's scale reads for a true 1. A calibration takes the wear of the drifting lane away. */
export const driftOf = ({ location: { id }, calibratedAt }: SimulatedStation, laneNumber: number, at: Date): number => {
  const phase = trafficRandom(`drift:${id}:${laneNumber}`).next()
  const swing = SWING.size * Math.sin(2 * Math.PI * (at.getTime() / DAY / SWING.days + phase))
  const last = Math.max(...calibratedAt.filter((calibrated) => calibrated <= at).map((calibrated) => +calibrated))
  const wear = Number.isFinite(last) ? Math.min(WEAR.most, (WEAR.perDay * (+at - last)) / DAY) : 0
  return 1 + swing + (isDrifting(id, laneNumber) ? wear : 0)
}

const weightsOf = (passage: Detection, accuracyClass: AccuracyClass, drift: number, random: Random) => {
  const scatter = scatterOf(accuracyClass)
  const common = drift * random.normal(1, scatter.vehicle)
  // Roads fall to the right: the right wheels carry a little more. Astride two lanes one side misses much of the scale.
  const left = passage.overlane ? random.between(0.2, 0.32) : random.normal(0.49, 0.012)
  return passage.axleLoads.map((load) => {
    const read = load * common * random.normal(1, scatter.axle)
    const side = Math.min(0.9, Math.max(0.1, random.normal(left, 0.012)))
    return { leftWeight: Math.round(read * side), rightWeight: Math.round(read * (1 - side)) }
  })
}

const axlesOf = (passage: Detection, accuracyClass: AccuracyClass, drift: number, random: Random) =>
  weightsOf(passage, accuracyClass, drift, random).map((weights, i) => ({
    ...weights,
    gap: i === 0 ? 0 : Math.max(30, Math.round((passage.vehicle.form.gaps[i - 1] ?? 0) * random.normal(1, 0.004))),
  }))

/** How often the classifier gives up. */
const UNCLASSIFIED = 0.01

/**
 * What the station measures of a passage: noise by the accuracy class of its lane, drift, misreadings. A lane without a
 * scale sees plate, speed and form, but neither weights nor axles.
 */
export const measured = (passage: Detection, site: SimulatedStation): WireMeasurement => {
  const { vehicle, sequence, at, laneNumber } = passage
  const { form } = vehicle
  const { id, lanes } = site.location
  const random = trafficRandom(`measure:${id}:${sequence}`)
  const accuracyClass = lanes.find((lane) => lane.laneNumber === laneNumber)?.accuracyClass?.name
  const plateLpr = readingOf(vehicle.plate, random)
  const classified = !random.happens(UNCLASSIFIED)
  return {
    sequence,
    createdAt: at.toISOString(),
    laneNumber,
    plateLpr,
    nationality: plateLpr === null ? null : vehicle.nationality,
    speed: Math.max(0, Math.round(passage.speed * random.normal(1, 0.004))),
    vehLength: Math.max(100, Math.round(form.length + random.normal(0, 8))),
    vehHeight: Math.round(heightOf(form) + random.normal(0, 1.2)),
    ctg8p1: classified ? ctg8p1Of[form.kind] : 6,
    ctg323: classified ? ctg323Of(form.kind, form.layout) : null,
    wrongDirection: passage.wrongDirection,
    overlane: passage.overlane,
    axles: accuracyClass ? axlesOf(passage, accuracyClass, driftOf(site, laneNumber, at), random) : null,
    shapeSamples: profileOf(form).map((height) => Math.max(0, Math.round(height + random.normal(0, 1)))),
    euro: plateLpr === null ? null : vehicle.euro,
  }
}
