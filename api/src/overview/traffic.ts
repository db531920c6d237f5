import type { OverviewStation } from '@rogatka/contract/overview.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { comparableEnds, QUARTER_MS, quarterOf, quartersAround } from '@rogatka/domain/overview/comparable.ts'
import {
  type Counts,
  hourUntil,
  overloadedPercent,
  type QuarterHistory,
  unusualSide,
  usualOverloadedPercent,
  usualVehicles,
  withoutOutages,
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
  return { minute: new Date(minute), quarter: new Date(quarterOf(minute)) }
}

export async function readTraffic(db: Database, now: Date): Promise<RecentTraffic> {
  const ends = hourEnds(now)
  return { ends, counts: new Map((await recentCounts(db, ends)).map((row) => [row.locationId, row])) }
}

/** Reads the hours that are comparable with those that end in this quarter of an hour or the next one. */
export async function readHistories(db: Database, now: Date): Promise<Histories> {
  const quarter = hourEnds(now).quarter.getTime()
  const ends = [0, 1, 2].flatMap((later) => comparableEnds(quarter + later * QUARTER_MS))
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
const NO_VEHICLES = { vehicles: 0, weighed: 0, overloaded: 0, untilQuarter: 0, lastQuarter: 0, quarterBefore: 0 }

/**
 * Compares recent traffic with the usual one. Returns the figures of a station; those of a silent one contain only the
 * usual values. `now`: only used without recent traffic.
 */
export function compareTraffic(
  recent: RecentTraffic | undefined,
  histories: Histories | undefined,
  now: Date,
): (locationId: number, isSilent: boolean) => Figures {
  const { minute, quarter } = recent?.ends ?? hourEnds(now)
  const untilMinute = comparableEnds(minute.getTime())
  const untilQuarter = comparableEnds(quarter.getTime())
  const figures = new Map<string, Figures>()
  const compute = (locationId: number, isSilent: boolean): Figures => {
    const history = histories?.get(locationId) ?? UNKNOWN_HISTORY
    const hours = withoutOutages(untilMinute, history).map((end) => hourUntil(end, history))
    const usual = usualVehicles(hours.map(({ vehicles }) => vehicles))
    const usualPercent = usualOverloadedPercent(hours)
    if (!recent || isSilent)
      return {
        perHour: { vehicles: null, usual, unusual: null },
        overloaded: { weighed: null, percent: null, usual: usualPercent },
      }
    const counts = recent.counts.get(locationId) ?? NO_VEHICLES
    const ends = withoutOutages(untilQuarter, history)
    const compared = (vehicles: number, inPast: (end: number) => number | undefined) => ({
      vehicles,
      usual: usualVehicles(ends.map((end) => inPast(end) ?? 0)),
    })
    const unusual = unusualSide(
      compared(counts.untilQuarter, (end) => hourUntil(end, history).vehicles),
      [
        compared(counts.lastQuarter, (end) => history.get(end - QUARTER_MS)?.vehicles),
        compared(counts.quarterBefore, (end) => history.get(end - 2 * QUARTER_MS)?.vehicles),
      ],
    )
    return {
      perHour: { vehicles: counts.vehicles, usual, unusual },
      overloaded: { weighed: counts.weighed, percent: overloadedPercent(counts), usual: usualPercent },
    }
  }
  return (locationId, isSilent) => {
    const key = `${locationId} ${isSilent}`
    const found = figures.get(key) ?? compute(locationId, isSilent)
    figures.set(key, found)
    return found
  }
}
