import { COVERED_HOURS } from '@rogatka/domain/statistics/dailyTraffic.ts'
import type { StationProfile, StationSummary } from './useTraffic.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** Vehicles of each hour on all weekdays. */
export const countsByHour = (weekdays: readonly (readonly number[])[]): number[] =>
  HOURS.map((hour) => weekdays.reduce((sum, hours) => sum + (hours[hour] ?? 0), 0))

/**
 * Mean vehicles of each hour on a day with vehicles; null where there is no data: everywhere without such a day, and in
 * hours that a complete day must have.
 */
export function dailyHours(
  profiles: readonly Pick<StationProfile, 'location' | 'weekdays'>[] | undefined,
  summaries: readonly Pick<StationSummary, 'location' | 'days' | 'unfinishedDays'>[] | undefined,
  locationId: number,
): (number | null)[] {
  const ofStation = ({ location }: { location: { id: number } }) => location.id === locationId
  const weekdays = profiles?.find(ofStation)?.weekdays
  const summary = summaries?.find(ofStation)
  const days = summary ? summary.days + summary.unfinishedDays : 0
  if (!weekdays || days === 0) return HOURS.map(() => null)
  const [first, end] = COVERED_HOURS
  return countsByHour(weekdays).map((count, hour) => (count === 0 && hour >= first && hour < end ? null : count / days))
}

/** Mean vehicles of each hour by weekday, of so many of each; null without any vehicle on that weekday. */
export const weekdayHours = (weekdays: readonly (readonly number[])[], days: readonly number[]): (number | null)[][] =>
  weekdays.map((hours, weekday) => {
    const count = days[weekday] ?? 0
    const isSilent = count === 0 || hours.every((vehicles) => vehicles === 0)
    return HOURS.map((hour) => (isSilent ? null : (hours[hour] ?? 0) / count))
  })
