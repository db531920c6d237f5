import type { OverviewStation } from '@rogatka/contract/overview.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { comparableEnds, QUARTER_MS, quarterOf, quartersAround } from '@rogatka/domain/overview/comparable.ts'
import {
  type Counts,
  comparableHours,
  overloadedPercent,
  type QuarterHistory,
  unusualSide,
  usualOverloadedPercent,
  usualVehicles,
} from '@rogatka/domain/overview/usual.ts'
import type { Database } from '../core/database.ts'
import { type HourEnds, quarterRows, type RecentCounts, recentCounts } from './queries.ts'

/** What all stations counted recently, by station. */
export type RecentTraffic = { ends: HourEnds; counts: ReadonlyMap<number, RecentCounts> }

/** What stations counted in earlier hours that are comparable with the recent ones, by station. */
export type Histories = ReadonlyMap<number, QuarterHistory>

type Figures = Pick<OverviewStation, 'perHour' | 'overloaded'>

function hourEnds(now: Date): HourEnds {
  const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS
  const quarter = quarterOf(minute)
  return { minute: new Date(minute), quarter: new Date(quarter), quarterBefore: new Date(quarter - QUARTER_MS) }
}

export async function readTraffic(db: Database, now: Date): Promise<RecentTraffic> {
  const ends = hourEnds(now)
  return { ends, counts: new Map((await recentCounts(db, ends)).map((row) => [row.locationId, row])) }
}

/** Reads the hours that are comparable with those of this quarter of an hour and the next one. */
export async function readHistories(db: Database, now: Date): Promise<Histories> {
  const quarter = hourEnds(now).quarter.getTime()
  const ends = [-1, 0, 1, 2].flatMap((later) => comparableEnds(quarter + later * QUARTER_MS))
  const starts = [...new Set(ends.flatMap(quartersAround))].sort((a, b) => a - b)
  const histories = new Map<number, Map<number, Counts>>()
  for (const [at, locationId, vehicles, weighed, overloaded] of await quarterRows(db, starts)) {
    const history = histories.get(locationId) ?? new Map<number, Counts>()
    histories.set(locationId, history)
    history.set(at, { vehicles, weighed, overloaded })
  }
  return histories
}

const UNKNOWN_HISTORY: QuarterHistory = new Map()
const NO_VEHICLES = { vehicles: 0, weighed: 0, overloaded: 0, untilQuarter: 0, untilQuarterBefore: 0 }

/**
 * Compares recent traffic with the usual one. Returns the figures of a station; those of a silent one contain only the
 * usual values. `now`: only used without recent traffic.
 */
export function compareTraffic(
  recent: RecentTraffic | undefined,
  histories: Histories | undefined,
  now: Date,
): (locationId: number, isSilent: boolean) => Figures {
  const { minute, quarter, quarterBefore } = recent?.ends ?? hourEnds(now)
  const [comparable, untilQuarter, untilQuarterBefore] = [minute, quarter, quarterBefore].map((end) =>
    comparableEnds(end.getTime()),
  ) as [number[], number[], number[]]
  const figures = new Map<string, Figures>()
  const compute = (locationId: number, isSilent: boolean): Figures => {
    const history = histories?.get(locationId) ?? UNKNOWN_HISTORY
    const hours = comparableHours(comparable, history)
    const usual = { vehicles: usualVehicles(hours), percent: usualOverloadedPercent(hours) }
    if (!recent || isSilent)
      return {
        perHour: { vehicles: null, usual: usual.vehicles, unusual: null },
        overloaded: { weighed: null, percent: null, usual: usual.percent },
      }
    const counts = recent.counts.get(locationId) ?? NO_VEHICLES
    const until = (vehicles: number, ends: readonly number[]) => ({
      vehicles,
      usual: usualVehicles(comparableHours(ends, history)),
    })
    const unusual = unusualSide(
      until(counts.untilQuarter, untilQuarter),
      until(counts.untilQuarterBefore, untilQuarterBefore),
    )
    return {
      perHour: { vehicles: counts.vehicles, usual: usual.vehicles, unusual },
      overloaded: { weighed: counts.weighed, percent: overloadedPercent(counts), usual: usual.percent },
    }
  }
  return (locationId, isSilent) => {
    const key = `${locationId} ${isSilent}`
    const found = figures.get(key) ?? compute(locationId, isSilent)
    figures.set(key, found)
    return found
  }
}
