import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { HEAVY_CATEGORIES } from '@rogatka/domain/statistics/dailyTraffic.ts'
import { DAYPART_HOURS } from '@rogatka/domain/statistics/dayparts.ts'
import { COARSE_HEADWAYS_MS, HEADWAY_BIN_MS, MAX_HEADWAY_MS } from '@rogatka/domain/statistics/headways.ts'
import {
  binWidth,
  GROSS_BIN_KG,
  LOAD_BINS,
  type LoadUnit,
  spectrumKinds,
  WEIGHT_OF_KG,
  WEIGHT_OF_KN,
} from '@rogatka/domain/statistics/loadSpectra.ts'
import type { Database } from '../core/database.ts'
import { join, raw, type Statement, sql } from '../core/statement.ts'
import { classCountryConditions, countedHours, hoursOf, overspeedRangeOf } from './queries.ts'

/*
 * Parts of the statements that derive and read the distributions: vehicles of days, and their bins, sums and hours.
 */

/** A Warsaw day at a station, `2026-10-20`. */
export type StationDay = { locationId: number; day: string }

/** Filters of vehicles besides day, lane and category; null: all. */
export type VehicleScope = {
  /** Hours of the day in Poland. */
  hours: readonly number[] | null
  /** COST 323 classes, 0 for none; countries as sent, `-` for none. */
  costClasses: readonly number[] | null
  nationalities: readonly string[] | null
}

const ALL_VEHICLES: VehicleScope = { hours: null, costClasses: null, nationalities: null }

/** Conditions on rows of `vehicle` as v. */
const conditionsOf = (scope: VehicleScope) => sql`
  ${scope.hours ? sql`and extract(hour from v.created_at at time zone 'Europe/Warsaw')::int = any(${scope.hours.map(String)}::int[])` : sql``}
  ${classCountryConditions(scope, sql`v`)}`

/** Rows of `location_id` and a date. */
export const rowsOf = (days: readonly StationDay[], date: Statement) => sql`
  (select * from unnest(${days.map(({ locationId }) => String(locationId))}::int[], ${days.map(({ day }) => day)}::date[])
    as g (location_id, ${date})) g`

export const startOf = (day: Statement) => sql`(${day}::timestamp at time zone 'Europe/Warsaw')`

export const DAY = raw('day')
export const MONTH = raw('month')
const HEAVY = sql`${HEAVY_CATEGORIES.map(String)}::smallint[]`
const MAX_HEADWAY = sql`${MAX_HEADWAY_MS}::int * interval '1 millisecond'`

/** Consecutive days with their stations. `isWithin`: whether a time is within them, or up to an interval before them. */
type Run = {
  /** The day of rows of `vehicle` as v. */
  day: Statement
  /** Their beginning. */
  start: Statement
  locations: Statement
  isWithin: (time: Statement, before?: Statement) => Statement
}

/** Longer runs would join many vehicles with their details at once. */
const MAX_RUN_DAYS = 16

type RunDays = { first: string; last: string; stations: readonly string[] }

