import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { MIN_DENSITY_SPEED, measuredSpeed, overspeedRange, speedRange } from '@rogatka/domain/statistics/ranges.ts'
import { type Pool, SNAPSHOT } from '../core/database.ts'
import { extentOf } from '../core/partitions.ts'
import {
  type HourOfTraffic,
  hoursOfTraffic,
  trafficTimeRange,
  type VehicleGroup,
  vehicleGroups,
} from '../statistics/public-api.ts'

type Difference = { key: string; stored: HourOfTraffic | null; recounted: HourOfTraffic | null }
type VerificationResult = { vehicles: number; rows: number; differences: Difference[] }

/**
 * Recounts the hourly roll-up from the vehicles, one snapshot per day, so that concurrent writes are seen consistently.
 * Hours of deleted vehicles are skipped.
 */
export async function verifyRollUp(db: Pool): Promise<VerificationResult> {
  const result: VerificationResult = { vehicles: 0, rows: 0, differences: [] }
  const extent = await extentOf(db, 'vehicle')
  const times = extent && (await trafficTimeRange(db, extent.from))
  if (!times) return result
  for (let from = times.from; from <= times.to; from = new Date(from.getTime() + DAY_MS)) {
    const to = new Date(from.getTime() + DAY_MS)
    const [hours, groups] = await db.transaction(
      async (db) => [await hoursOfTraffic(db, from, to), await vehicleGroups(db, from, to)],
      { mode: SNAPSHOT },
    )
    const [stored, recounted] = [byKey(hours), recount(groups)]
    for (const key of new Set([...stored.keys(), ...recounted.keys()])) {
      const [actual, expected] = [stored.get(key) ?? null, recounted.get(key) ?? null]
      result.rows++
      result.vehicles += expected?.vehicles ?? 0
      if (!actual || !expected || !isSame(actual, expected))
        result.differences.push({ key, stored: actual, recounted: expected })
    }
  }
  return result
}

const keyOf = (h: HourOfTraffic) =>
  [h.locationId, h.hour.toISOString(), h.laneNumber, h.ctg8p1, h.violations, h.speedRange, h.overspeedRange].join(' ')

const byKey = (hours: readonly HourOfTraffic[]) => new Map(hours.map((hour) => [keyOf(hour), hour]))

const isSame = (a: HourOfTraffic, b: HourOfTraffic) =>
  (Object.keys(b) as (keyof HourOfTraffic)[]).every((field) => String(a[field]) === String(b[field]))

/** The database groups by speed and limit; ranges are computed by the domain. */
function recount(groups: readonly VehicleGroup[]): Map<string, HourOfTraffic> {
  const hours = new Map<string, HourOfTraffic>()
  for (const group of groups) {
    const hour = hourOf(group)
    const before = hours.get(keyOf(hour))
    hours.set(keyOf(hour), before ? addHours(before, hour) : hour)
  }
  return hours
}

function hourOf({ speed: sent, speedLimit, ...group }: VehicleGroup): HourOfTraffic {
  const speed = measuredSpeed(sent)
  const speeds = speed === null ? 0 : group.vehicles
  return {
    ...group,
    speedRange: speedRange(speed),
    overspeedRange: overspeedRange(speed, speedLimit),
    speeds,
    speedSum: speeds * (speed ?? 0),
    speedMin: speed,
    speedMax: speed,
    inverseSpeedSum: speeds * Math.round(1_000_000 / Math.max(MIN_DENSITY_SPEED, speed ?? MIN_DENSITY_SPEED)),
  }
}

const addHours = (a: HourOfTraffic, b: HourOfTraffic): HourOfTraffic => ({
  ...a,
  vehicles: a.vehicles + b.vehicles,
  speeds: a.speeds + b.speeds,
  speedSum: a.speedSum + b.speedSum,
  speedMin: extreme(Math.min, a.speedMin, b.speedMin),
  speedMax: extreme(Math.max, a.speedMax, b.speedMax),
  inverseSpeedSum: a.inverseSpeedSum + b.inverseSpeedSum,
  loads: a.loads + b.loads,
  loadSum: a.loadSum + b.loadSum,
  loadMin: extreme(Math.min, a.loadMin, b.loadMin),
  loadMax: extreme(Math.max, a.loadMax, b.loadMax),
})

const extreme = (pick: (a: number, b: number) => number, a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : pick(a, b)
