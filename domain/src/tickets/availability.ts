import type { DayState } from '@rogatka/contract/tickets-health.ts'
import { DAY_MS, type Interval, MINUTE_MS } from '../core/time.ts'
import { dayOf, fromWarsaw, toWarsaw } from '../core/warsaw.ts'

/** Sorted and disjoint; ends exclusive. */
type Intervals = readonly Interval[]

const isNotEmpty = ({ from, to }: Interval): boolean => from < to

/** The parts of the intervals that none of the others covers. */
function without(intervals: Intervals, removed: Intervals): Interval[] {
  return removed.filter(isNotEmpty).reduce(
    (rest, { from, to }) =>
      rest.flatMap((interval) =>
        from >= interval.to || to <= interval.from
          ? interval
          : [
              { from: interval.from, to: from },
              { from: to, to: interval.to },
            ].filter(isNotEmpty),
      ),
    intervals.filter(isNotEmpty),
  )
}

const lengthOf = (intervals: Intervals): number =>
  intervals.reduce((sum, { from, to }) => sum + to.getTime() - from.getTime(), 0)

const fullMinutes = (ms: number): number => Math.floor(ms / MINUTE_MS)

/** Start of an outage of the connection: the last vehicle before it, as the connection broke at some unknown time after that. */
export const outageStart = (begunAt: Date, lastVehicleTime: Date | null): Date =>
  lastVehicleTime && lastVehicleTime < begunAt ? lastVehicleTime : begunAt

type StationTime = {
  /** When the station began to send; null: it never did. */
  since: Date | null
  /** Failures of the connection; they may overlap. */
  outages: Intervals
  /** Planned stops: the station was closed. */
  stops: Intervals
  /** When nobody watched. */
  gaps: Intervals
}

export type Availability = {
  /** Full minutes that count: from the first vehicle to now, without planned stops and what nobody watched. */
  countedMinutes: number
  /** Of these without an outage of the connection. */
  normalMinutes: number
  /** Minutes of planned stops, and those that nobody watched. */
  stoppedMinutes: number
  unwatchedMinutes: number
  /** Rounded down to a tenth: 100 means no outage at all. Null: no minute counts. */
  percent: number | null
}

/** The share of counted time, in percent, rounded down to a tenth; null if none counts. */
export const percentOf = (normal: number, counted: number): number | null =>
  counted > 0 ? Math.floor((normal * 1_000) / counted) / 10 : null

/** Share of the time of a month up to now in which the connection of a station was normal. */
export function availabilityOf({ since, outages, stops, gaps }: StationTime, month: Interval, now: Date): Availability {
  const { watched, running, inMonth } = countedTime(since, { stops, gaps }, month, now)
  const normal = without(watched, outages)
  return {
    countedMinutes: fullMinutes(lengthOf(watched)),
    normalMinutes: fullMinutes(lengthOf(normal)),
    stoppedMinutes: fullMinutes(lengthOf(inMonth) - lengthOf(running)),
    unwatchedMinutes: fullMinutes(lengthOf(running) - lengthOf(watched)),
    percent: percentOf(lengthOf(normal), lengthOf(watched)),
  }
}

function countedTime(
  since: Date | null,
  { stops, gaps }: Pick<StationTime, 'stops' | 'gaps'>,
  month: Interval,
  now: Date,
) {
  const inMonth = since
    ? [{ from: since > month.from ? since : month.from, to: now < month.to ? now : month.to }].filter(isNotEmpty)
    : []
  const running = without(inMonth, stops)
  return { inMonth, running, watched: without(running, gaps) }
}

type StationDays = {
  /** When the station was added. */
  addedAt: Date
  since: Date | null
  /** Failures of any kind. */
  failures: Intervals
  stops: Intervals
  gaps: Intervals
  /** Polish dates of days whose measurements were not as they should be. */
  attention: ReadonlySet<string>
}

/** The Polish days of a month that have begun, the first instant of each. */
function daysOf(month: Interval, now: Date): Interval[] {
  const end = Math.min(month.to.getTime(), now.getTime())
  const days: Interval[] = []
  for (let from = month.from.getTime(); from < end; ) {
    const to = fromWarsaw(dayOf(toWarsaw(from)) + DAY_MS)
    days.push({ from: new Date(from), to: new Date(to) })
    from = to
  }
  return days
}

const overlaps = (day: Interval, intervals: Intervals): boolean =>
  intervals.some(({ from, to }) => from < day.to && to > day.from)

/** The worst state of each day of a month up to now. A failure counts on each day it lasts, outside planned stops. */
export function stateOfDays(station: StationDays, month: Interval, now: Date): DayState[] {
  const { addedAt, since, failures, stops, gaps, attention } = station
  const { watched } = countedTime(since, { stops, gaps }, month, now)
  const failing = without(failures, stops)
  const waiting = since === null ? without([{ from: addedAt, to: now }], [...stops, ...gaps]) : []
  return daysOf(month, now).map((day) => {
    if (overlaps(day, failing)) return 'failure'
    const date = new Date(toWarsaw(day.from.getTime())).toISOString().slice(0, 10)
    if (attention.has(date) || overlaps(day, waiting)) return 'attention'
    return overlaps(day, watched) ? 'normal' : 'none'
  })
}
