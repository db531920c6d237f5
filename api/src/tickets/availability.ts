import type { DayState, MonthAvailability, StationAvailability } from '@rogatka/contract/tickets-health.ts'
import type { Interval } from '@rogatka/domain/core/time.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import { availabilityOf, outageStart, percentOf, stateOfDays } from '@rogatka/domain/tickets/availability.ts'
import { intervalOfMonth, type Month } from '@rogatka/domain/tickets/downtime.ts'
import { needsAttention } from '@rogatka/domain/tickets/health.ts'
import type { Database } from '../core/database.ts'
import { locations, stationClosures } from '../locations/public-api.ts'
import { listFailures, qualityHours, stationBegins, watchGaps, watchTimes } from './availability-queries.ts'
import { checks, healthSettings } from './health-queries.ts'

/** Polish dates of the days whose measurements need attention, by station. */
async function attentionDays(db: Database, month: Interval): Promise<Map<number, Set<string>>> {
  const kinds = Map.groupBy(await checks(db), ({ locationId }) => locationId)
  const hours = Map.groupBy(await qualityHours(db, month), ({ locationId }) => locationId)
  return new Map(
    [...hours].map(([locationId, ofStation]) => {
      const has = (kind: string) => kinds.get(locationId)?.some((check) => check.kind === kind) ?? false
      const cameras = { hasImages: has('images-missing'), hasPlates: has('plates-unreadable') }
      const days = Map.groupBy(ofStation, ({ hour }) => dateOf(hour))
      return [locationId, new Set([...days].flatMap(([date, day]) => (needsAttention(day, cameras) ? date : [])))]
    }),
  )
}

const later = (a: Date, b: Date | null): Date => (b && b > a ? b : a)

/** The availability of a month, without what its documents say about themselves. */
export type CountedMonth = Omit<MonthAvailability, 'signature'>

/** The availability of each station in a month, worked out from stored failures, closures and gaps of the watch. */
export async function monthAvailability(db: Database, chosen: Month, now: Date): Promise<CountedMonth> {
  const month = intervalOfMonth(chosen)
  const { since: watchedSince } = await watchTimes(db)
  const { contractPercent } = await healthSettings(db)
  const begins = new Map((await stationBegins(db)).map((row) => [row.locationId, row]))
  const failures = Map.groupBy(await listFailures(db, month), ({ locationId }) => locationId)
  const closures = Map.groupBy(await stationClosures(db, month), ({ locationId }) => locationId)
  const unwatched = [...(await watchGaps(db, month))]
  const attention = await attentionDays(db, month)

  const stations = (await locations(db)).flatMap((location): StationAvailability[] => {
    const begin = begins.get(location.id)
    if (!begin || !watchedSince) return []
    const since = begin.firstHour && later(later(begin.firstHour, begin.addedAt), watchedSince)
    const stops = (closures.get(location.id) ?? []).map(({ closedAt, reopenedAt }) => ({
      from: closedAt,
      to: reopenedAt ?? now,
    }))
    const ofStation = (failures.get(location.id) ?? []).map((failure) => ({
      kind: failure.kind,
      from: outageStart(failure.begunAt, failure.lastVehicleTime),
      to: failure.endedAt ?? now,
    }))
    const outages = ofStation.filter(({ kind }) => kind === 'station-silent')
    const availability = availabilityOf({ since, outages, stops, gaps: unwatched }, month, now)
    const days = stateOfDays(
      {
        addedAt: later(begin.addedAt, watchedSince),
        since,
        failures: ofStation,
        stops,
        gaps: unwatched,
        attention: attention.get(location.id) ?? new Set<string>(),
      },
      month,
      now,
    )
    // A station that was closed all the time, or added later, is not part of the month.
    if (days.every((state: DayState) => state === 'none') && availability.countedMinutes === 0) return []
    const { percent } = availability
    const isBelowContract = contractPercent === null || percent === null ? null : percent < contractPercent
    return [{ location, ...availability, isBelowContract, days }]
  })
  const sum = (of: (station: StationAvailability) => number) =>
    stations.reduce((total, station) => total + of(station), 0)
  const countedMinutes = sum((station) => station.countedMinutes)
  const normalMinutes = sum((station) => station.normalMinutes)
  return {
    ...chosen,
    asOf: now,
    watchedSince,
    contractPercent,
    total: { countedMinutes, normalMinutes, percent: percentOf(normalMinutes, countedMinutes) },
    stations: stations.sort((a, b) =>
      a.location.shortName.localeCompare(b.location.shortName, 'pl', { numeric: true }),
    ),
  }
}
