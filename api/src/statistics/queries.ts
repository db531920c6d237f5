import type { Division, StatName } from '@rogatka/contract/options.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import { type Level, levelIntervals } from '@rogatka/domain/statistics/levels.ts'
import { MIN_DENSITY_SPEED, OVERSPEED_RANGES, OVERSPEED_STEP, SPEED_STEPS } from '@rogatka/domain/statistics/ranges.ts'
import type { Cell } from '@rogatka/domain/statistics/tabulate.ts'
import type { Database } from '../core/database.ts'
import { join, type Statement, sql } from '../core/statement.ts'

/**
 * A row of the hourly roll-up. Speeds in km/h, loads in kg; `inverseSpeedSum` is the sum of round(1,000,000 / speed), below
 * 5 km/h that of 5.
 */
export type HourOfTraffic = {
  locationId: number
  hour: Date
  laneNumber: number
  ctg8p1: number
  violations: number
  speedRange: number
  overspeedRange: number
  vehicles: number
  speeds: number
  speedSum: number
  speedMin: number | null
  speedMax: number | null
  inverseSpeedSum: number
  loads: number
  loadSum: number
  loadMin: number | null
  loadMax: number | null
}

/** The hourly roll-up, with the hours of days whose vehicles were imported after their retention, and never stored. */
export const countedHours = sql`(select * from traffic_hour union all select * from figure_hour)`

/** The hourly roll-up of stored vehicles of [from, to). */
export const hoursOfTraffic = (db: Database, from: Date, to: Date) =>
  db.query<HourOfTraffic>(sql`
  select location_id as "locationId", hour, lane_number as "laneNumber", ctg8p1, violations,
         speed_range as "speedRange", overspeed_range as "overspeedRange", vehicles,
         speeds, speed_sum as "speedSum", speed_min as "speedMin", speed_max as "speedMax",
         slowness_sum as "inverseSpeedSum",
         loads, load_sum as "loadSum", load_min as "loadMin", load_max as "loadMax"
  from traffic_hour
  where hour >= ${from}::timestamptz and hour < ${to}::timestamptz`)

/** Vehicles of one hour and lane with the same category, violations, speed and speed limit. */
export type VehicleGroup = Pick<
  HourOfTraffic,
  | 'locationId'
  | 'hour'
  | 'laneNumber'
  | 'ctg8p1'
  | 'violations'
  | 'vehicles'
  | 'loads'
  | 'loadSum'
  | 'loadMin'
  | 'loadMax'
> & { speed: number | null; speedLimit: number | null }

/** The vehicles of [from, to) counted row by row, to compare with the roll-up. */
export const vehicleGroups = (db: Database, from: Date, to: Date) =>
  db.query<VehicleGroup>(sql`
  select location_id as "locationId", date_trunc('hour', created_at, 'UTC') as hour, lane_number as "laneNumber",
         ctg8p1, violations, speed, speed_limit as "speedLimit", count(*)::int as vehicles,
         count(total_load)::int as loads, coalesce(sum(total_load), 0) as "loadSum",
         min(total_load) as "loadMin", max(total_load) as "loadMax"
  from vehicle
  where created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz
  group by 1, 2, 3, 4, 5, 6, 7`)

/** From the first hour with stored vehicles to the last counted one; undefined if there are none. */
export async function trafficTimeRange(db: Database, keptFrom: Date): Promise<{ from: Date; to: Date } | undefined> {
  // Separate queries: Citus refuses one distributed table in a subquery of another.
  const [hours] = await db.query<Extremes>(sql`
    select min(hour) as first, max(hour) as last from traffic_hour where hour >= ${keptFrom}::timestamptz`)
  const [vehicles] = await db.query<Extremes>(
    sql`select min(created_at) as first, max(created_at) as last from vehicle`,
  )
  const instants = [hours?.first, hours?.last, vehicles?.first, vehicles?.last].flatMap((time) => time?.getTime() ?? [])
  if (instants.length === 0) return undefined
  const first = Math.min(...instants)
  return { from: new Date(first - (first % DAY_MS)), to: new Date(Math.max(...instants)) }
}

type Extremes = { first: Date | null; last: Date | null }

