import { setImmediate } from 'node:timers/promises'
import {
  type Calibration,
  type CalibrationPeriod,
  type CalibrationReference,
  laneId,
} from '@rogatka/contract/calibration.ts'
import type { Location } from '@rogatka/contract/locations.ts'
import { type CalibrationHours, calibrationHours } from '@rogatka/contract/options.ts'
import { MAX_PERIODS_TOGETHER } from '@rogatka/contract/statistics.ts'
import { comparePeriod, meanAndVariance, REFERENCE_DAYS, referenceOf } from '@rogatka/domain/calibration/statistics.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { estimatePeriods, periodsOf } from '@rogatka/domain/statistics/periods.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { locations as allLocations } from '../locations/public-api.ts'
import { finishesBetween } from './finish-queries.ts'
import {
  type CalibrationTime,
  type Finish,
  firstAxles,
  freezeReferences,
  lastFinishes,
  listWithoutReference,
} from './queries.ts'

/** A lane with too few vehicles gets no reference after this time; late vehicles count until then. */
const FREEZE_WITHIN_DAYS = 30
/** Approximate number of points of a deviation chart. */
const MAX_POINTS = 60

export type CalibrationResult = {
  starts: Date[]
  lanes: {
    location: Location
    laneNumber: number
    /** Unique over all locations. */
    id: number
    reference: CalibrationReference
    /** Finish dates within the range, oldest first. */
    finishes: Date[]
    periods: CalibrationPeriod[]
  }[]
}

type CalibrationQuery = { from: Date; to: Date; hours: CalibrationHours; locations: readonly number[] }

/** The finest resolution with at most MAX_POINTS points in a chart of this range. */
export const resolutionFor = (from: Date, to: Date): CalibrationHours =>
  calibrationHours.find((hours) => (to.getTime() - from.getTime()) / (hours * 3_600_000) <= MAX_POINTS) ?? 168

/**
 * Validates the query and returns its locations and the starts of its periods.
 * @throws Refusal if the range is reversed or has too many periods, or a location is unknown
 */
export async function planCalibration(db: Database, query: CalibrationQuery) {
  const { from, to, hours } = query
  const locationIds = [...new Set(query.locations)]
  if (from > to) throw new Refusal('start-after-end', 422, 'dateTimeStart')
  const resolution = { unit: 'hour', value: hours } as const
  if (estimatePeriods(from, to, resolution) * locationIds.length > MAX_PERIODS_TOGETHER) {
    throw new Refusal('too-many-periods', 422, 'statResolutionValue')
  }
  return {
    locationIds,
    locations: await findLocations(db, locationIds),
    starts: periodsOf(from, to, resolution),
  }
}

/**
 * Evaluates every lane with a scale, period by period. Locations without sampled vehicles are omitted. Stops when
 * `signal` aborts.
 * @throws as `planCalibration` does
 */
export async function evaluateLanes(
  db: Database,
  query: CalibrationQuery,
  signal?: AbortSignal,
): Promise<CalibrationResult> {
  const { from, to } = query
  const { locationIds, locations, starts } = await planCalibration(db, query)
  const loads = new Map<string, Map<number, (typeof sampled)[number]>>()
  const sampled = await firstAxles(db, locationIds, starts, to)
  for (const sample of sampled) {
    const lane = `${sample.locationId} ${sample.laneNumber}`
    if (!loads.has(lane)) loads.set(lane, new Map())
    loads.get(lane)?.set(sample.period, sample)
  }
  const finishes = new Map(
    (await finishesWithReferences(db, locationIds, to)).map((finish) => [
      `${finish.locationId} ${finish.laneNumber}`,
      finish,
    ]),
  )
  const withinRange = Map.groupBy(
    await finishesBetween(db, locationIds, from, to),
    ({ locationId, laneNumber }) => `${locationId} ${laneNumber}`,
  )

  const lanes: CalibrationResult['lanes'] = []
  for (const location of locations) {
    if (!sampled.some(({ locationId }) => locationId === location.id)) continue
    await setImmediate()
    signal?.throwIfAborted()
    for (const { laneNumber, accuracyClass } of location.lanes) {
      const lane = `${location.id} ${laneNumber}`
      const byPeriod = loads.get(lane)
      if (!accuracyClass && !byPeriod) continue
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
          ...comparePeriod(byPeriod?.get(period) ?? { vehicles: 0, sum: 0, squares: 0 }, reference),
        })),
      })
    }
  }
  return { starts, lanes }
}

/**
 * The locations with these ids, in this order.
 * @throws 404 if one is unknown
 */
export async function findLocations(db: Database, ids: readonly number[]): Promise<Location[]> {
  const byId = new Map((await allLocations(db)).map((location) => [location.id, location]))
  return ids.map((id) => {
    const location = byId.get(id)
    if (!location) throw new Refusal('location-not-found', 404, 'locations')
    return location
  })
}

/** The last calibrations, after creating those of their references that have enough vehicles by now. */
export async function finishesWithReferences(
  db: Database,
  locations: readonly number[],
  before: Date,
): Promise<Finish[]> {
  const found = await lastFinishes(db, locations, before)
  const pending = found.filter(({ reference }) => reference === null)
  if (pending.length === 0) return found
  await freezeEach(db, pending)
  return lastFinishes(db, locations, before)
}

/** Creates the references of recent calibrations. */
export async function freezeRecentReferences(db: Database, now: Date): Promise<void> {
  await freezeEach(db, await listWithoutReference(db, new Date(now.getTime() - FREEZE_WITHIN_DAYS * DAY_MS)))
}

async function freezeEach(db: Database, calibrated: readonly CalibrationTime[]): Promise<void> {
  const times = new Map(calibrated.map((time) => [`${time.locationId} ${time.finishedAt.getTime()}`, time]))
  for (const time of times.values()) {
    await freezeReferences(db, time, new Date(time.finishedAt.getTime() + REFERENCE_DAYS * DAY_MS))
  }
}

/** The lanes by location, as in the API. */
export function groupByLocation(result: CalibrationResult, graphs: readonly (string | null)[]): Calibration[] {
  const found = new Map<number, Calibration>()
  for (const [i, { location, laneNumber, id, reference, finishes, periods }] of result.lanes.entries()) {
    const { id: locationId, shortName } = location
    if (!found.has(locationId)) found.set(locationId, { location: { id: locationId, shortName }, lanes: [] })
    const lane = { id, laneNumber }
    found.get(locationId)?.lanes.push({ lane, graphBase64: graphs[i] ?? null, reference, finishes, periods })
  }
  return [...found.values()]
}
