import { DAY_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { fromWarsaw, toWarsaw } from '@rogatka/domain/core/warsaw.ts'

/*
 * Time range, ends as ISO 8601 in UTC, selected in Polish time.
 */

export type DateRange = { start: string | null; end: string | null }

export const NO_RANGE: DateRange = { start: null, end: null }

/** Polish wall-clock time of an instant, in the picker's format: `2026-10-20 08:15:00`. */
export const toWallClock = (instant: string): string =>
  new Date(toWarsaw(Date.parse(instant))).toISOString().slice(0, 19).replace('T', ' ')

/** Instant of a Polish wall-clock time; of an ambiguous time the first. */
export const instantAt = (wall: string): string =>
  new Date(fromWarsaw(Date.parse(`${wall.replace(' ', 'T')}Z`))).toISOString()

/** The same time of day some days later; days in Poland may have 23 or 25 hours. */
const daysAfter = (instant: string, days: number): string =>
  new Date(fromWarsaw(toWarsaw(Date.parse(instant)) + days * DAY_MS)).toISOString()

const isBefore = (a: string, b: string) => Date.parse(a) < Date.parse(b)

/** Sets the start; moves an end that is not after it to one day later. Null clears the range. */
export function withStart({ end }: DateRange, start: string | null): DateRange {
  if (start === null) return NO_RANGE
  return { start, end: end === null || isBefore(start, end) ? end : daysAfter(start, 1) }
}

/** Sets the end; moves a start that is not before it to one day earlier. Null clears the range. */
export function withEnd({ start }: DateRange, end: string | null): DateRange {
  if (end === null) return NO_RANGE
  return { start: start === null || isBefore(start, end) ? start : daysAfter(end, -1), end }
}

/** The last days up to the end of the current minute. */
export function lastDays(days: number, now: number): { start: string; end: string } {
  const end = new Date(Math.ceil(now / MINUTE_MS) * MINUTE_MS).toISOString()
  return { start: daysAfter(end, -days), end }
}
