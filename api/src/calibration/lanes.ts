import { setImmediate } from 'node:timers/promises'
import {
  type Calibration,
  type CalibrationPeriod,
  type CalibrationReference,
  REFERENCE_VEHICLES,
} from '@rogatka/contract/calibration.ts'
import type { Location } from '@rogatka/contract/locations.ts'
import { type CalibrationHours, calibrationHours, laneId } from '@rogatka/contract/options.ts'
import { MAX_PERIODS_TOGETHER } from '@rogatka/contract/statistics.ts'
import {
  comparePeriod,
  meanAndVariance,
  REFERENCE_DAYS,
  referenceOf,
  sectionsOf,
} from '@rogatka/domain/calibration/statistics.ts'
import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { estimatePeriods, periodsOf } from '@rogatka/domain/statistics/periods.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { locations as allLocations } from '../locations/public-api.ts'
import {
  type CalibrationTime,
  countSamples,
  type Finish,
  finishesInForce,
  firstAxles,
  freezeReferences,
  type LaneCalibration,
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
    sections: { firstPeriod: number; reference: CalibrationReference }[]
    periods: CalibrationPeriod[]
  }[]
}

type CalibrationQuery = { from: Date; to: Date; hours: CalibrationHours; locations: readonly number[] }

/** The finest resolution with at most MAX_POINTS points in a chart of this range. */
export const resolutionFor = (from: Date, to: Date): CalibrationHours =>
  calibrationHours.find((hours) => (to.getTime() - from.getTime()) / (hours * HOUR_MS) <= MAX_POINTS) ?? 168

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
  const sampled = await firstAxles(db, locationIds, starts, to)
  const loads = new Map<string, Map<number, (typeof sampled)[number]>>()
  for (const sample of sampled) {
    const key = `${sample.locationId} ${sample.laneNumber}`
    if (!loads.has(key)) loads.set(key, new Map())
    loads.get(key)?.set(sample.period, sample)
  }
  const finishes = Map.groupBy(
    await finishesWithReferences(db, locationIds, { from, to }),
    ({ locationId, laneNumber }) => `${locationId} ${laneNumber}`,
  )

  const lanes: CalibrationResult['lanes'] = []
  for (const location of locations) {
    if (!sampled.some(({ locationId }) => locationId === location.id)) continue
    await setImmediate()
    signal?.throwIfAborted()
    for (const { laneNumber, accuracyClass } of location.lanes) {
      const key = `${location.id} ${laneNumber}`
      const byPeriod = loads.get(key)
      if (!accuracyClass && !byPeriod) continue
      const inForce = finishes.get(key) ?? []
      const isEarlier = (inForce[0]?.finishedAt ?? from) < from
      // The first section is that of the last calibration before the range, or of none.
      const sectionReferences = (isEarlier ? inForce : [null, ...inForce]).map((finish) => {
        const sample = finish?.reference ? meanAndVariance(finish.reference) : null
        return { sample, reference: referenceOf(sample, finish) }
      })
      const finishesInRange = (isEarlier ? inForce.slice(1) : inForce).map(({ finishedAt }) => finishedAt)
      const sectionOfPeriod = sectionsOf(starts, to, finishesInRange)
      const sections = sectionReferences.flatMap(({ reference }, section) => {
        const firstPeriod = sectionOfPeriod.indexOf(section)
        return firstPeriod < 0 ? [] : [{ firstPeriod, reference }]
      })
      lanes.push({
        location,
        laneNumber,
        id: laneId(location.id, laneNumber),
        reference: (sectionReferences.at(-1) as (typeof sectionReferences)[number]).reference,
        finishes: finishesInRange,
        sections,
        periods: starts.map((dateTime, period) => ({
          dateTime,
          ...comparePeriod(
            byPeriod?.get(period) ?? { vehicles: 0, sum: 0, squares: 0 },
            sectionReferences[sectionOfPeriod[period] ?? 0]?.sample ?? null,
          ),
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

/**
 * The calibrations in force in the range, after creating those of their references that have enough vehicles by now;
 * with the vehicles collected so far for the others.
 */
export async function finishesWithReferences(
  db: Database,
  locations: readonly number[],
  range: { from: Date; to: Date },
): Promise<(Finish & { collected: number })[]> {
  const find = () => finishesInForce(db, locations, range)
  const found = await find()
  const { collected, due } = await countCollected(
    db,
    found.filter(({ reference }) => reference === null),
  )
  await freezeEach(db, due)
  return (due.length > 0 ? await find() : found).map((finish) => ({
    ...finish,
    collected: finish.reference?.vehicles ?? collected(finish),
  }))
}

/** Counts the sampled vehicles of each lane for its reference; `due`: the calibrations that have enough for one. */
export async function countCollected(db: Database, calibrated: readonly LaneCalibration[]) {
  const keyOf = ({ locationId, laneNumber, finishedAt }: LaneCalibration) =>
    `${locationId} ${laneNumber} ${finishedAt.getTime()}`
  const counts = await countSamples(db, distinctTimes(calibrated), referenceEnd)
  const byKey = new Map(counts.map((count) => [keyOf(count), count.collected]))
  const collected = (finish: LaneCalibration) => byKey.get(keyOf(finish)) ?? 0
  return { collected, due: calibrated.filter((finish) => collected(finish) === REFERENCE_VEHICLES) }
}

/** The end of the time whose vehicles make up the reference of a calibration, unless the lane is calibrated earlier. */
export const referenceEnd = ({ finishedAt }: Pick<CalibrationTime, 'finishedAt'>) =>
  new Date(finishedAt.getTime() + REFERENCE_DAYS * DAY_MS)

/** Creates the references of recent calibrations. */
export async function freezeRecentReferences(db: Database, now: Date): Promise<void> {
  await freezeEach(db, await listWithoutReference(db, new Date(now.getTime() - FREEZE_WITHIN_DAYS * DAY_MS)))
}

/** One of the calibrations of each location and time. */
const distinctTimes = <T extends CalibrationTime>(calibrated: readonly T[]): T[] => [
  ...new Map(calibrated.map((time) => [`${time.locationId} ${time.finishedAt.getTime()}`, time])).values(),
]

/** Creates the references of these calibrations for which there are enough vehicles. */
export async function freezeEach(db: Database, calibrated: readonly CalibrationTime[]): Promise<void> {
  for (const time of distinctTimes(calibrated)) {
    await freezeReferences(db, time, referenceEnd(time))
  }
}

/** The lanes by location, as in the API. */
export function groupByLocation(result: CalibrationResult, graphs: readonly (string | null)[]): Calibration[] {
  const found = new Map<number, Calibration>()
  for (const [i, { location, laneNumber, id, reference, finishes, sections, periods }] of result.lanes.entries()) {
    const { id: locationId, shortName } = location
    if (!found.has(locationId)) found.set(locationId, { location: { id: locationId, shortName }, lanes: [] })
    const lane = { id, laneNumber }
    found.get(locationId)?.lanes.push({ lane, graphBase64: graphs[i] ?? null, reference, finishes, sections, periods })
  }
  return [...found.values()]
}
