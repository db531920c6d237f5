import type { HealthKind } from '@rogatka/contract/tickets.ts'
import type { HealthEvidence } from '@rogatka/contract/tickets-health.ts'
import { comparePeriod, meanAndVariance } from '@rogatka/domain/calibration/statistics.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import {
  evaluateClock,
  evaluateDeviation,
  evaluateNoData,
  evaluateShare,
  MISSING_IMAGES,
  SLOTS,
  UNREADABLE_PLATES,
} from '@rogatka/domain/tickets/health.ts'
import { type Finish, firstAxlesSince, lastFinishes } from '../calibration/public-api.ts'
import type { Database, Pool } from '../core/database.ts'
import { lastReopenings, openLocations, stationClosures } from '../locations/public-api.ts'
import {
  closeFailuresOfClosedStations,
  deleteQualityBefore,
  listFailures,
  measuredUntil,
  recordWatch,
  saveQualityHour,
  watchGaps,
  watchTimes,
} from './availability-queries.ts'
import {
  type CheckKey,
  type CheckResult,
  type Failure,
  findQuality,
  findQualityOfLastHour,
  lastOnLane,
  MAX_IMAGE_DELAY_MS,
  openFailures,
  recentTraffic,
  rejectedAhead,
  stationAges,
  stationsWithCameras,
  typicalTraffic,
  typicalTrafficSince,
  typicalTrafficUpdatedAt,
  type UnknownTime,
  updateTypicalTraffic,
} from './health-queries.ts'
import { applyCheckResults, closeFailures } from './health-tickets.ts'

const TYPICAL_TRAFFIC_INTERVAL_MS = 15 * MINUTE_MS
const LOOKBACK_MS = 30 * MINUTE_MS
const RECENT_MS = 10 * MINUTE_MS
/** Lane number of a check of the whole station. */
const STATION = 0

const NO_EVIDENCE: HealthEvidence = {
  lastVehicleTime: null,
  silentMinutes: null,
  expectedVehicles: null,
  vehicles: null,
  sharePercent: null,
  clockSeconds: null,
  deviationPercent: null,
}

const keyOf = ({ locationId, laneNumber, kind }: CheckKey) => `${locationId} ${laneNumber} ${kind}`

/** Returns a function that tells whether a check has an open failure. */
async function loadFailureLookup(
  db: Database,
): Promise<(locationId: number, laneNumber: number, kind: HealthKind) => boolean> {
  const failing = new Set((await openFailures(db)).map(keyOf))
  return (locationId, laneNumber, kind) => failing.has(keyOf({ locationId, laneNumber, kind }))
}

/** Checks for stations and lanes without vehicles despite typical traffic; every minute. */
export async function checkNoData(db: Pool, organization: string | null, now: Date): Promise<void> {
  await recordWatch(db, now)
  await closeFailuresOfClosedStations(db, now)
  const { since, sinceLastGap } = await watchTimes(db)
  const reopenings = await lastReopenings(db)
  const updatedAt = await typicalTrafficUpdatedAt(db)
  if (!updatedAt || now.getTime() - updatedAt.getTime() >= TYPICAL_TRAFFIC_INTERVAL_MS)
    await updateTypicalTraffic(db, { watchedSince: since, unknown: await unknownTimes(db, now) }, now)
  const typical = new Map<string, (number | null)[]>()
  for (const { locationId, laneNumber, slot, vehicles } of await typicalTraffic(db)) {
    const lane = `${locationId} ${laneNumber}`
    if (!typical.has(lane)) typical.set(lane, Array<number | null>(SLOTS).fill(null))
    ;(typical.get(lane) as (number | null)[])[slot] = vehicles
  }
  const before = (ms: number) => new Date(now.getTime() - ms)
  const recent = new Map(
    (await recentTraffic(db, before(LOOKBACK_MS), before(RECENT_MS), now)).map((lane) => [
      `${lane.locationId} ${lane.laneNumber}`,
      lane,
    ]),
  )
  const ages = await stationAges(db)
  const wasFailing = await loadFailureLookup(db)
  const results: CheckResult[] = []
  for (const { id: locationId, lanes, lastVehicleTime } of await openLocations(db)) {
    // A station needs some time to send again after an interruption that is none of its own.
    const watchedSince = latestOf(sinceLastGap, reopenings.get(locationId))
    const flows = await Promise.all(
      lanes.map(async ({ laneNumber }) => {
        const lane = `${locationId} ${laneNumber}`
        const laneTraffic = recent.get(lane)
        return {
          laneNumber,
          lastVehicleTime:
            // Without it the station never sent, whatever was imported.
            laneTraffic?.lastVehicleTime ?? (lastVehicleTime && (await lastOnLane(db, locationId, laneNumber, now))),
          recent: laneTraffic?.recent ?? 0,
          typical: typical.get(lane) ?? [null],
          watchedSince,
        }
      }),
    )
    const addedAt = ages.get(locationId)
    const ofLanes = combineFlows(flows)
    const combined = {
      ...ofLanes,
      // Longer ago than lanes are looked up.
      lastVehicleTime: ofLanes.lastVehicleTime ?? lastVehicleTime,
      watchedSince,
      ...(addedAt && { addedAt }),
    }
    const station = evaluateNoData(combined, wasFailing(locationId, STATION, 'station-silent'), now)
    const add = (laneNumber: number, kind: HealthKind, { state, evidence }: typeof station) =>
      results.push({ locationId, laneNumber, kind, state, evidence: { ...NO_EVIDENCE, ...evidence } })
    add(STATION, 'station-silent', station)
    for (const flow of flows) {
      const lane = evaluateNoData(flow, wasFailing(locationId, flow.laneNumber, 'lane-silent'), now)
      // If the whole station is silent, the state of its lanes is unknown.
      add(flow.laneNumber, 'lane-silent', station.state === 'bad' ? { ...lane, state: 'unknown' } : lane)
    }
  }
  await applyCheckResults(db, results, organization, now)
}

