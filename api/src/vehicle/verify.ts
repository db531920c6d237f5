import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { MIN_SLOWNESS_SPEED, measuredSpeed, overspeedRange, speedRange } from '@rogatka/domain/statistics/ranges.ts'
import { type Pool, SNAPSHOT } from '../core/database.ts'
import { extentOf } from '../core/partitions.ts'
import {
  type HourOfTraffic,
  hoursOfTraffic,
  type Passed,
  passedVehicles,
  trafficTimeRange,
} from '../statistics/public-api.ts'

type Difference = { key: string; stored: HourOfTraffic | null; recounted: HourOfTraffic | null }
type Verified = { vehicles: number; rows: number; differences: Difference[] }

/**
 * Recounts the hourly roll-up against the vehicles, a day at a time, each day in one snapshot: whoever writes
 * meanwhile writes both. Hours whose vehicles are no longer kept are left out.
 */
export async function verifyRollUp(db: Pool): Promise<Verified> {
  const verified: Verified = { vehicles: 0, rows: 0, differences: [] }
  const kept = await extentOf(db, 'vehicle')
  const times = kept && (await trafficTimeRange(db, kept.from))
  if (!times) return verified
  for (let from = times.from; from <= times.to; from = new Date(from.getTime() + DAY_MS)) {
    const to = new Date(from.getTime() + DAY_MS)
    const [hours, passed] = await db.transaction(
      async (db) => [await hoursOfTraffic(db, from, to), await passedVehicles(db, from, to)],
      { mode: SNAPSHOT },
    )
    const [stored, recounted] = [byKey(hours), recount(passed)]
    for (const key of new Set([...stored.keys(), ...recounted.keys()])) {
      const [is, should] = [stored.get(key) ?? null, recounted.get(key) ?? null]
      verified.rows++
      verified.vehicles += should?.vehicles ?? 0
      if (!is || !should || !isSame(is, should)) verified.differences.push({ key, stored: is, recounted: should })
    }
  }
  return verified
}

const keyOf = (h: HourOfTraffic) =>
  [h.locationId, h.hour.toISOString(), h.laneNumber, h.ctg8p1, h.violations, h.speedRange, h.overspeedRange].join(' ')

const byKey = (hours: readonly HourOfTraffic[]) => new Map(hours.map((hour) => [keyOf(hour), hour]))

const isSame = (a: HourOfTraffic, b: HourOfTraffic) =>
  (Object.keys(b) as (keyof HourOfTraffic)[]).every((field) => String(a[field]) === String(b[field]))

/** The database knows speeds and limits; their ranges are the domain's. */
function recount(passed: readonly Passed[]): Map<string, HourOfTraffic> {
  const hours = new Map<string, HourOfTraffic>()
  for (const some of passed) {
    const hour = hourOf(some)
    const before = hours.get(keyOf(hour))
    hours.set(keyOf(hour), before ? together(before, hour) : hour)
  }
  return hours
}

function hourOf({ speed: sent, speedLimit, ...passed }: Passed): HourOfTraffic {
  const speed = measuredSpeed(sent)
  const speeds = speed === null ? 0 : passed.vehicles
  return {
    ...passed,
    speedRange: speedRange(speed),
    overspeedRange: overspeedRange(speed, speedLimit),
    speeds,
    speedSum: speeds * (speed ?? 0),
    speedMin: speed,
    speedMax: speed,
    slownessSum: speeds * Math.round(1_000_000 / Math.max(MIN_SLOWNESS_SPEED, speed ?? MIN_SLOWNESS_SPEED)),
  }
}

const together = (a: HourOfTraffic, b: HourOfTraffic): HourOfTraffic => ({
  ...a,
  vehicles: a.vehicles + b.vehicles,
  speeds: a.speeds + b.speeds,
  speedSum: a.speedSum + b.speedSum,
  speedMin: extreme(Math.min, a.speedMin, b.speedMin),
  speedMax: extreme(Math.max, a.speedMax, b.speedMax),
  slownessSum: a.slownessSum + b.slownessSum,
  loads: a.loads + b.loads,
  loadSum: a.loadSum + b.loadSum,
  loadMin: extreme(Math.min, a.loadMin, b.loadMin),
  loadMax: extreme(Math.max, a.loadMax, b.loadMax),
})

const extreme = (pick: (a: number, b: number) => number, a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : pick(a, b)
