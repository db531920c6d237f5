import { setImmediate } from 'node:timers/promises'
import type { Location } from '@rogatka/contract/locations.ts'
import type { Comparison, StatName } from '@rogatka/contract/options.ts'
import { MAX_PERIODS, MAX_PERIODS_TOGETHER, type StatisticFilters } from '@rogatka/contract/statistics.ts'
import { violations } from '@rogatka/contract/vehicle.ts'
import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import {
  countedLengths,
  type EarlierPeriods,
  earlierPeriods,
  haveCountedHours,
} from '@rogatka/domain/statistics/earlierPeriods.ts'
import { estimatePeriods, periodsOf, type Resolution } from '@rogatka/domain/statistics/periods.ts'
import { type Cell, lengthsOf, type Table, tabulate } from '@rogatka/domain/statistics/tabulate.ts'
import { bitsOf } from '@rogatka/domain/vehicle/violations.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { locations as allLocations, speedLimits } from '../locations/public-api.ts'
import { hasDeletedVehicles, type TrafficQuery, trafficCells } from './queries.ts'

/** Figures of the earlier periods: of each period, null without an earlier one, and over the whole range. */
export type EarlierFigures = { summaries: (number | null)[]; summary: number | null }

/** The figures of a location. */
export type LocationTable = {
  location: Location
  table: Table
  /** Null without a comparison. */
  earlier: EarlierFigures | null
  /** km/h; null without one, and for figures of other things than speed. */
  speedLimit: number | null
}

/** The periods, and a table of figures per location. */
export type StatisticsResult = {
  resolution: Resolution
  starts: Date[]
  /** The range with which it is compared; null: none. */
  earlierRange: { start: Date; end: Date } | null
  tables: LocationTable[]
}

/** Hours of a density by hours or weekdays: 20 years. */
const MAX_COUNTED_HOURS = 20 * 366 * 24

/**
 * Days of stations that are read from the hourly roll-up at most: a year of 40 stations, which has tens of millions of rows. Ten
 * years of them would take longer than a statement may.
 */
const MAX_HOURLY_DAYS = 15_000

/** All bits of violations. */
const ALL_VIOLATIONS = 2 ** violations.length - 1

/** The periods and locations of a query. */
type Plan = { resolution: Resolution; starts: Date[]; locations: Location[] }

/**
 * Validates the query and returns its periods and locations.
 * @throws Refusal if the range is reversed or has too many periods, or hours of too many days, a location is unknown, or a
 * filter needs vehicles that are deleted
 */
export async function planStatistics(db: Database, filters: StatisticFilters, now: Date): Promise<Plan> {
  const { dateTimeStart: from, dateTimeEnd: end } = filters
  const locationIds = [...new Set(filters.locations)]
  const resolution = { unit: filters.statResolutionUnit, value: filters.statResolutionValue }
  checkRange(filters, resolution, locationIds.length)
  const byId = new Map((await allLocations(db)).map((location) => [location.id, location]))
  const locations = locationIds.map((id) => {
    const location = byId.get(id)
    if (!location) throw new Refusal('location-not-found', 404, 'locations')
    return location
  })
  const starts = periodsOf(from, end, resolution)
  if (nonEmpty(filters.ctg323) || nonEmpty(filters.nationalities)) {
    const [earliest = from] = filters.compare
      ? earlierPeriods(starts, end, resolution, filters.compare, now).starts
      : []
    if (await hasDeletedVehicles(db, locationIds, earliest, end))
      throw new Refusal('vehicles-deleted', 422, 'dateTimeStart')
  }
  return { resolution, starts, locations }
}

/** Computes the statistics; stops when `signal` aborts. Throws as `planStatistics` does. */
export async function computeStatistics(
  db: Database,
  filters: StatisticFilters,
  now: Date,
  signal?: AbortSignal,
): Promise<StatisticsResult> {
  const { dateTimeEnd: end, statName, groupBy, compare } = filters
  const { resolution, starts, locations } = await planStatistics(db, filters, now)
  const query = trafficQueryOf(filters, locations)
  // What is still to come has no traffic yet.
  const untilNow = (time: Date) => (time < now ? time : now)
  const counted = (query.hours || query.weekdays) && { hours: query.hours ?? [], weekdays: query.weekdays ?? [] }
  const lengths = (starts: readonly Date[], end: Date) => {
    if (statName !== 'trafficDensity') {
      const isCounted = counted && haveCountedHours(starts, end, counted)
      return isCounted ? lengthsOf(starts, end).map((length, at) => (isCounted[at] ? length : 0)) : undefined
    }
    const until = [starts.map(untilNow), untilNow(end)] as const
    return counted ? countedLengths(...until, counted) : lengthsOf(...until)
  }
  const cells = Map.groupBy(await trafficCells(db, { ...query, starts, end }), ({ locationId }) => locationId)
  const periods = { statName, groupBy, starts, end, lengths: lengths(starts, end) }
  const earlier = compare ? await comparedPeriods(db, { resolution, starts, locations }, { end, compare, now }) : null
  const earlierCells = Map.groupBy(
    earlier ? await trafficCells(db, { ...query, starts: earlier.starts, end: earlier.end }) : [],
    ({ locationId }) => locationId,
  )
  const limits = hasSpeedLimit(statName) ? await speedLimits(db) : new Map<number, number | null>()

  const tables: LocationTable[] = []
  for (const location of locations) {
    // Yields to the event loop between locations.
    await setImmediate()
    signal?.throwIfAborted()
    const { lanes } = query
    const selection = {
      lanes: location.lanes.map(({ laneNumber }) => laneNumber).filter((lane) => lanes?.includes(lane) ?? true),
      categories: nonEmpty(filters.ctg8p1) ?? [],
      violations: violations.filter((violation) => filters[violation]),
    }
    tables.push({
      location,
      table: tabulate(periods, selection, cells.get(location.id) ?? []),
      earlier: earlier && compareWith(earlier, earlierCells.get(location.id) ?? [], { filters, starts, lengths }),
      speedLimit: limits.get(location.id) ?? null,
    })
  }
  const [first] = earlier?.starts ?? []
  return {
    resolution,
    starts,
    earlierRange: earlier && first ? { start: first, end: earlier.end } : null,
    tables,
  }
}

