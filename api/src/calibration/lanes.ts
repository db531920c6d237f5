import { setImmediate } from 'node:timers/promises'
import {
  type Calibration,
  type CalibrationHours,
  type CalibrationPeriod,
  type CalibrationReference,
  calibrationHours,
  laneId,
} from '@rogatka/contract/calibration.ts'
import type { Location } from '@rogatka/contract/locations.ts'
import { MAX_PERIODS_TOGETHER } from '@rogatka/contract/statistics.ts'
import { comparePeriod, meanAndVariance, REFERENCE_DAYS, referenceOf } from '@rogatka/domain/calibration/statistics.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { estimatePeriods, periodsOf } from '@rogatka/domain/statistics/periods.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { locations as allLocations } from '../locations/public-api.ts'
import { finishesBetween } from './finish-queries.ts'
import {
  type Calibrated,
  type Finish,
  firstAxles,
  freezeReferences,
  lastFinishes,
  withoutReference,
} from './queries.ts'

/** A lane that had too few vehicles in its days gets no reference any more; late ones may come for so long. */
const FREEZE_WITHIN_DAYS = 30
/** A chart of deviations has about so many points. */
const POINTS = 60

export type CalibrationAnswer = {
  starts: Date[]
  lanes: {
    location: Location
    laneNumber: number
    /** Unique over all locations. */
    id: number
    reference: CalibrationReference
    /** Finish dates within the range, the first first. */
    finishes: Date[]
    periods: CalibrationPeriod[]
  }[]
}

type CalibrationQuery = { from: Date; to: Date; hours: CalibrationHours; locations: readonly number[] }

/** The finest resolution that gives a chart of this range no more points than are good for it. */
export const resolutionFor = (from: Date, to: Date): CalibrationHours =>
  calibrationHours.find((hours) => (to.getTime() - from.getTime()) / (hours * 3_600_000) <= POINTS) ?? 168

/**
 * Checks what is asked, and finds its locations and the starts of its periods.
 * @throws a refusal when the range is reversed or has too many periods, or a location is unknown
 */
export async function planCalibration(db: Database, question: CalibrationQuery) {
  const { from, to, hours } = question
  const wanted = [...new Set(question.locations)]
  if (from > to) throw new Refusal('start-after-end', 422, 'dateTimeStart')
  const resolution = { unit: 'hour', value: hours } as const
  if (estimatePeriods(from, to, resolution) * wanted.length > MAX_PERIODS_TOGETHER) {
    throw new Refusal('too-many-periods', 422, 'statResolutionValue')
  }
  return { wanted, locations: await knownLocations(db, wanted), starts: periodsOf(from, to, resolution) }
}

/**
 * Judges every lane with a scale of these locations, period by period. A location at which nothing was in the sample
 * is left out. Ends early once `signal` aborts.
 * @throws as `planCalibration` does
 */
export async function evaluateLanes(
  db: Database,
  question: CalibrationQuery,
  signal?: AbortSignal,
): Promise<CalibrationAnswer> {
  const { from, to } = question
  const { wanted, locations, starts } = await planCalibration(db, question)
  const loads = new Map<string, Map<number, (typeof sampled)[number]>>()
  const sampled = await firstAxles(db, wanted, starts, to)
  for (const one of sampled) {
    const lane = `${one.locationId} ${one.laneNumber}`
    if (!loads.has(lane)) loads.set(lane, new Map())
    loads.get(lane)?.set(one.period, one)
  }
  const finishes = new Map(
    (await finishesWithReferences(db, wanted, to)).map((one) => [`${one.locationId} ${one.laneNumber}`, one]),
  )
  const withinRange = Map.groupBy(
    await finishesBetween(db, wanted, from, to),
    ({ locationId, laneNumber }) => `${locationId} ${laneNumber}`,
  )

  const lanes: CalibrationAnswer['lanes'] = []
  for (const location of locations) {
    if (!sampled.some(({ locationId }) => locationId === location.id)) continue
    await setImmediate()
    signal?.throwIfAborted()
    for (const { laneNumber, accuracyClass } of location.lanes) {
      const lane = `${location.id} ${laneNumber}`
      const counted = loads.get(lane)
      if (!accuracyClass && !counted) continue
      const finish = finishes.get(lane) ?? null
      const reference = finish?.reference ? meanAndVariance(finish.reference) : null
      lanes.push({
        location,
        laneNumber,
        id: laneId(location.id, laneNumber),
        reference: referenceOf(reference, finish),
        finishes: (withinRange.get(lane) ?? []).map(({ finishedAt }) => finishedAt),
        periods: starts.map((dateTime, period) => ({
          dateTime,
          ...comparePeriod(counted?.get(period) ?? { vehicles: 0, sum: 0, squares: 0 }, reference),
        })),
      })
    }
  }
  return { starts, lanes }
}

/** The locations of these ids, in their order. */
export async function knownLocations(db: Database, ids: readonly number[]): Promise<Location[]> {
  const known = new Map((await allLocations(db)).map((location) => [location.id, location]))
  return ids.map((id) => {
    const location = known.get(id)
    if (!location) throw new Refusal('location-not-found', 404, 'locations')
    return location
  })
}

/** The last calibrations, after those references were made for which there are vehicles enough by now. */
export async function finishesWithReferences(
  db: Database,
  locations: readonly number[],
  before: Date,
): Promise<Finish[]> {
  const found = await lastFinishes(db, locations, before)
  const waiting = found.filter(({ reference }) => reference === null)
  if (waiting.length === 0) return found
  await freezeAll(db, waiting)
  return lastFinishes(db, locations, before)
}

/** Makes the references of the last weeks' calibrations. */
export async function freezeRecentReferences(db: Database, now: Date): Promise<void> {
  await freezeAll(db, await withoutReference(db, new Date(now.getTime() - FREEZE_WITHIN_DAYS * DAY_MS)))
}

async function freezeAll(db: Database, calibrated: readonly Calibrated[]): Promise<void> {
  const moments = new Map(calibrated.map((one) => [`${one.locationId} ${one.finishedAt.getTime()}`, one]))
  for (const one of moments.values()) {
    await freezeReferences(db, one, new Date(one.finishedAt.getTime() + REFERENCE_DAYS * DAY_MS))
  }
}

/** The lanes by location, as they travel. */
export function byLocation(answer: CalibrationAnswer, graphs: readonly (string | null)[]): Calibration[] {
  const found = new Map<number, Calibration>()
  for (const [i, { location, laneNumber, id, reference, finishes, periods }] of answer.lanes.entries()) {
    const { id: locationId, shortName } = location
    if (!found.has(locationId)) found.set(locationId, { location: { id: locationId, shortName }, lanes: [] })
    const lane = { id, laneNumber }
    found.get(locationId)?.lanes.push({ lane, graphBase64: graphs[i] ?? null, reference, finishes, periods })
  }
  return [...found.values()]
}