/** When the portal did not watch in the last weeks, and stations were closed or without data. */
async function unknownTimes(db: Database, now: Date): Promise<UnknownTime[]> {
  const interval = { from: typicalTrafficSince(now), to: now }
  const [gaps, closures, failures] = [
    await watchGaps(db, interval),
    await stationClosures(db, interval),
    await listFailures(db, interval),
  ]
  const outages = failures.filter(({ kind }) => kind === 'station-silent')
  return [
    ...gaps.map((gap) => ({ ...gap, locationId: null })),
    ...closures.map(({ locationId, closedAt, reopenedAt }) => ({ locationId, from: closedAt, to: reopenedAt ?? now })),
    ...outages.map(({ locationId, lastVehicleTime, begunAt, endedAt }) => ({
      locationId,
      from: lastVehicleTime ?? begunAt,
      to: endedAt ?? now,
    })),
  ]
}

type Flow = { lastVehicleTime: Date | null; recent: number; typical: (number | null)[] }

const latestOf = (...times: (Date | null | undefined)[]): Date | undefined =>
  times.filter((time) => time != null).sort((a, b) => b.getTime() - a.getTime())[0]

/** Combines the flows of all lanes. */
function combineFlows(flows: readonly Flow[]): Flow {
  const times = flows.flatMap(({ lastVehicleTime }) => lastVehicleTime?.getTime() ?? [])
  return {
    lastVehicleTime: times.length > 0 ? new Date(Math.max(...times)) : null,
    recent: flows.reduce((sum, flow) => sum + flow.recent, 0),
    typical: Array.from({ length: SLOTS }, (_, slot) => {
      const rates = flows.flatMap((flow) => flow.typical[slot] ?? [])
      return rates.length > 0 ? rates.reduce((sum, rate) => sum + rate, 0) : null
    }),
  }
}

/** Checks the last hour for missing images, unread plates and clock skew; every 15 minutes. */
export async function checkQuality(db: Pool, organization: string | null, now: Date): Promise<void> {
  const { since } = await watchTimes(db)
  await sumUpHours(db, since, now)
  // Stations first send the vehicles that they stored, which says nothing about their clocks.
  const isStarting = since !== null && now.getTime() - since.getTime() < START_MS
  const quality = new Map((await findQualityOfLastHour(db, now)).map((row) => [row.locationId, row]))
  const ahead = new Map((await rejectedAhead(db, now)).map((row) => [row.locationId, row.seconds]))
  const wasFailing = await loadFailureLookup(db)
  const results: CheckResult[] = []
  for (const { locationId, hasImages, hasPlates } of await stationsWithCameras(db, now)) {
    const found = quality.get(locationId)
    const add = (kind: HealthKind, result: { state: CheckResult['state']; evidence: Partial<HealthEvidence> }) =>
      results.push({
        locationId,
        laneNumber: STATION,
        kind,
        ...result,
        evidence: { ...NO_EVIDENCE, ...result.evidence },
      })
    if (hasImages) {
      const share = { faulty: found?.withoutImages ?? 0, vehicles: found?.imagesDue ?? 0 }
      add('images-missing', evaluateShare(share, MISSING_IMAGES, wasFailing(locationId, STATION, 'images-missing')))
    }
    if (hasPlates) {
      const share = { faulty: found?.unread ?? 0, vehicles: found?.vehicles ?? 0 }
      add(
        'plates-unreadable',
        evaluateShare(share, UNREADABLE_PLATES, wasFailing(locationId, STATION, 'plates-unreadable')),
      )
    }
    const clock = {
      vehicles: found?.arrived ?? 0,
      fastestSeconds: isStarting ? null : (found?.fastestSeconds ?? null),
      rejectedAheadSeconds: ahead.get(locationId) ?? null,
    }
    add('clock-skew', evaluateClock(clock))
  }
  await applyCheckResults(db, results, organization, now)
}

