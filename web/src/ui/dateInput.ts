import { instantAt } from './dateRange.ts'

const DATE = String.raw`(?:(\d{1,2})\s*[./-]\s*(\d{1,2})\s*[./-]\s*(\d{4}|\d{2})|(\d{4})[./-](\d{1,2})[./-](\d{1,2}))`
const TIME = String.raw`(?:(\d{1,2})(?:[:.](\d{2}))?(?:[:.](\d{2})(?:\.\d+)?)?|(\d{2})(\d{2}))`
const DATE_TIME = new RegExp(`^${DATE}\\.?(?:(?:\\s*[T,]\\s*|\\s+)${TIME})?$`, 'i')
const WITH_ZONE = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i

/** Time of day for a date typed without a time. */
export type DayTime = 'start' | 'end'

/**
 * Parses a date and time in Polish time: `20.10.2025 08:15`, `20.10.2025`, `20/10/25 8.15`, `2025-10-20T08:15`; ISO
 * 8601 with a zone is accepted too. Day first, unless the year is first. Of an ambiguous time the first; a skipped time
 * in spring is moved forward. Null if invalid.
 */
export function parseDateInput(text: string, dayTime: DayTime = 'start'): string | null {
  const trimmed = text.trim()
  const zoned = WITH_ZONE.exec(trimmed)
  if (zoned) {
    const at = Date.parse(trimmed)
    // Date.parse takes 31 February for 3 March.
    const isValid = isDate([Number(zoned[1]), Number(zoned[2]), Number(zoned[3])]) && !Number.isNaN(at)
    return isValid ? new Date(at).toISOString() : null
  }
  const match = DATE_TIME.exec(trimmed)
  if (!match) return null
  const [, day, month, year, isoYear, isoMonth, isoDay, hour, minute, second, hours, minutes] = match
  const date = [Number(isoYear ?? fullYear(year)), Number(isoMonth ?? month), Number(isoDay ?? day)] as const
  const isDayAlone = (hour ?? hours) === undefined
  const time =
    isDayAlone && dayTime === 'end'
      ? ([23, 59, 59] as const)
      : ([Number(hour ?? hours ?? 0), Number(minute ?? minutes ?? 0), Number(second ?? 0)] as const)
  return isDate(date) && isTime(time) ? instantAt(wallClockAt(date, time)) : null
}

type Triple = readonly [number, number, number]

const fullYear = (year = '') => (year.length === 2 ? `20${year}` : year)

const isDate = ([year, month, day]: Triple) => {
  const parsed = new Date(Date.UTC(year, month - 1, day))
  return year >= 2000 && year < 3000 && parsed.getUTCMonth() === month - 1 && parsed.getUTCDate() === day
}

/** 24:00 is midnight at the end of the day. */
const isTime = ([hour, minute, second]: Triple) =>
  (hour < 24 || (hour === 24 && minute === 0 && second === 0)) && minute < 60 && second < 60

/** In the picker's format: `2026-10-20 08:15:00`. */
const wallClockAt = ([year, month, day]: Triple, [hour, minute, second]: Triple) =>
  new Date(Date.UTC(year, month - 1, day, hour, minute, second)).toISOString().slice(0, 19).replace('T', ' ')
