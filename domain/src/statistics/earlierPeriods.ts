import type { Comparison } from '@rogatka/contract/options.ts'
import { DAY_MS, HOUR_MS } from '../core/time.ts'
import { fromWarsaw, monthOf, startOfMonth, toWarsaw } from '../core/warsaw.ts'
import type { Resolution } from './periods.ts'

const WEEK_MS = 7 * DAY_MS
/** 52 weeks: a year earlier on the same weekday. */
const WEEKS_OF_YEAR = 52
const MONTHS_OF_YEAR = 12

/**
 * The periods that an earlier range has at the same local times. `starts` are in order, each up to the next one or to
 * `end`; `periods` are the indices of the periods that they belong to, null for a gap between two of them.
 */
export type EarlierPeriods = { starts: Date[]; periods: (number | null)[]; end: Date }

/** Whether periods of this resolution are of equal length, rather than of local time. */
const isOfEqualLength = ({ unit, value }: Resolution) =>
  unit === 'minute' ? value <= 60 : unit === 'hour' && value === 1

/**
 * Periods of minutes, hours and days are compared with those a number of whole weeks earlier, so that weekdays match, and
 * of months and years with those a number of whole months earlier: as few as possible without an overlap, with `year` at
 * least 52 weeks or 12 months. Local times that the earlier range lacks, or had already, have no earlier period: those of
 * the changes of the clock. Of a range that is not over at `now` the rest is compared with nothing.
 */
export function earlierPeriods(
  starts: readonly Date[],
  end: Date,
  resolution: Resolution,
  comparison: Comparison,
  now: Date,
): EarlierPeriods {
  const first = starts[0]
  const result: EarlierPeriods = { starts: [], periods: [], end }
  if (!first) return result
  const shift = shiftOf(first, end, resolution, comparison)
  const fixed = isOfEqualLength(resolution)
  let last = Number.NEGATIVE_INFINITY
  for (const [period, start] of starts.entries()) {
    if (start >= now) break
    const wholeEnd = starts[period + 1] ?? end
    const next = wholeEnd < now ? wholeEnd : now
    const local = shift(toWarsaw(start.getTime()))
    const from = fromWarsaw(local)
    const to = fixed ? from + next.getTime() - start.getTime() : fromWarsaw(shift(toWarsaw(next.getTime())))
    const exists = toWarsaw(from) === local
    if (!exists || from < last || to <= from) continue
    if (from > last && result.starts.length > 0) {
      result.starts.push(new Date(last))
      result.periods.push(null)
    }
    result.starts.push(new Date(from))
    result.periods.push(period)
    last = to
  }
  return { ...result, end: result.starts.length > 0 ? new Date(last) : end }
}

/** Function that shifts a local time to the earlier range. */
function shiftOf(from: Date, end: Date, { unit }: Resolution, comparison: Comparison): (local: number) => number {
  const [start, to] = [toWarsaw(from.getTime()), toWarsaw(end.getTime())]
  if (unit !== 'month' && unit !== 'year') {
    const weeks = Math.max(comparison === 'year' ? WEEKS_OF_YEAR : 1, Math.ceil((to - start) / WEEK_MS))
    return (local) => local - weeks * WEEK_MS
  }
  const step = comparison === 'year' || unit === 'year' ? MONTHS_OF_YEAR : 1
  let months = step
  while (monthsLater(start, months) < to) months += step
  return (local) => monthsLater(local, -months)
}

/** The same day and time of another month, or the start of the month after it if that has no such day. */
function monthsLater(local: number, months: number): number {
  const { year, month } = monthOf(local)
  const target = startOfMonth(year, month + months)
  const next = startOfMonth(year, month + months + 1)
  return Math.min(next, target + local - startOfMonth(year, month))
}

/** Local hours of a filter; an empty list is no filter. Weekdays from 0, Monday. */
type HourFilter = { hours: readonly number[]; weekdays: readonly number[] }

const isCountedHour = (local: number, { hours, weekdays }: HourFilter) =>
  (hours.length === 0 || hours.includes(new Date(local).getUTCHours())) &&
  (weekdays.length === 0 || weekdays.includes((new Date(local).getUTCDay() + 6) % 7))

/** Hours of a period, those at its ends in part: start and length, ms. */
function* hoursIn(start: number, end: number): Generator<[at: number, length: number]> {
  for (let at = start; at < end; ) {
    const next = Math.min(end, (Math.floor(at / HOUR_MS) + 1) * HOUR_MS)
    yield [at, next - at]
    at = next
  }
}

/** Lengths of periods, ms, of which only some hours and weekdays are counted. */
export const countedLengths = (starts: readonly Date[], end: Date, filter: HourFilter): number[] =>
  starts.map((start, period) => {
    let length = 0
    for (const [at, part] of hoursIn(start.getTime(), (starts[period + 1] ?? end).getTime()))
      if (isCountedHour(toWarsaw(at), filter)) length += part
    return length
  })

/** Whether some hour of each period is counted; unlike `countedLengths` fast for long periods. */
export const haveCountedHours = (starts: readonly Date[], end: Date, filter: HourFilter): boolean[] =>
  starts.map((start, period) =>
    hoursIn(start.getTime(), (starts[period + 1] ?? end).getTime()).some(([at]) => isCountedHour(toWarsaw(at), filter)),
  )
