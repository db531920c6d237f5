import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { weekdayOf } from '@rogatka/domain/statistics/dailyTraffic.ts'
import type { StationDay } from './distribution-bin-queries.ts'

/**
 * What a range of days is read from: months, days, and dirty days, which are counted from their vehicles. `kept` days are
 * dirty, but of deleted vehicles: what is stored of them stays, and only their hours are counted.
 */
export type DistributionPlan = { months: StationDay[]; days: StationDay[]; dirty: StationDay[]; kept: StationDay[] }

const next = (day: string, days = 1): string => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

const monthAfter = (month: string): string => `${next(month, 31).slice(0, 7)}-01`

/** Days of stations from `from` to before `to`, of some weekdays (0 Monday) or of all. */
export function stationDays(
  locations: readonly number[],
  from: string,
  to: string,
  weekdays: readonly number[] | null,
): StationDay[] {
  const days: StationDay[] = []
  for (let day = from; day < to; day = next(day))
    if (weekdays?.includes(weekdayOf(Date.parse(day))) ?? true)
      days.push(...locations.map((locationId) => ({ locationId, day })))
  return days
}

/**
 * Whole months without dirty days by their roll-up, all other days by day, or of some weekdays (0 Monday) only days; `to` is
 * exclusive. `deleted`: those of `marks` of which vehicles are deleted.
 */
export function planDistributions(
  locations: readonly number[],
  from: string,
  to: string,
  marks: readonly StationDay[],
  deleted: readonly StationDay[],
  weekdays: readonly number[] | null = null,
): DistributionPlan {
  const keyOf = (locationId: number, date: string) => `${locationId} ${date}`
  const dirtyDays = new Set(marks.map(({ locationId, day }) => keyOf(locationId, day)))
  const deletedDays = new Set(deleted.map(({ locationId, day }) => keyOf(locationId, day)))
  const dirtyMonths = new Set(marks.map(({ locationId, day }) => keyOf(locationId, day.slice(0, 7))))
  const plan: DistributionPlan = { months: [], days: [], dirty: [], kept: [] }
  const sourceOf = (locationId: number, day: string) => {
    if (!dirtyDays.has(keyOf(locationId, day))) return 'days'
    return deletedDays.has(keyOf(locationId, day)) ? 'kept' : 'dirty'
  }
  for (let month = `${from.slice(0, 7)}-01`; month < to; month = monthAfter(month)) {
    const isWhole = weekdays === null && month >= from && monthAfter(month) <= to
    for (const locationId of locations) {
      if (isWhole && !dirtyMonths.has(keyOf(locationId, month.slice(0, 7)))) {
        plan.months.push({ locationId, day: month })
        continue
      }
      const [start, end] = [month < from ? from : month, monthAfter(month)]
      for (const { day } of stationDays([locationId], start, end < to ? end : to, weekdays))
        plan[sourceOf(locationId, day)].push({ locationId, day })
    }
  }
  return plan
}

/** What some days of a plan are read from, each by itself. */
export function daysOfPlan(plan: DistributionPlan, days: readonly StationDay[]): DistributionPlan {
  const keyOf = ({ locationId, day }: StationDay) => `${locationId} ${day}`
  const [dirty, kept] = [plan.dirty, plan.kept].map((some) => new Set(some.map(keyOf))) as [Set<string>, Set<string>]
  const sourceOf = (row: StationDay) => (dirty.has(keyOf(row)) ? 'dirty' : kept.has(keyOf(row)) ? 'kept' : 'days')
  const { days: clean = [], ...others } = Object.groupBy(days, sourceOf)
  return { months: [], days: clean, dirty: others.dirty ?? [], kept: others.kept ?? [] }
}