/** A statistics query in database terms. */
export type TrafficQuery = {
  statName: StatName
  groupBy: Division
  locations: readonly number[]
  /** The starts of the periods, and the end of the last. */
  starts: readonly Date[]
  end: Date
  /** Null: all. */
  lanes: readonly number[] | null
  categories: readonly number[] | null
  /** Bits; matches vehicles with any of them. 0: all vehicles. */
  violations: number
  /** Hours of the day and weekdays (0 Monday) in Polish time; null: all. */
  hours?: readonly number[] | null
  weekdays?: readonly number[] | null
  /** COST 323 classes, 0 for none; countries as sent, `-` for none; null: all. Roll-ups do not have them. */
  costClasses?: readonly number[] | null
  nationalities?: readonly string[] | null
}

/** Conditions on COST 323 class and country of rows of `vehicle`. */
export const classCountryConditions = (
  { costClasses, nationalities }: Pick<TrafficQuery, 'costClasses' | 'nationalities'>,
  vehicle: Statement,
): Statement => sql`
  ${costClasses ? sql`and coalesce(${vehicle}.ctg323, 0) = any(${costClasses.map(String)}::smallint[])` : sql``}
  ${nationalities ? sql`and coalesce(${vehicle}.nationality, '-') = any(${[...nationalities]}::text[])` : sql``}`

/** The coarsest level that has what the query filters by. */
const coarsestLevel = ({ hours, weekdays, costClasses, nationalities }: TrafficQuery): Level => {
  if (costClasses || nationalities) return 'vehicle'
  if (hours) return 'hour'
  return weekdays ? 'day' : 'month'
}

/** Conditions on hour and weekday of a level's rows; those of months have none. */
function timeConditions({ hours, weekdays }: TrafficQuery, level: Level): Statement {
  const at = level === 'vehicle' ? sql`t.created_at` : sql`t.hour`
  const local = level === 'day' ? sql`t.day` : sql`(${at} at time zone 'Europe/Warsaw')`
  const isAnyOf = (value: Statement, list: readonly number[]) => sql`and ${value} = any(${list.map(String)}::int[])`
  return sql`
    ${hours ? isAnyOf(sql`extract(hour from ${local})::int`, hours) : sql``}
    ${weekdays ? isAnyOf(sql`extract(isodow from ${local})::int - 1`, weekdays) : sql``}`
}

/** Whether the hourly roll-up has vehicles of these stations in [from, to) from before the first stored one: they are deleted. */
export async function hasDeletedVehicles(db: Database, locations: readonly number[], from: Date, to: Date) {
  const [stored] = await db.query<{ first: Date | null }>(
    sql`select date_trunc('hour', min(created_at), 'UTC') as first from vehicle`,
  )
  const [counted] = await db.query<{ exists: boolean }>(sql`
    select exists (
      select from ${countedHours} t
      where location_id = any(${locations.map(String)}::int[]) and hour >= date_trunc('hour', ${from}::timestamptz, 'UTC')
        and hour < ${stored?.first && stored.first < to ? stored.first : to}::timestamptz
    ) as exists`)
  return counted?.exists ?? false
}

/** The aggregates of a figure, from a roll-up row or a `vehicle` row. */
type Source = { rollUp: Statement; vehicle: Statement }

const SOURCES = {
  count: {
    rollUp: sql`t.vehicles, 0 as measured, 0::bigint as sum, null::int as min, null::int as max`,
    vehicle: sql`1 as vehicles, 0 as measured, 0::bigint as sum, null::int as min, null::int as max`,
  },
  inverseSpeed: {
    rollUp: sql`t.vehicles, t.speeds as measured, t.slowness_sum as sum, null::int as min, null::int as max`,
    vehicle: sql`1 as vehicles, coalesce(t.speed > 0, false)::int as measured,
      case when t.speed > 0 then round(1000000.0 / greatest(t.speed, ${MIN_DENSITY_SPEED}::int)) else 0 end::bigint as sum,
      null::int as min, null::int as max`,
  },
  speed: {
    rollUp: sql`t.vehicles, t.speeds as measured, t.speed_sum as sum, t.speed_min::int as min, t.speed_max::int as max`,
    vehicle: sql`1 as vehicles, coalesce(t.speed > 0, false)::int as measured, coalesce(t.speed, 0)::bigint as sum,
      nullif(t.speed, 0)::int as min, nullif(t.speed, 0)::int as max`,
  },
  load: {
    rollUp: sql`t.vehicles, t.loads as measured, t.load_sum as sum, t.load_min as min, t.load_max as max`,
    vehicle: sql`1 as vehicles, (t.total_load is not null)::int as measured, coalesce(t.total_load, 0)::bigint as sum,
      t.total_load as min, t.total_load as max`,
  },
} satisfies Record<string, Source>

