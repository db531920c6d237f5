import type { ResolutionUnit } from '@rogatka/contract/options.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/time.ts'
import {
  dayOf,
  fromWarsaw,
  isAmbiguousTime,
  monthOf,
  startOfMonth,
  toWarsaw,
  warsawTime,
  zoneName,
} from '../core/warsaw.ts'

/** Steps of a number of units, aligned to Polish time. */
export type Resolution = { unit: ResolutionUnit; value: number }

const MS: Record<ResolutionUnit, number> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  month: 30.4375 * DAY_MS,
  year: 365.25 * DAY_MS,
}

/** Approximate number of periods of a range, without creating them. */
export const estimatePeriods = (from: Date, to: Date, { unit, value }: Resolution): number =>
  Math.max(0, to.getTime() - from.getTime()) / (MS[unit] * value)

/**
 * Starts of the periods of [from, to), the first at `from`. Each period ends at the start of the next, the last at `to`;
 * the first and the last may therefore be partial.
 *
 * Minutes and hours are counted from the midnight before `from`, days from that day, months from that January, years
 * from that year (docs/domain.md). Steps of up to an hour have equal length; longer ones follow wall-clock time, so that
 * a day begins at midnight whether it has 23, 24 or 25 hours.
 */
export function periodsOf(from: Date, to: Date, resolution: Resolution): Date[] {
  const [start, end] = [from.getTime(), to.getTime()]
  if (start >= end) return []
  const starts = [start]
  let last = start
  for (const boundary of boundaries(start, resolution)) {
    if (boundary >= end) break
    // Boundaries before the range are dropped, also those of the repeated hour in autumn.
    if (boundary > last) {
      starts.push(boundary)
      last = boundary
    }
  }
  return starts.map((at) => new Date(at))
}

/** Boundaries from the midnight or January before an instant; an infinite generator. */
function* boundaries(start: number, { unit, value }: Resolution): Generator<number> {
  const local = toWarsaw(start)
  if (unit === 'month' || unit === 'year') {
    const { year } = monthOf(local)
    const step = unit === 'year' ? 12 * value : value
    for (let next = 0; ; next += step) yield fromWarsaw(startOfMonth(year, next))
  }
  const midnight = dayOf(local)
  const step = MS[unit] * value
  if (step <= HOUR_MS) for (let next = fromWarsaw(midnight); ; next += step) yield next
  for (let next = midnight; ; next += step) yield fromWarsaw(next)
}

const twoDigits = (number: number) => String(number).padStart(2, '0')

/** Label of a period by its start: `20.10.2025 08:00`, `20.10.2025`, `10.2025`, `2025`. */
export function periodLabel(start: Date, unit: ResolutionUnit): string {
  const at = start.getTime()
  const { year, month, day, hour, minute } = warsawTime(at)
  if (unit === 'year') return String(year)
  if (unit === 'month') return `${twoDigits(month)}.${year}`
  const date = `${twoDigits(day)}.${twoDigits(month)}.${year}`
  if (unit === 'day') return date
  return `${date} ${twoDigits(hour)}:${twoDigits(minute)}${isAmbiguousTime(at) ? ` ${zoneName(at)}` : ''}`
}