/** The start of the hour of an instant. */
const hourOf = (time: Date) => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS)

/** Whether charts of this figure have a line at the speed limit. */
export const hasSpeedLimit = (statName: StatName): boolean => statName.endsWith('Speed')

/** The filters in database terms. */
function trafficQueryOf(
  filters: StatisticFilters,
  locations: readonly Location[],
): Omit<TrafficQuery, 'starts' | 'end'> {
  const categories = nonEmpty(filters.ctg8p1)
  const bits = bitsOf(filters)
  return {
    statName: filters.statName,
    groupBy: filters.groupBy,
    locations: locations.map(({ id }) => id),
    // Out-of-range lanes match nothing and would overflow the column.
    lanes: nonEmpty(filters.laneNumbers)?.filter((lane) => lane >= 1 && lane <= 99) ?? null,
    categories: categories?.map((category) => (category === 'lack' ? 0 : Number(category))) ?? null,
    // Grouped by violation, only vehicles with a violation count.
    violations: bits === 0 && filters.groupBy === 'violation' ? ALL_VIOLATIONS : bits,
    hours: nonEmpty(filters.hours),
    weekdays: nonEmpty(filters.weekdays),
    costClasses: nonEmpty(filters.ctg323),
    nationalities: nonEmpty(filters.nationalities),
  }
}

/** The earlier periods up to now, or to its hour: of a part of an hour whose vehicles are deleted nothing is known. */
async function comparedPeriods(
  db: Database,
  { resolution, starts, locations }: Plan,
  { end, compare, now }: { end: Date; compare: Comparison; now: Date },
): Promise<EarlierPeriods> {
  const until = (now: Date) => earlierPeriods(starts, end, resolution, compare, now)
  const earlier = until(now)
  const ids = locations.map(({ id }) => id)
  if (end <= now || !(await hasDeletedVehicles(db, ids, hourOf(earlier.end), earlier.end))) return earlier
  return until(hourOf(now))
}

type CompareOptions = {
  filters: StatisticFilters
  /** Of the periods that are compared. */
  starts: readonly Date[]
  lengths: (starts: readonly Date[], end: Date) => readonly number[] | undefined
}

/** The figures of earlier periods; the gaps between them do not count. */
function compareWith(
  earlier: EarlierPeriods,
  cells: readonly Cell[],
  { filters: { statName, groupBy }, starts, lengths }: CompareOptions,
): EarlierFigures {
  const isPeriod = ({ period }: Cell) => earlier.periods[period] !== null
  const all = lengths(earlier.starts, earlier.end) ?? lengthsOf(earlier.starts, earlier.end)
  const { summaries, summary } = tabulate(
    {
      statName,
      groupBy,
      starts: earlier.starts,
      end: earlier.end,
      lengths: all.map((length, at) => (earlier.periods[at] === null ? 0 : length)),
    },
    { lanes: [], categories: [], violations: [] },
    cells.filter(isPeriod),
  )
  const byPeriod = new Map(earlier.periods.map((period, at) => [period, summaries[at] ?? null]))
  return {
    summaries: starts.map((_, period) => byPeriod.get(period) ?? null),
    summary: earlier.starts.length === 0 ? null : summary,
  }
}

/** An empty list in a query means no filter. */
const nonEmpty = <T>(list: readonly T[] | undefined): readonly T[] | null => (list && list.length > 0 ? list : null)

function checkRange(filters: StatisticFilters, resolution: Resolution, locations: number): void {
  const { dateTimeStart: from, dateTimeEnd: end } = filters
  if (from > end) throw new Refusal('start-after-end', 422, 'dateTimeStart')
  // Their lengths are sums of hours.
  if (filters.statName === 'trafficDensity' && (nonEmpty(filters.hours) || nonEmpty(filters.weekdays))) {
    const hours = estimatePeriods(from, end, { unit: 'hour', value: 1 })
    if (hours > MAX_COUNTED_HOURS) throw new Refusal('too-many-periods', 422, 'dateTimeStart')
  }
  const days = Math.ceil((end.getTime() - from.getTime()) / DAY_MS)
  if (nonEmpty(filters.hours) && locations * days > MAX_HOURLY_DAYS)
    throw new Refusal('too-many-hours-to-count', 422, 'dateTimeStart')
  const periods = estimatePeriods(from, end, resolution)
  if (periods > MAX_PERIODS || periods * locations > MAX_PERIODS_TOGETHER) {
    throw new Refusal('too-many-periods', 422, 'statResolutionValue')
  }
}
