import type { HealthEvidence, HealthKind } from '@rogatka/contract/tickets.ts'
import { comparePeriod, meanAndVariance } from '@rogatka/domain/calibration/statistics.ts'
import { DAY_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import {
  evaluateClock,
  evaluateDeviation,
  evaluateShare,
  evaluateSilence,
  MISSING_IMAGES,
  SLOTS,
  UNREADABLE_PLATES,
} from '@rogatka/domain/tickets/health.ts'
import { firstAxles, lastFinishes } from '../calibration/public-api.ts'
import type { Database, Pool } from '../core/database.ts'
import { locations } from '../locations/public-api.ts'
import {
  type CheckKey,
  type CheckResult,
  lastOnLane,
  learntAt,
  openFailures,
  qualityOfLastHour,
  recentTraffic,
  rejectedAhead,
  stationAges,
  stationsWithCameras,
  updateTypicalTraffic,
  usualTraffic,
} from './health-queries.ts'
import { applyCheckResults } from './health-tickets.ts'

const LEARN_EVERY_MS = 15 * MINUTE_MS
const LOOK_BACK_MS = 30 * MINUTE_MS
const RECENT_MS = 10 * MINUTE_MS
/** Of a check of the whole station. */
const STATION = 0

const NOTHING: HealthEvidence = {
  lastVehicleTime: null,
  silentMinutes: null,
  expectedVehicles: null,
  vehicles: null,
  sharePercent: null,
  clockSeconds: null,
  deviationPercent: null,
}

const keyOf = ({ locationId, laneNumber, kind }: CheckKey) => `${locationId} ${laneNumber} ${kind}`

/** Tells of a check whether it was bad when it was last made. */
async function memory(db: Database): Promise<(locationId: number, laneNumber: number, kind: HealthKind) => boolean> {
  const bad = new Set((await openFailures(db)).map(keyOf))
  return (locationId, laneNumber, kind) => bad.has(keyOf({ locationId, laneNumber, kind }))
}

/** Looks for stations and lanes on which nothing passes although much usually does; every minute. */
export async function checkSilence(db: Pool, organization: string | null, now: Date): Promise<void> {
  const learnt = await learntAt(db)
  if (!learnt || now.getTime() - learnt.getTime() >= LEARN_EVERY_MS) await updateTypicalTraffic(db, now)
  const usual = new Map<string, (number | null)[]>()
  for (const { locationId, laneNumber, slot, vehicles } of await usualTraffic(db)) {
    const lane = `${locationId} ${laneNumber}`
    if (!usual.has(lane)) usual.set(lane, Array<number | null>(SLOTS).fill(null))
    ;(usual.get(lane) as (number | null)[])[slot] = vehicles
  }
  const before = (ms: number) => new Date(now.getTime() - ms)
  const recent = new Map(
    (await recentTraffic(db, before(LOOK_BACK_MS), before(RECENT_MS), now)).map((one) => [
      `${one.locationId} ${one.laneNumber}`,
      one,
    ]),
  )
  const ages = await stationAges(db)
  const wasBad = await memory(db)
  const verdicts: CheckResult[] = []
  for (const { id: locationId, lanes } of await locations(db)) {
    const flows = await Promise.all(
      lanes.map(async ({ laneNumber }) => {
        const lane = `${locationId} ${laneNumber}`
        const seen = recent.get(lane)
        return {
          laneNumber,
          lastVehicleTime: seen?.lastVehicleTime ?? (await lastOnLane(db, locationId, laneNumber, now)),
          recent: seen?.recent ?? 0,
          usual: usual.get(lane) ?? [null],
        }
      }),
    )
    const addedAt = ages.get(locationId)
    const together = { ...togetherOf(flows), ...(addedAt && { addedAt }) }
    const station = evaluateSilence(together, wasBad(locationId, STATION, 'station-silent'), now)
    const add = (laneNumber: number, kind: HealthKind, { state, evidence }: typeof station) =>
      verdicts.push({ locationId, laneNumber, kind, state, evidence: { ...NOTHING, ...evidence } })
    add(STATION, 'station-silent', station)
    for (const flow of flows) {
      const lane = evaluateSilence(flow, wasBad(locationId, flow.laneNumber, 'lane-silent'), now)
      // Of a station that says nothing at all its lanes say nothing either.
      add(flow.laneNumber, 'lane-silent', station.state === 'bad' ? { ...lane, state: 'unknown' } : lane)
    }
  }
  await applyCheckResults(db, verdicts, organization, now)
}

type Flow = { lastVehicleTime: Date | null; recent: number; usual: (number | null)[] }

/** All lanes as one. */
function togetherOf(flows: readonly Flow[]): Flow {
  const times = flows.flatMap(({ lastVehicleTime }) => lastVehicleTime?.getTime() ?? [])
  return {
    lastVehicleTime: times.length > 0 ? new Date(Math.max(...times)) : null,
    recent: flows.reduce((sum, flow) => sum + flow.recent, 0),
    usual: Array.from({ length: SLOTS }, (_, slot) => {
      const known = flows.flatMap((flow) => flow.usual[slot] ?? [])
      return known.length > 0 ? known.reduce((sum, one) => sum + one, 0) : null
    }),
  }
}

/** Looks at what the vehicles of the last hour lack: pictures, plates, the right time; every quarter of an hour. */
export async function watchQuality(db: Pool, organization: string | null, now: Date): Promise<void> {
  const quality = new Map((await qualityOfLastHour(db, now)).map((one) => [one.locationId, one]))
  const ahead = new Map((await rejectedAhead(db, now)).map((one) => [one.locationId, one.seconds]))
  const wasBad = await memory(db)
  const verdicts: CheckResult[] = []
  for (const { locationId, hasImages, hasPlates } of await stationsWithCameras(db, now)) {
    const found = quality.get(locationId)
    const add = (kind: HealthKind, judged: { state: CheckResult['state']; evidence: Partial<HealthEvidence> }) =>
      verdicts.push({ locationId, laneNumber: STATION, kind, ...judged, evidence: { ...NOTHING, ...judged.evidence } })
    if (hasImages) {
      const share = { of: found?.withoutImages ?? 0, vehicles: found?.settled ?? 0 }
      add('images-missing', evaluateShare(share, MISSING_IMAGES, wasBad(locationId, STATION, 'images-missing')))
    }
    if (hasPlates) {
      const share = { of: found?.unread ?? 0, vehicles: found?.vehicles ?? 0 }
      add(
        'plates-unreadable',
        evaluateShare(share, UNREADABLE_PLATES, wasBad(locationId, STATION, 'plates-unreadable')),
      )
    }
    const clock = {
      vehicles: found?.arrived ?? 0,
      fastestSeconds: found?.fastestSeconds ?? null,
      rejectedAheadSeconds: ahead.get(locationId) ?? null,
    }
    add('clock-skew', evaluateClock(clock))
  }
  await applyCheckResults(db, verdicts, organization, now)
}

/** Compares the first axles of the last week with the references of the lanes; every hour. */
export async function watchCalibration(db: Pool, organization: string | null, now: Date): Promise<void> {
  const ids = (await locations(db)).map(({ id }) => id)
  const week = await firstAxles(db, ids, [new Date(now.getTime() - 7 * DAY_MS)], now)
  const wasBad = await memory(db)
  const verdicts = (await lastFinishes(db, ids, now)).map(({ locationId, laneNumber, reference }): CheckResult => {
    const loads = week.find((one) => one.locationId === locationId && one.laneNumber === laneNumber)
    const { counter, deviationFromReference } = comparePeriod(
      loads ?? { vehicles: 0, sum: 0, squares: 0 },
      reference && meanAndVariance(reference),
    )
    const measured = { vehicles: counter, deviationPercent: reference && deviationFromReference }
    const judged = evaluateDeviation(measured, wasBad(locationId, laneNumber, 'calibration-deviation'))
    return {
      locationId,
      laneNumber,
      kind: 'calibration-deviation',
      state: judged.state,
      evidence: { ...NOTHING, ...judged.evidence },
    }
  })
  await applyCheckResults(db, verdicts, organization, now)
}
