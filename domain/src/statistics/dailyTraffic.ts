import { DAY_MS } from '../core/time.ts'
import { monthOf } from '../core/warsaw.ts'

/*
 * Average daily traffic as in the Polish general traffic measurement: ADT (SDR) over complete days, AADT (SDRR) as the mean
 * of the months' means of weekdays, so that missing days of one weekday or month weigh no less.
 */

/** Vehicles of a day, which is given as its local midnight. */
export type DayTraffic = {
  day: number
  vehicles: number
  /** Whether there was a vehicle in each hour from 05 to 23. */
  isCovered: boolean
}

/** Categories [8+1] of heavy vehicles: lorries, lorries with a trailer, articulated vehicles, buses. */
export const HEAVY_CATEGORIES: readonly number[] = [3, 8, 9, 5]

/** Hours of a covered day: [first, end). */
export const COVERED_HOURS = [5, 23] as const

/** Of the weekday's median, at least this share makes a day complete. */
const MIN_SHARE_OF_MEDIAN = 0.3
const MEDIAN_WEEKS = 8
/** Fewer covered days give no median. */
const MIN_MEDIAN_DAYS = 3

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1)
  return (low + high) / 2
}

/**
 * The complete days: covered, and not far below the median of the same weekday in the 8 weeks before, if 3 covered days of
 * it are known. `days` also has those of the 8 weeks before the first one in question.
 */
export function completeDays(days: readonly DayTraffic[]): DayTraffic[] {
  const covered = new Map(days.filter(({ isCovered }) => isCovered).map(({ day, vehicles }) => [day, vehicles]))
  return days.filter(({ day, vehicles, isCovered }) => {
    if (!isCovered) return false
    const before = Array.from({ length: MEDIAN_WEEKS }, (_, week) => covered.get(day - (week + 1) * 7 * DAY_MS))
    const known = before.filter((count) => count !== undefined)
    return known.length < MIN_MEDIAN_DAYS || vehicles >= MIN_SHARE_OF_MEDIAN * median(known)
  })
}

/** ADT (SDR): vehicles of complete days per complete day; null without one. */
export const averageDailyTraffic = (complete: readonly DayTraffic[]): number | null =>
  mean(complete.map(({ vehicles }) => vehicles))

/** Weekday of a local midnight, 0 Monday to 6 Sunday. */
export const weekdayOf = (day: number): number => (new Date(day).getUTCDay() + 6) % 7

const groupBy = (days: readonly DayTraffic[], key: (day: number) => number) =>
  [...Map.groupBy(days, ({ day }) => key(day))].toSorted(([a], [b]) => a - b)

/** Number of a month since year 0. */
const monthNumber = (day: number): number => {
  const { year, month } = monthOf(day)
  return 12 * year + month
}

/** Mean of the means of the weekdays. */
const meanOfWeekdays = (days: readonly DayTraffic[]): number | null =>
  mean(groupBy(days, weekdayOf).map(([, ofWeekday]) => averageDailyTraffic(ofWeekday) ?? 0))

export type AnnualTraffic = {
  /** AADT (SDRR); null without complete days. */
  aadt: number | null
  /** Months with complete days: with less than 12 the mean is not one of a year. */
  months: number
  /** AADT divided by the mean of the month, by local midnight of its first day. */
  monthFactors: { month: number; mean: number; factor: number }[]
  /** AADT divided by the mean of the weekday, 0 Monday to 6 Sunday. */
  weekdayFactors: { weekday: number; mean: number; factor: number }[]
}

/** AADT (SDRR) of complete days, with the factors of months and weekdays. */
export function annualTraffic(complete: readonly DayTraffic[]): AnnualTraffic {
  const byMonth = groupBy(complete, monthNumber).map(([month, days]) => ({
    month: new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1),
    mean: meanOfWeekdays(days) ?? 0,
  }))
  const byWeekday = groupBy(complete, weekdayOf).map(([weekday, days]) => ({
    weekday,
    mean: mean(groupBy(days, monthNumber).map(([, ofMonth]) => averageDailyTraffic(ofMonth) ?? 0)) ?? 0,
  }))
  const aadt = mean(byMonth.map(({ mean }) => mean))
  const factorOf = <Row extends { mean: number }>(row: Row) => ({ ...row, factor: (aadt ?? 0) / row.mean })
  return {
    aadt,
    months: byMonth.length,
    monthFactors: byMonth.map(factorOf),
    weekdayFactors: byWeekday.map(factorOf),
  }
}
