import { DAY_MS } from '../core/time.ts'
import { monthOf } from '../core/warsaw.ts'

/*
 * Average daily traffic as in the Polish general traffic measurement: ADT (SDR) over complete days, AADT (SDRR) as the mean
 * of the months' means of weekdays, so that missing days of a weekday weigh no less. A month that lacks a weekday does not
 * count: its mean would be one of other days.
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
const DAYS_IN_WEEK = 7

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
export function completeDays<Day extends DayTraffic>(days: readonly Day[]): Day[] {
  // By whole numbers, which are found faster.
  const numberOf = (day: number) => Math.round(day / DAY_MS)
  const covered = new Map<number, number>()
  for (const { day, vehicles, isCovered } of days) if (isCovered) covered.set(numberOf(day), vehicles)
  return days.filter(({ day, vehicles, isCovered }) => {
    if (!isCovered) return false
    const known: number[] = []
    for (let week = 1; week <= MEDIAN_WEEKS; week++) {
      const count = covered.get(numberOf(day) - week * DAYS_IN_WEEK)
      if (count !== undefined) known.push(count)
    }
    // Far above the largest one needs no median.
    return (
      known.length < MIN_MEDIAN_DAYS ||
      vehicles >= MIN_SHARE_OF_MEDIAN * Math.max(...known) ||
      vehicles >= MIN_SHARE_OF_MEDIAN * median(known)
    )
  })
}

/** ADT (SDR): vehicles of complete days per complete day; null without one. */
export const averageDailyTraffic = (complete: readonly Pick<DayTraffic, 'vehicles'>[]): number | null =>
  mean(complete.map(({ vehicles }) => vehicles))

/** Weekday of a local midnight, 0 Monday to 6 Sunday. */
export const weekdayOf = (day: number): number => (new Date(day).getUTCDay() + 6) % DAYS_IN_WEEK

const MONTHS_IN_YEAR = 12

/** Vehicles of a day, its weekday, and its month since year 0. */
type DatedTraffic = { vehicles: number; weekday: number; month: number }

const groupBy = (days: readonly DatedTraffic[], key: (day: DatedTraffic) => number) =>
  [...Map.groupBy(days, key)].toSorted(([a], [b]) => a - b)

const dated = ({ day, vehicles }: DayTraffic): DatedTraffic => {
  const { year, month } = monthOf(day)
  return { vehicles, weekday: weekdayOf(day), month: MONTHS_IN_YEAR * year + month }
}

const weekdayKey = ({ weekday }: DatedTraffic): number => weekday

/** Month of the year. */
const calendarMonth = ({ month }: DatedTraffic): number => month % MONTHS_IN_YEAR

/** Mean of the means of the weekdays; null if one of them has no complete day. */
function meanOfWeekdays(days: readonly DatedTraffic[]): number | null {
  const weekdays = groupBy(days, weekdayKey).map(([, ofWeekday]) => averageDailyTraffic(ofWeekday) ?? 0)
  return weekdays.length < DAYS_IN_WEEK ? null : mean(weekdays)
}

/** The groups of a key that have complete days of all weekdays, with their means. */
const wholeGroups = (days: readonly DatedTraffic[], key: (day: DatedTraffic) => number) =>
  groupBy(days, key).flatMap(([group, ofGroup]) => {
    const average = meanOfWeekdays(ofGroup)
    return average === null ? [] : [{ group, days: ofGroup, mean: average }]
  })

export type AnnualTraffic = {
  /** AADT (SDRR); null without a month that has complete days of all weekdays. */
  aadt: number | null
  /** Months of the year with complete days of all weekdays: with less than 12 the mean is not one of a year. */
  months: number
  /** AADT divided by the mean of the month, by local midnight of its first day; only months with all weekdays. */
  monthFactors: { month: number; mean: number; factor: number | null }[]
  /**
   * AADT divided by the mean of the weekday, 0 Monday to 6 Sunday; without AADT the means of all days. Factors are null
   * without AADT or without vehicles.
   */
  weekdayFactors: { weekday: number; mean: number; factor: number | null }[]
}

/**
 * AADT (SDRR) of complete days, with the factors of months and weekdays. Days of one month of several years count as one
 * month, so that a range from the middle of a month to that of the next year has 12 months of one weight.
 */
export function annualTraffic(complete: readonly DayTraffic[]): AnnualTraffic {
  const days = complete.map(dated)
  const months = wholeGroups(days, calendarMonth)
  const aadt = mean(months.map(({ mean }) => mean))
  const factorOf = (mean: number) => (aadt === null || mean === 0 ? null : aadt / mean)
  const counted = aadt === null ? days : months.flatMap(({ days }) => days)
  const weekdays = groupBy(counted, weekdayKey).map(([weekday, days]) => {
    const ofMonths = groupBy(days, calendarMonth).map(([, ofMonth]) => averageDailyTraffic(ofMonth) ?? 0)
    return { weekday, mean: (aadt === null ? averageDailyTraffic(days) : mean(ofMonths)) ?? 0 }
  })
  return {
    aadt,
    months: months.length,
    monthFactors: wholeGroups(days, ({ month }) => month).map(({ group, mean }) => ({
      month: new Date(0).setUTCFullYear(Math.floor(group / MONTHS_IN_YEAR), group % MONTHS_IN_YEAR, 1),
      mean,
      factor: factorOf(mean),
    })),
    weekdayFactors: weekdays.map((row) => ({ ...row, factor: factorOf(row.mean) })),
  }
}
