import { DAY_MS } from './time.ts'

/*
 * Weekdays and hours of the day in words.
 */

/** 2024-01-01 was a Monday. */
const MONDAY = Date.UTC(2024, 0, 1)

/** Names from Monday to Sunday, short ones without a dot: `pon`, `Mon`. */
export function weekdayNames(language: string, width: 'short' | 'long'): string[] {
  const format = new Intl.DateTimeFormat(language, { weekday: width, timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, day) => format.format(MONDAY + day * DAY_MS).replace(/\.$/, ''))
}

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** Hours as intervals, adjacent ones together: 8, 9, 14 are `08:00–10:00, 14:00–15:00`. */
export function formatHours(hours: readonly number[]): string {
  const sorted = [...new Set(hours)].sort((a, b) => a - b)
  const starts = sorted.filter((hour) => !sorted.includes(hour - 1))
  const ends = sorted.filter((hour) => !sorted.includes(hour + 1)).map((hour) => hour + 1)
  return starts.map((start, at) => `${clock(start)}–${clock(ends[at] ?? start)}`).join(', ')
}
