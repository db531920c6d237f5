import { DAY_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { fromWarsaw, toWarsaw } from '@rogatka/domain/core/warsaw.ts'

/*
 * A range of time with its ends as instants (ISO 8601 in UTC), chosen by the clock of Warsaw.
 */

export type DateRange = { start: string | null; end: string | null }

export const NO_RANGE: DateRange = { start: null, end: null }

/** What the clock of Warsaw shows at an instant, as pickers write it: `2026-10-20 08:15:00`. */
export const toWallClock = (instant: string): string =>
  new Date(toWarsaw(Date.parse(instant))).toISOString().slice(0, 19).replace('T', ' ')

/** When the clock of Warsaw shows this; of an hour that comes twice the first. */
export const instantAt = (wall: string): string =>
  new Date(fromWarsaw(Date.parse(`${wall.replace(' ', 'T')}Z`))).toISOString()

/** The same time of day so many days later; a day in Warsaw may have 23 or 25 hours. */
const daysAfter = (instant: string, days: number): string =>
  new Date(fromWarsaw(toWarsaw(Date.parse(instant)) + days * DAY_MS)).toISOString()

const isBefore = (one: string, other: string) => Date.parse(one) < Date.parse(other)

/** The range with another start: an end that is not after it moves to a day later. No start: no range. */
export function withStart({ end }: DateRange, start: string | null): DateRange {
  if (start === null) return NO_RANGE
  return { start, end: end === null || isBefore(start, end) ? end : daysAfter(start, 1) }
}

/** The range with another end: a start that is not before it moves to a day earlier. No end: no range. */
export function withEnd({ start }: DateRange, end: string | null): DateRange {
  if (end === null) return NO_RANGE
  return { start: start === null || isBefore(start, end) ? start : daysAfter(end, -1), end }
}

/** So many days up to now, the running minute included. */
export function lastDays(days: number, now: number): { start: string; end: string } {
  const end = new Date(Math.ceil(now / MINUTE_MS) * MINUTE_MS).toISOString()
  return { start: daysAfter(end, -days), end }
}
