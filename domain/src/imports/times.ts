import { DAY_MS, MINUTE_MS } from '../core/time.ts'

/* Dates and times of tables, as ms of the same local time in UTC; null if there is no such time. */

function dayOf(year: number, month: number, day: number): number | null {
  const at = new Date(0).setUTCFullYear(year, month - 1, day)
  const date = new Date(at)
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1900
  return isDate ? at : null
}

/** Day and month, or month and day, then the year. */
const YEAR_LAST = /^(\d\d?)[-./](\d\d?)[-./](\d{4})(?!\d)/

/** Whether a date, maybe with a time, begins with day and month, whose order is not known. */
export const hasUnknownOrder = (text: string): boolean => YEAR_LAST.test(text.trim())

/** `20261020`, `2026-10-20`, `20.10.2026`, or `10/20/2026` with the unit `month-day`. */
export function parseDate(text: string, unit: string | null): number | null {
  // Without separators each part has its zeros.
  const [, year, month, day] =
    /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? /^(\d{4})[-./](\d\d?)[-./](\d\d?)$/.exec(text) ?? []
  if (year) return dayOf(Number(year), Number(month), Number(day))
  const [whole, first, second, last] = YEAR_LAST.exec(text) ?? []
  if (whole !== text || !last) return null
  const [a, b] = [Number(first), Number(second)]
  return unit === 'month-day' ? dayOf(Number(last), a, b) : dayOf(Number(last), b, a)
}

/** `08:15:24`, `08:15:24.5`, `81524` (zeros are put before it), or `08152450` with hundredths of a second; ms of the day. */
export function parseTime(text: string): number | null {
  const [, hours, minutes, seconds, fraction] = /^(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?$/.exec(text) ?? []
  if (hours) return timeOfDay(Number(hours), Number(minutes), Number(seconds ?? 0), fraction ?? '')
  if (!/^(?:\d{1,6}|\d{8})$/.test(text)) return null
  const padded = text.padStart(6, '0')
  const [hour = 0, minute = 0, second = 0] = [0, 2, 4].map((at) => Number(padded.slice(at, at + 2)))
  return timeOfDay(hour, minute, second, padded.slice(6))
}

function timeOfDay(hour: number, minute: number, second: number, fraction: string): number | null {
  if (hour > 23 || minute > 59 || second > 59) return null
  return ((hour * 60 + minute) * 60 + second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
}

/** A date and a time with a blank or `T` between them; with an offset or `Z` an instant. */
export function parseDateTime(text: string, unit: string | null): { at: number; isLocal: boolean } | null {
  const [, date = '', time = '', zone] = /^(\S+?)(?:T|\s+)([\d:.,]+?)\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(text) ?? []
  const [day, clock] = [parseDate(date, unit), parseTime(time)]
  if (day === null || clock === null) return null
  const local = day + clock
  if (!zone) return { at: local, isLocal: true }
  const [hours, minutes] = /^z$/i.test(zone) ? [0, 0] : [Number(zone.slice(1, 3)), Number(zone.slice(-2))]
  const offset = (hours * 60 + minutes) * MINUTE_MS * (zone.startsWith('-') ? -1 : 1)
  return Math.abs(offset) >= DAY_MS ? null : { at: local - offset, isLocal: false }
}
