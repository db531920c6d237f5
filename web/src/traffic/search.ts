import { type Category, categories } from '@rogatka/contract/vehicle.ts'
import { queryInts, queryTexts } from '@rogatka/contract/wire.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { weekdayOf } from '@rogatka/domain/statistics/dailyTraffic.ts'
import { instantIn, oneOf, positiveIn } from '../core/urlParams.ts'
import { addDays, daysOf, midnight } from '../ui/dayRange.ts'
import { readTimeClassCountry, type TimeClassCountryFilters } from '../vehicle/publicApi.ts'

/** What a range is compared with: the same weekdays, or months, just before it, or a year earlier. */
export const comparisons = ['before', 'year', 'none'] as const
export type Comparison = (typeof comparisons)[number]

export const spectrumKinds = ['first', 'single', 'tandem', 'tridem', 'wider'] as const
export type SpectrumKind = (typeof spectrumKinds)[number]
export const loadUnits = ['t', 'kN'] as const
export type LoadUnit = (typeof loadUnits)[number]

/** URL parameters of the pages of traffic and loads; range and stations are those of all statistics. Defaults are omitted. */
export type TrafficSearch = TimeClassCountryFilters & {
  /** ISO 8601 in UTC; whole days are counted. Absent: the last 7 days before today. */
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  /** Absent: all. */
  locations?: number[] | undefined
  compare?: Exclude<Comparison, 'before'> | undefined
  /** The station whose loads are shown; absent: the first one. */
  station?: number | undefined
  /** Lanes of that station; absent: all. */
  lanes?: number[] | undefined
  ctg8p1?: Category[] | undefined
  axle?: Exclude<SpectrumKind, 'single'> | undefined
  unit?: Exclude<LoadUnit, 't'> | undefined
}

/** First and last day in Poland, both included. */
export type Period = { from: string; until: string }

const DEFAULT_DAYS = 7
/** A year earlier, so that each day is compared with one of the same weekday. */
export const DAYS_IN_52_WEEKS = 364
export const MONTHS_OF_YEAR = 12

const listIn = (value: unknown) => (Array.isArray(value) ? value.join() : value)

function idsIn(value: unknown): number[] | undefined {
  const { data = [] } = queryInts.safeParse(listIn(value))
  const ids = [...new Set(data)].filter((id) => id > 0)
  return ids.length > 0 ? ids : undefined
}

function categoriesIn(value: unknown): Category[] | undefined {
  const { data = [] } = queryTexts.safeParse(listIn(value))
  const known = categories.filter((category) => data.includes(category))
  return known.length > 0 ? known : undefined
}

/** Parses the URL; malformed values and defaults are omitted, so that links never fail. */
export function readTrafficSearch(search: Record<string, unknown>): TrafficSearch {
  const [start, end] = [instantIn(search.dateTimeStart), instantIn(search.dateTimeEnd)]
  const hasRange = start !== undefined && end !== undefined && start < end
  const compare = oneOf(comparisons, search.compare)
  const axle = oneOf(spectrumKinds, search.axle)
  const unit = oneOf(loadUnits, search.unit)
  return {
    dateTimeStart: hasRange ? start : undefined,
    dateTimeEnd: hasRange ? end : undefined,
    locations: idsIn(search.locations),
    compare: compare === 'before' ? undefined : compare,
    station: positiveIn(search.station),
    lanes: idsIn(search.lanes),
    ctg8p1: categoriesIn(search.ctg8p1),
    axle: axle === 'single' ? undefined : axle,
    unit: unit === 't' ? undefined : unit,
    ...readTimeClassCountry(search),
  }
}

/** Filters by time, class and country that are set. */
export const timeClassCountryOf = ({
  hours,
  weekdays,
  ctg323,
  nationalities,
}: TrafficSearch): TimeClassCountryFilters => ({
  ...(weekdays && { weekdays }),
  ...(hours && { hours }),
  ...(ctg323 && { ctg323 }),
  ...(nationalities && { nationalities }),
})

/** Whether the filters need vehicles one by one: no roll-up of speeds and loads has hours, none of all has classes or countries. */
export const countsVehicles = ({ hours, ctg323, nationalities }: TrafficSearch): boolean =>
  [hours, ctg323, nationalities].some((list) => list !== undefined)

/** Changes the search. */
export const changeSearch = (search: TrafficSearch, changes: Partial<TrafficSearch>): TrafficSearch =>
  readTrafficSearch({ ...search, ...changes })

const lengthOf = ({ from, until }: Period) => Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS) + 1

/** Days of a period on some weekdays, 0 Monday; absent: on all. */
const daysOn = (period: Period, weekdays: readonly number[] | undefined) =>
  Array.from({ length: lengthOf(period) }, (_, day) => weekdayOf(Date.parse(period.from) + day * DAY_MS)).filter(
    (weekday) => weekdays?.includes(weekday) ?? true,
  ).length

/** Whether two periods have different numbers of days, such as months, on the weekdays of a filter. */
export const hasOtherLength = (period: Period, other: Period, weekdays?: readonly number[]): boolean =>
  daysOn(period, weekdays) !== daysOn(other, weekdays)

/** A count per day of its period on the weekdays of a filter. */
export const perDay = (count: number, period: Period, weekdays?: readonly number[]): number =>
  count / daysOn(period, weekdays)

/** The days of the search; `today` is one in Poland. */
export function periodOf(search: TrafficSearch, today: string): Period {
  const { from, until } = daysOf(search)
  return from && until ? { from, until } : { from: addDays(today, -DEFAULT_DAYS), until: addDays(today, -1) }
}

/** Whether a period has only days before `today`. */
export const isOver = ({ until }: Period, today: string): boolean => until < today

/** How much earlier a period is: a number of days, or of whole months. */
export type EarlierPeriod = Period & ({ days: number; months?: never } | { months: number; days?: never })

/**
 * The period to compare with; null: none. Of whole months it is as many whole months, so that months are those of a year;
 * otherwise it begins on the same weekday.
 */
export function earlierPeriod(period: Period, compare: Comparison): EarlierPeriod | null {
  if (compare === 'none') return null
  const end = addDays(period.until, 1)
  if (isFirstOfMonth(period.from) && isFirstOfMonth(end)) {
    const step = compare === 'year' ? MONTHS_OF_YEAR : 1
    const months = Math.ceil((monthNumber(end) - monthNumber(period.from)) / step) * step
    return { from: addMonths(period.from, -months), until: addDays(addMonths(end, -months), -1), months }
  }
  const weeks = Math.ceil(lengthOf(period) / 7) * 7
  const days = compare === 'year' ? Math.max(DAYS_IN_52_WEEKS, weeks) : weeks
  return { from: addDays(period.from, -days), until: addDays(period.until, -days), days }
}

const isFirstOfMonth = (day: string) => day.endsWith('-01')
const monthNumber = (day: string) => MONTHS_OF_YEAR * Number(day.slice(0, 4)) + Number(day.slice(5, 7))

/** The first of the month some months later, of the first of a month. */
function addMonths(day: string, months: number): string {
  const date = new Date(day)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 10)
}

/** The range of a period as URL parameters of the archive. */
export const rangeParams = ({ from, until }: Period) => ({
  dateTimeStart: midnight(from),
  dateTimeEnd: midnight(addDays(until, 1)),
})
