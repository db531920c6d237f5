import { DAY_MS } from '../core/time.ts'

/** Kinds of days with comparable traffic: Monday to Thursday, the other days, and public holidays of any weekday. */
export type DayKind = 'workday' | 'friday' | 'saturday' | 'sunday' | 'holiday'

/** Month, day, and first year of the holidays of fixed dates: Act of 18 January 1951 on days off, as amended. */
const FIXED_HOLIDAYS: readonly (readonly [month: number, day: number, since?: number])[] = [
  [1, 1],
  [1, 6, 2011],
  [5, 1],
  [5, 3],
  [8, 15],
  [11, 1],
  [11, 11],
  [12, 24, 2025],
  [12, 25],
  [12, 26],
]

/** Days after Easter Sunday: this day, Easter Monday, Pentecost, Corpus Christi. */
const AFTER_EASTER = [0, 1, 49, 60]

/** Easter Sunday of a year, as UTC midnight: the Gregorian computus of Meeus, Jones and Butcher. */
function easterSunday(year: number): number {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  return Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1)
}

/** Whether a day, as local midnight, is a Polish public holiday. */
export function isHoliday(day: number): boolean {
  const date = new Date(day)
  const year = date.getUTCFullYear()
  const isFixed = FIXED_HOLIDAYS.some(
    ([month, dayOfMonth, since = 0]) =>
      date.getUTCMonth() === month - 1 && date.getUTCDate() === dayOfMonth && year >= since,
  )
  return isFixed || AFTER_EASTER.includes((day - easterSunday(year)) / DAY_MS)
}

const KINDS: readonly DayKind[] = ['sunday', 'workday', 'workday', 'workday', 'workday', 'friday', 'saturday']

/** The kind of a day, which is given as its local midnight. */
export const dayKind = (day: number): DayKind =>
  isHoliday(day) ? 'holiday' : (KINDS[new Date(day).getUTCDay()] as DayKind)