/** Runs of consecutive days with the same stations, each of at most `maxDays`. */
function runsOf(days: readonly StationDay[], maxDays: number): RunDays[] {
  const runs: RunDays[] = []
  const byDay = [...Map.groupBy(days, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [day, some] of byDay) {
    const stations = some.map(({ locationId }) => String(locationId)).sort()
    const run = runs.at(-1)
    const isNext =
      run !== undefined &&
      Date.parse(day) - Date.parse(run.last) === DAY_MS &&
      Date.parse(day) - Date.parse(run.first) < maxDays * DAY_MS &&
      stations.join() === run.stations.join()
    if (isNext) run.last = day
    else runs.push({ first: day, last: day, stations })
  }
  return runs
}

/**
 * A query for each run of days: with its bounds as constants the planner knows its partition and how many vehicles it has;
 * joined with the days, it would read all partitions.
 */
function forEachRun(days: readonly StationDay[], query: (run: Run) => Statement, maxDays = MAX_RUN_DAYS): Statement {
  const runs = runsOf(days, maxDays)
  const queries = (runs.length > 0 ? runs : [{ first: '2000-01-01', last: '2000-01-01', stations: [] }]).map(
    ({ first, last, stations }) => {
      const start = startOf(sql`${first}::date`)
      return query({
        day: first === last ? sql`${first}::date` : sql`(v.created_at at time zone 'Europe/Warsaw')::date`,
        start,
        locations: sql`any(${stations}::int[])`,
        isWithin: (time, before = sql``) =>
          sql`${time} >= ${start} ${before} and ${time} < ${startOf(sql`(${last}::date + 1)`)}`,
      })
    },
  )
  return join(queries, ' union all ')
}

/** `forEachRun` with runs of one day. */
const forEachDay = (days: readonly StationDay[], query: (run: Run) => Statement) => forEachRun(days, query, 1)

/** Of these days, whose daily roll-up is derived, those of which no vehicle is deleted. */
export const storedDays = (db: Database, days: readonly StationDay[]) =>
  db.query<StationDay>(sql`
  with counted as (
    ${forEachDay(
      days,
      ({ day, locations, isWithin }) => sql`
      select v.location_id, ${day} as day, count(*) as vehicles
      from vehicle v
      where v.location_id = ${locations} and ${isWithin(raw('v.created_at'))}
      group by v.location_id`,
    )}
  ), derived as (
    select g.location_id, g.day, sum(t.vehicles) as vehicles
    from ${rowsOf(days, DAY)}
    join traffic_day t on t.location_id = g.location_id and t.day = g.day
    group by g.location_id, g.day
  )
  select location_id as "locationId", day::text from counted join derived using (location_id, day, vehicles)`)

/** Vehicles with the detail that the distributions need, from rows with `overspeed_range`, axles and groups. */
export const detailedVehicles = (rows: Statement) => sql`
  select row_number() over () as nr, location_id, day, lane_number, ctg8p1, speed, overspeed_range, total_load,
         extract(hour from created_at at time zone 'Europe/Warsaw')::int as hour,
         greatest(overload_sa, overload_ma, overload_tl, 0)::int as overload,
         coalesce(overload_sa, overload_ma, overload_tl) is not null as judged, axles, axle_groups
  from (${rows}) v`

/** Vehicles of days, with the detail that the distributions need. */
export const vehiclesOf = (days: readonly StationDay[], scope = ALL_VEHICLES) =>
  detailedVehicles(
    forEachRun(
      days,
      ({ day, locations, isWithin }) => sql`
    select v.location_id, ${day} as day, v.created_at, v.lane_number, v.ctg8p1, v.speed,
           ${overspeedRangeOf(raw('v'))} as overspeed_range, v.total_load, v.overload_sa, v.overload_ma, v.overload_tl,
           d.axles, d.axle_groups
    from vehicle v
    left join vehicle_detail d
      on d.location_id = v.location_id and d.created_at = v.created_at and d.id = v.id
        and d.location_id = ${locations} and ${isWithin(raw('d.created_at'))}
    where v.location_id = ${locations} and ${isWithin(raw('v.created_at'))} ${conditionsOf(scope)}`,
    ),
  )

/** Days with weighed vehicles that meet a condition on rows of `vehicle` as v. */
export const weighedDaysOf = (days: readonly StationDay[], condition: Statement) =>
  forEachRun(
    days,
    ({ day, locations, isWithin }) => sql`
    select distinct v.location_id, ${day} as day
    from vehicle v
    where v.location_id = ${locations} and ${isWithin(raw('v.created_at'))} and v.total_load is not null ${condition}`,
  )

/** Vehicles by daypart and km/h, and those of them above the limit: the first range of excess speed is up to 10 km/h. */
export const speedBins = (vehicles: Statement, keys: Statement) => {
  const [day, evening, night] = DAYPART_HOURS
  const daypart = sql`case when hour < ${day}::int or hour >= ${night}::int then 3
    when hour < ${evening}::int then 1 else 2 end`
  return sql`
    select ${keys}, ${daypart} as daypart, speed::int as bin, count(*)::int as n,
           count(*) filter (where overspeed_range >= 1)::int as above_limit,
           count(*) filter (where overspeed_range >= 2)::int as above_limit_by_10
    from ${vehicles} where speed > 0 group by ${keys}, daypart, speed`
}

/** Vehicles by gross weight. */
export const grossBins = (vehicles: Statement, keys: Statement) => sql`
  select ${keys}, overload > 0 as overloaded, least(total_load / ${GROSS_BIN_KG}::int, ${LOAD_BINS - 1}::int) as bin,
         count(*)::int as n
  from ${vehicles} where total_load is not null group by ${keys}, overloaded, bin`

/** Sums of axle loads by vehicle, then by `keys`. The rules are those of domain/statistics/equivalentAxles.ts. */
export const loadSums = (vehicles: Statement, keys: Statement) => sql`
  select ${keys}, overload > 0 as overloaded, count(*)::int as vehicles, count(total_load)::int as weighed,
         count(*) filter (where judged)::int as judged,
         coalesce(sum(total_load), 0)::bigint as load_sum, coalesce(sum(axles), 0)::int as axles,
         coalesce(sum(load4), 0) as load4_sum, coalesce(sum(load4) filter (where judged), 0) as judged_load4_sum,
         coalesce(sum(div(2 * load4 * (whole4 - 1000000000000) + whole4, 2 * whole4)), 0) as avoidable4_sum
  from (
    select nr, ${keys}, overload, judged, total_load,
           ((1000 + overload) * (1000 + overload))::numeric * ((1000 + overload) * (1000 + overload)) as whole4
    from ${vehicles}
  ) v
  left join (
    select nr, count(*) as axles, sum((kg * kg)::numeric * (kg * kg)) as load4
    from (
      select nr, greatest(axles[6 * i + 2], 0)::bigint + greatest(axles[6 * i + 3], 0) as kg
      from (
        select nr, axles, generate_series(0, cardinality(axles) / 6 - 1) as i
        from ${vehicles} where total_load is not null
      ) s
    ) axle
    group by nr
  ) a using (nr)
  group by ${keys}, overloaded`

/** Axle groups by kind, unit and load. */
export const axleBins = (vehicles: Statement, keys: Statement) => {
  const width = (unit: LoadUnit) => sql`${spectrumKinds.map((kind) => String(binWidth(kind, unit)))}::bigint[]`
  return sql`
    select ${keys}, kind, unit, least(case unit when 1 then kg / (${width('t')})[kind]
             else kg * ${WEIGHT_OF_KG}::bigint / ((${width('kN')})[kind] * ${WEIGHT_OF_KN}::bigint) end,
             ${LOAD_BINS - 1}::int)::int as bin, count(*)::int as n
    from (
      select ${keys}, axle_groups[5 * i + 3]::bigint as kg,
             case when axle_groups[5 * i + 2] > 1 then least(axle_groups[5 * i + 2], 4) + 1
               when axle_groups[5 * i + 1] = 1 then 1 else 2 end as kind
      from (
        select ${keys}, axle_groups, generate_series(0, cardinality(axle_groups) / 5 - 1) as i
        from ${vehicles} where total_load is not null
      ) s
    ) g
    cross join (values (1), (2)) u (unit)
    group by ${keys}, kind, unit, bin`
}

/**
 * Headways of the `counted` vehicles among rows with their day and its beginning (`start`). Rows of the ten minutes before it
 * serve only as the vehicles before.
 */
export const headwaysAmong = (rows: Statement) => sql`
  select location_id, day, lane_number, heavy, (extract(epoch from gap) * 1000)::int as ms
  from (
    select location_id, day, lane_number, ctg8p1 = any(${HEAVY}) as heavy, created_at, counted,
           created_at - lag(created_at) over (
             partition by location_id, start, lane_number order by created_at, id) as gap, start
    from (${rows}) v
  ) v
  where created_at >= start and gap <= ${MAX_HEADWAY} and counted`

/**
 * Headways of days; the vehicle before may be of the day before, and outside the scope. Vehicles of which only the hour is
 * known are left out.
 */
export const headwaysOf = (days: readonly StationDay[], scope = ALL_VEHICLES) =>
  headwaysAmong(
    forEachRun(
      days,
      ({ day, start, locations, isWithin }) => sql`
      select v.location_id, ${day} as day, ${start} as start, v.id, v.lane_number, v.ctg8p1, v.created_at,
             true ${conditionsOf(scope)} as counted
      from vehicle v
      where v.location_id = ${locations} and ${isWithin(raw('v.created_at'), sql`- ${MAX_HEADWAY}`)}
        and v.hour_only is not true`,
    ),
  )

export const headwayBins = (headways: Statement, keys: Statement) => {
  const [coarse] = COARSE_HEADWAYS_MS
  return sql`
    select ${keys}, heavy, case when ms < ${coarse}::int then ms / ${HEADWAY_BIN_MS}::int
             else ${coarse / HEADWAY_BIN_MS - 1}::int + width_bucket(ms, ${COARSE_HEADWAYS_MS.map(String)}::int[]) end as bin,
           count(*)::int as n
    from ${headways} group by ${keys}, heavy, bin`
}

/** Hours of a day. */
export const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** Vehicles by day, lane and category of `counts`, by local hour. */
const byHour = (counts: Statement) => sql`
  select location_id, day, lane_number, ctg8p1, extract(isodow from day)::int - 1 as weekday,
         array[${join(HOURS.map((hour) => sql`coalesce(sum(vehicles) filter (where local = ${raw(String(hour))}), 0)`))}]::int[]
           as hours
  from (${counts}) h
  group by location_id, day, lane_number, ctg8p1`

/** Vehicles of the days of `input` by hour, from the hourly roll-up; its hours are whole ones in Warsaw, too. */
export const hoursOfDays = (input: Statement, filter: Statement) =>
  byHour(sql`
    select g.location_id, g.day, t.lane_number, t.ctg8p1, t.vehicles,
           extract(hour from t.hour at time zone 'Europe/Warsaw')::int as local
    from (select location_id, day, ${hoursOf(DAY)} as hour from ${input}) g
    join (select * from ${countedHours} h where true ${filter}) t on t.location_id = g.location_id and t.hour = g.hour`)

/** Like `hoursOfDays`, counted from the single vehicles of a scope. */
export const hoursOfVehicles = (days: readonly StationDay[], scope: VehicleScope, filter: Statement) =>
  byHour(sql`
    select location_id, day, lane_number, ctg8p1, 1 as vehicles, local
    from (${forEachRun(
      days,
      ({ day, locations, isWithin }) => sql`
      select v.location_id, ${day} as day, v.lane_number, v.ctg8p1,
             extract(hour from v.created_at at time zone 'Europe/Warsaw')::int as local
      from vehicle v
      where v.location_id = ${locations} and ${isWithin(raw('v.created_at'))} ${conditionsOf(scope)}`,
    )}) v
    where true ${filter}`)

/** Hours of arrays `hours` by `value`; 0 for those that are not selected, null: all. */
const selectedHours = (selected: readonly number[] | null, value: (hour: string) => Statement) =>
  HOURS.map((hour) => (selected && !selected.includes(hour) ? sql`0` : value(`hours[${hour + 1}]`)))

/** Vehicles of each day: all, heavy ones, and by local hour, of some or all hours, from rows of hours by lane and category. */
export const profilesOf = (rows: Statement, selected: readonly number[] | null = null) => sql`
  select location_id, day, sum(n)::int as vehicles,
         coalesce(sum(n) filter (where ctg8p1 = any(${HEAVY})), 0)::int as heavy_vehicles,
         ${sumOfHours(selected)}::int[] as hours
  from (
    select location_id, day, ctg8p1, hours, ${join(selectedHours(selected, raw), ' + ')} as n from ${rows} r
  ) h
  group by location_id, day`

/** Sum of arrays `hours`, of some or all hours. */
export const sumOfHours = (selected: readonly number[] | null = null) =>
  sql`array[${join(selectedHours(selected, (hour) => sql`sum(${raw(hour)})`))}]`