/** Clocks are not evaluated for this time after the portal began to monitor stations. */
const START_MS = 15 * MINUTE_MS
/** Maximum number of past hours summed up after an interruption. */
const MAX_MISSED_HOURS = 24
/** As long as an availability can be looked up, and some days more. */
const KEPT_QUALITY_MS = 800 * DAY_MS

/** Sums up what stations sent in each hour that has ended, of those in which the portal watched them. */
async function sumUpHours(db: Pool, since: Date | null, now: Date): Promise<void> {
  const end = Math.floor((now.getTime() - MAX_IMAGE_DELAY_MS) / HOUR_MS) * HOUR_MS
  const done = (await measuredUntil(db))?.getTime() ?? 0
  const watchedFrom = Math.ceil((since?.getTime() ?? 0) / HOUR_MS) * HOUR_MS
  for (let at = Math.max(done, watchedFrom, end - MAX_MISSED_HOURS * HOUR_MS); at < end; at += HOUR_MS) {
    const hour = { from: new Date(at), to: new Date(at + HOUR_MS) }
    const rows = await findQuality(db, hour, now)
    await db.transaction((db) => saveQualityHour(db, hour, rows))
  }
  if (end > done) await deleteQualityBefore(db, new Date(now.getTime() - KEPT_QUALITY_MS))
}

/** Compares the first axle loads of the last week since the calibration of each lane with its reference; every hour. */
export async function checkCalibration(db: Pool, organization: string | null, now: Date): Promise<void> {
  const ids = (await openLocations(db)).map(({ id }) => id)
  const finishes = await lastFinishes(db, ids, now)
  const weekAgo = now.getTime() - 7 * DAY_MS
  const sinceOf = ({ finishedAt }: Finish) => new Date(Math.max(finishedAt.getTime(), weekAgo))
  const lanes = finishes.map((finish) => ({ ...finish, since: sinceOf(finish) }))
  const week = await firstAxlesSince(db, lanes, now)
  const ended = (await openFailures(db)).filter(
    (failure) => ids.includes(failure.locationId) && isOfEarlierCalibration(failure, finishes),
  )
  await closeFailures(db, ended, organization, now)
  const wasFailing = await loadFailureLookup(db)
  const withoutFinish = ended.filter((failure) => !finishes.some((finish) => isSameLane(finish, failure)))
  const evaluated = [...finishes, ...withoutFinish.map((lane) => ({ ...lane, reference: null }))]
  const results = evaluated.map(({ locationId, laneNumber, reference }): CheckResult => {
    const loads = week.find((lane) => isSameLane(lane, { locationId, laneNumber }))
    const { counter, deviationFromReference } = comparePeriod(
      loads ?? { vehicles: 0, sum: 0, squares: 0 },
      reference && meanAndVariance(reference),
    )
    const measured = { vehicles: counter, deviationPercent: reference && deviationFromReference }
    const result = evaluateDeviation(measured, wasFailing(locationId, laneNumber, CALIBRATION))
    return {
      locationId,
      laneNumber,
      kind: CALIBRATION,
      state: result.state,
      evidence: { ...NO_EVIDENCE, ...result.evidence },
    }
  })
  await applyCheckResults(db, results, organization, now)
}

const CALIBRATION = 'calibration-deviation'

type LaneKey = { locationId: number; laneNumber: number }

const isSameLane = (a: LaneKey, b: LaneKey) => a.locationId === b.locationId && a.laneNumber === b.laneNumber

/**
 * Whether the deviation was found from a reference that no longer applies: the lane was calibrated since, this was recorded
 * since, or no calibration with a measured reference is left.
 */
function isOfEarlierCalibration(failure: Failure, finishes: readonly Finish[]): boolean {
  if (failure.kind !== CALIBRATION) return false
  const finish = finishes.find((finish) => isSameLane(finish, failure))
  return !finish?.reference || finish.finishedAt > failure.begunAt || finish.enteredAt > failure.begunAt
}
