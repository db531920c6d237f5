import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/time.ts'
import { dayOf, fromWarsaw, toWarsaw } from '../core/warsaw.ts'
import { dayKind } from './dayKind.ts'

export const QUARTER_MS = 15 * MINUTE_MS
/** Days that are compared. */
export const COMPARED_DAYS = 56

/** Start of the quarter of an hour that contains an instant. */
export const quarterOf = (at: number): number => Math.floor(at / QUARTER_MS) * QUARTER_MS

/**
 * Ends of the comparable hours of an hour that ends at `end`: at the same local time on the days of the same kind in the
 * last 8 weeks, newest first. Midnight belongs to the day before it. Hours in which the clock was changed are left out.
 */
export function comparableEnds(end: number): number[] {
  const local = toWarsaw(end)
  const today = dayOf(local - 1)
  const time = local - today
  const kind = dayKind(today)
  const ends: number[] = []
  for (let back = 1; back <= COMPARED_DAYS; back++) {
    const day = today - back * DAY_MS
    if (dayKind(day) !== kind) continue
    const other = fromWarsaw(day + time)
    const isWholeHour = fromWarsaw(day + time - HOUR_MS) === other - HOUR_MS
    if (isWholeHour && toWarsaw(other) === day + time) ends.push(other)
  }
  return ends
}

/**
 * Starts of the quarters that `withoutOutages` needs of an hour: its own, of which the first and the last may be partly in
 * it, and one on each side.
 */
export function quartersAround(end: number): number[] {
  const last = quarterOf(end - 1) + QUARTER_MS
  const quarters: number[] = []
  for (let at = quarterOf(end - HOUR_MS) - QUARTER_MS; at <= last; at += QUARTER_MS) quarters.push(at)
  return quarters
}