const SOURCE_OF: Record<StatName, keyof typeof SOURCES> = {
  traffic: 'count',
  trafficDensity: 'inverseSpeed',
  minSpeed: 'speed',
  avgSpeed: 'speed',
  maxSpeed: 'speed',
  minTotalLoad: 'load',
  avgTotalLoad: 'load',
  maxTotalLoad: 'load',
}

/** Range of excess speed of rows of `vehicle`, as in domain/statistics/ranges.ts. */
export const overspeedRangeOf = (vehicle: Statement): Statement => sql`
  case when ${vehicle}.speed > ${vehicle}.speed_limit
    then least(${OVERSPEED_RANGES}::int, ceil((${vehicle}.speed - ${vehicle}.speed_limit) / ${OVERSPEED_STEP}::numeric))::int
    else 0 end`

/** The grouping key of a division; ranges as in domain/statistics/ranges.ts. */
const GROUP_KEYS: Record<Division, Source> = {
  lane: { rollUp: sql`t.lane_number`, vehicle: sql`t.lane_number` },
  category: { rollUp: sql`t.ctg8p1`, vehicle: sql`t.ctg8p1` },
  violation: { rollUp: sql`t.violations`, vehicle: sql`t.violations` },
  speedRange: {
    rollUp: sql`t.speed_range`,
    vehicle: sql`case when t.speed > 0
      then 1 + width_bucket(t.speed::int, ${SPEED_STEPS.map(String)}::int[]) else 0 end`,
  },
  overSpeed: { rollUp: sql`t.overspeed_range`, vehicle: overspeedRangeOf(sql`t`) },
}

/**
 * Vehicles by location, period and grouping key; each interval of the range from the coarsest roll-up. Dirty days are
 * summed from their hours, and the clean days of their months from the daily roll-up: from the first to the last of them, as
 * a join alone would read the whole table. One statement, for a consistent snapshot.
 */
export async function trafficCells(db: Database, q: TrafficQuery): Promise<(Cell & { locationId: number })[]> {
  if (q.starts.length === 0) return []
  const source = SOURCES[SOURCE_OF[q.statName]]
  const key = GROUP_KEYS[q.groupBy]
  const locations = sql`any(${q.locations.map(String)}::int[])`
  const starts = sql`${q.starts.map((start) => start.toISOString())}::timestamptz[]`
  const filter = sql`t.location_id = ${locations}
    ${q.lanes ? sql`and t.lane_number = any(${q.lanes.map(String)}::smallint[])` : sql``}
    ${q.categories ? sql`and t.ctg8p1 = any(${q.categories.map(String)}::smallint[])` : sql``}
    ${q.violations ? sql`and t.violations & ${q.violations}::int <> 0` : sql``}`
  const classCountry = classCountryConditions(q, sql`t`)
  const filterOf = (level: Level) => sql`${filter} ${timeConditions(q, level)}`
  const period = (at: Statement) => sql`width_bucket(${at}, ${starts}) - 1 as period`
  const figures = sql`${key.rollUp} as key, ${source.rollUp}`
  // Summed by date first, so that the period is looked up once per date.
  const byDate = (date: Statement, rows: Statement) =>
    sql`
    select location_id, ${period(sql`${date}::timestamp at time zone 'Europe/Warsaw'`)}, key, vehicles, measured, sum,
           min, max
    from (
      select location_id, ${date}, key, sum(vehicles) as vehicles, sum(measured) as measured, sum(sum) as sum,
             min(min) as min, max(max) as max
      from (select t.location_id, t.${date}, ${figures} ${rows}) r
      group by location_id, ${date}, key
    ) d`

  const intervals = levelIntervals(q.starts, q.end, coarsestLevel(q))
  const intervalsOf = (level: Level) => intervals.filter((interval) => interval.level === level)
  const dated = intervals.filter(({ level }) => level === 'day' || level === 'month')
  const [from, to] = [dated[0]?.from ?? q.end, dated.at(-1)?.to ?? q.end]

  const rows = [
    ...intervalsOf('vehicle').map(
      ({ from, to }) =>
        sql`
        select t.location_id, ${period(sql`t.created_at`)}, ${key.vehicle} as key, ${source.vehicle}
        from vehicle t
        where ${filterOf('vehicle')} ${classCountry} and t.created_at >= ${from}::timestamptz and t.created_at < ${to}::timestamptz`,
    ),
    ...intervalsOf('hour').map(
      ({ from, to }) =>
        sql`
        select t.location_id, ${period(sql`t.hour`)}, ${figures}
        from ${countedHours} t
        where ${filterOf('hour')} and t.hour >= ${from}::timestamptz and t.hour < ${to}::timestamptz`,
    ),
    ...(dated.length === 0
      ? []
      : [
          sql`
        select t.location_id, ${period(sql`t.hour`)}, ${figures}
        from marked_hour m
        join ${countedHours} t on t.location_id = m.location_id and t.hour = m.hour
        where ${filterOf('hour')}`,
        ]),
    ...intervalsOf('day').map(({ from, to }) =>
      byDate(
        sql`day`,
        sql`
        from traffic_day t
        left join marked_day m on m.location_id = t.location_id and m.day = t.day
        where ${filterOf('day')} and t.day >= ${dateOf(from)}::date and t.day < ${dateOf(to)}::date and m.day is null`,
      ),
    ),
    ...intervalsOf('month').flatMap(({ from, to }) => [
      byDate(
        sql`month`,
        sql`
        from traffic_month t
        left join marked_month m on m.location_id = t.location_id and m.month = t.month
        where ${filter} and t.month >= ${dateOf(from)}::date and t.month < ${dateOf(to)}::date and m.month is null`,
      ),
      byDate(
        sql`day`,
        sql`
        from clean_day n
        join traffic_day t on t.location_id = n.location_id and t.day = n.day
        where ${filter} and t.day >= ${dateOf(from)}::date and t.day < ${dateOf(to)}::date
          and t.day >= (select min(day) from clean_day) and t.day <= (select max(day) from clean_day)`,
      ),
    ]),
  ]

  return db.query<Cell & { locationId: number }>(sql`
    with marked_day as materialized (
      select distinct location_id, day from traffic_mark
      where location_id = ${locations} and day >= ${dateOf(from)}::date and day < ${dateOf(to)}::date
    ), marked_month as materialized (
      select distinct location_id, date_trunc('month', day)::date as month from marked_day
    ), marked_hour as materialized (
      select location_id, ${hoursOf(sql`day`)} as hour from marked_day
    ), clean_day as materialized (
      select d.location_id, d.day
      from (select location_id, ${daysOf(sql`month`)} as day from marked_month) d
      left join marked_day m on m.location_id = d.location_id and m.day = d.day
      where m.day is null
    ), traffic as (${join(rows, ' union all ')})
    select location_id as "locationId", period, key::int, sum(vehicles)::bigint as vehicles,
           sum(measured)::bigint as measured, sum(sum)::bigint as sum, min(min) as min, max(max) as max
    from traffic
    group by location_id, period, key`)
}

/*
 * The planner expects a thousand rows from a series and ten from an array; with a thousand it would scan all hours
 * instead of using the index.
 */

/** One row per hour of a Warsaw day: 23, 24 or 25. */
export const hoursOf = (day: Statement) => sql`
  unnest(array(select generate_series(
    ${day}::timestamp at time zone 'Europe/Warsaw',
    (${day} + 1)::timestamp at time zone 'Europe/Warsaw' - interval '1 hour', interval '1 hour')))`

/** One row per day of a month, given by its first day. */
export const daysOf = (month: Statement) => sql`
  unnest(array(select generate_series(${month}, ${month} + interval '1 month' - interval '1 day', interval '1 day')::date))`
