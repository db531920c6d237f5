import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { COVERED_HOURS, type DayTraffic } from '@rogatka/domain/statistics/dailyTraffic.ts'
import { DAYPART_HOURS } from '@rogatka/domain/statistics/dayparts.ts'
import type { Database } from '../core/database.ts'
import { join, raw, type Statement, sql } from '../core/statement.ts'
import {
  axleBins,
  grossBins,
  HOURS,
  headwayBins,
  headwaysOf,
  hoursOfDays,
  hoursOfVehicles,
  loadSums,
  profilesOf,
  rowsOf,
  type StationDay,
  speedBins,
  sumOfHours,
  type VehicleScope,
  vehiclesOf,
  weighedDaysOf,
} from './distribution-bin-queries.ts'
import type { DistributionPlan } from './distribution-plan.ts'
import { figureDays } from './figure-queries.ts'

/** Lanes, stored categories, and weekdays (0 Monday); null: all. */
export type DistributionScope = VehicleScope & Record<'lanes' | 'categories' | 'weekdays', readonly number[] | null>

const DAY = raw('day')
const MONTH = raw('month')
const KEYS = sql`location_id, day, lane_number, ctg8p1`

/** Days of stations in [from, to) whose distributions are not derived. */
export const marksOf = (db: Database, locations: readonly number[], from: string, to: string) => {
  const inRange = sql`location_id = any(${locations.map(String)}::int[]) and day >= ${from}::date and day < ${to}::date`
  return db.query<StationDay>(sql`
  select location_id as "locationId", day::text from traffic_mark where ${inRange}
  union
  select location_id, day::text from distribution_mark where ${inRange}`)
}

const laneFilter = ({ lanes }: DistributionScope) =>
  lanes ? sql`and lane_number = any(${lanes.map(String)}::smallint[])` : sql``

/** Whether the rows of all lanes and categories together are read, which are far fewer. */
const isUnfiltered = ({ lanes, categories }: DistributionScope): boolean => !lanes && !categories

const filterOf = (scope: DistributionScope) => sql`
  ${laneFilter(scope)}
  ${scope.categories ? sql`and ctg8p1 = any(${scope.categories.map(String)}::smallint[])` : sql``}`

const weekdayFilter = (weekday: Statement, { weekdays }: DistributionScope) =>
  weekdays ? sql`and ${weekday} = any(${weekdays.map(String)}::int[])` : sql``

const WEEKDAY = raw('weekday')
const weekdayOf = (day: string) => raw(`extract(isodow from ${day})::int - 1`)
const WEEKDAY_OF_DAY = weekdayOf('day')

/** Whether the scope filters by class or country, which no roll-up has: its vehicles are counted one by one. */
export const hasClassOrCountry = ({ costClasses, nationalities }: DistributionScope): boolean =>
  costClasses !== null || nationalities !== null

/** Tables of hours, which for `kept` days are not read: their hours are counted from the hourly roll-up. */
const HOUR_TABLES = ['hour_day', 'profile_day']

/**
 * Rows of a distribution of months and days that are stored; `date` is the first day of the month, or the day. Days are read by month,
 * with its bounds as constants: joined at once, the planner would read the whole table.
 */
const rollUps = (plan: DistributionPlan, name: string, columns: Statement, filter: Statement) =>
  join(
    [
      storedRows(plan.months, MONTH, `${name}_month`, columns, filter),
      ...dayRows(plan, `${name}_day`, columns, filter),
    ],
    ' union all ',
  )

const storedRows = (
  rows: readonly StationDay[],
  date: Statement,
  table: string,
  columns: Statement,
  filter: Statement,
) => sql`
    select t.location_id, t.${date} as date, ${columns}
    from ${rowsOf(rows, date)}
    join (select * from ${raw(table)} where true ${filter}) t
      on t.location_id = g.location_id and t.${date} = g.${date}`

const dayRows = ({ days, kept }: DistributionPlan, table: string, columns: Statement, filter: Statement) => {
  const stored = HOUR_TABLES.includes(table) ? days : [...days, ...kept]
  return [...Map.groupBy(stored, ({ day }) => `${day.slice(0, 7)}-01`)].map(([month, some]) => {
    const ofMonth = sql`and day >= ${month}::date and day < (${month}::date + interval '1 month')::date`
    return storedRows(some, DAY, table, columns, sql`${ofMonth} ${filter}`)
  })
}

/** Common table expressions of the vehicles of dirty days. */
const dirtyVehicles = ({ dirty }: { dirty: readonly StationDay[] }, scope: DistributionScope) => sql`
  v as materialized (${vehiclesOf(dirty, scope)})`

export type SpeedCell = { locationId: number; bin: number; n: number }

/** A cell with vehicles above the limit, and by more than 10 km/h; only their sums over all bins of a station are right. */
export type SpeedExcessCell = SpeedCell & { aboveLimit: number; aboveLimitBy10: number }

/**
 * Vehicles by station and km/h; dayparts by their numbers, null: all. Those above the limit of a stored row are in its first
 * bin: set-returning functions in one select list advance in lockstep, and shorter ones are padded with nulls.
 */
export const speedCells = (
  db: Database,
  plan: DistributionPlan,
  scope: DistributionScope,
  dayparts: readonly number[] | null,
) => {
  const filter = sql`${filterOf(scope)}
    ${dayparts ? sql`and daypart = any(${dayparts.map(String)}::smallint[])` : sql``}`
  const columns = raw('first, counts, above_limit, above_limit_by_10')
  return db.query<SpeedExcessCell>(sql`
  with ${dirtyVehicles(plan, scope)}
  select location_id as "locationId", bin, sum(n)::float8 as n, coalesce(sum(above_limit), 0)::float8 as "aboveLimit",
         coalesce(sum(above_limit_by_10), 0)::float8 as "aboveLimitBy10"
  from (
    select location_id, generate_series(first, first + cardinality(counts) - 1) as bin, unnest(counts) as n,
           unnest(array[above_limit]) as above_limit, unnest(array[above_limit_by_10]) as above_limit_by_10
    from (${rollUps(plan, isUnfiltered(scope) ? 'speed_total' : 'speed', columns, filter)}) t
    union all
    select location_id, bin, n, above_limit, above_limit_by_10 from (${speedBins(sql`v`, KEYS)}) b where true ${filter}
  ) c
  group by location_id, bin
  order by location_id, bin`)
}

export type HeadwayCell = { locationId: number; heavy: boolean; bin: number | null; n: number }

/** Headways by station, weight and bin; with bin null the sum of all, ms. */
export const headwayCells = (db: Database, plan: DistributionPlan, scope: DistributionScope) => {
  const lanes = laneFilter(scope)
  const dirtyKeys = sql`location_id, day, lane_number`
  return db.query<HeadwayCell>(sql`
  with headway as materialized (${headwaysOf(plan.dirty, scope)}),
  t as materialized (${rollUps(plan, 'headway', sql`heavy, headway_sum, counts`, lanes)})
  select location_id as "locationId", heavy, bin, sum(n)::float8 as n
  from (
    select location_id, heavy, (i - 1)::int as bin, n from t cross join unnest(counts) with ordinality u (n, i)
    union all
    select location_id, heavy, bin, n from (${headwayBins(sql`headway`, dirtyKeys)}) b where true ${lanes}
    union all
    select location_id, heavy, null, headway_sum from t
    union all
    select location_id, heavy, null, ms from headway where true ${lanes}
  ) c
  group by location_id, heavy, bin`)
}

/** Headways of a station: their number and their sum, ms. */
export type HeadwaySum = { locationId: number; headways: number; sum: number }

/** Number and sum of the headways by station, for which no bins have to be added up. */
export const headwaySums = (db: Database, plan: DistributionPlan, scope: DistributionScope) => {
  const lanes = laneFilter(scope)
  const columns = raw('headway_sum as sum, (select sum(n) from unnest(counts) n) as headways')
  return db.query<HeadwaySum>(sql`
  select location_id as "locationId", sum(headways)::float8 as headways, sum(sum)::float8 as sum
  from (
    ${rollUps(plan, 'headway', columns, lanes)}
    union all
    select location_id, day, ms, 1 from (${headwaysOf(plan.dirty, scope)}) h where true ${lanes}
  ) c
  group by location_id`)
}

/** Loads of a station; sums of kg⁴ as decimal text, `judged4` and `avoidable4` of vehicles whose overload was judged. */
export type LoadSum = {
  locationId: number
  overloaded: boolean
  vehicles: number
  weighed: number
  judged: number
  loadSum: number
  axles: number
  load4: string
  judged4: string
  avoidable4: string
}

const sumsOfLoads = (plan: DistributionPlan, scope: DistributionScope, key: Statement) => {
  const columns = raw(
    'ctg8p1, overloaded, vehicles, weighed, judged, load_sum, axles, load4_sum, judged_load4_sum, avoidable4_sum',
  )
  return sql`
  with ${dirtyVehicles(plan, scope)}
  select location_id as "locationId", ${key}, overloaded,
         sum(vehicles)::float8 as vehicles, sum(weighed)::float8 as weighed, sum(load_sum)::float8 as "loadSum",
         coalesce(sum(judged), 0)::float8 as judged, sum(axles)::float8 as axles, sum(load4_sum)::text as load4,
         coalesce(sum(judged_load4_sum), 0)::text as judged4,
         coalesce(sum(avoidable4_sum) filter (where judged is not null), 0)::text as avoidable4
  from (
    ${rollUps(plan, 'load', columns, filterOf(scope))}
    union all
    select location_id, day, ${columns} from (${loadSums(sql`v`, KEYS)}) b where true ${filterOf(scope)}
  ) c
  group by 1, 2, 3
  order by 1, 2, 3`
}

/** Sums of loads by station, category, and whether overloaded. */
export const loadsByCategory = (db: Database, plan: DistributionPlan, scope: DistributionScope) =>
  db.query<LoadSum & { ctg8p1: number }>(sumsOfLoads(plan, scope, raw('ctg8p1')))

/** Sums of the fourth powers of axle loads by station, kg⁴ as decimal text. */
export const fourthPowers = (db: Database, plan: DistributionPlan, scope: DistributionScope) =>
  db.query<Pick<LoadSum, 'locationId' | 'load4'>>(sql`
  with ${dirtyVehicles(plan, scope)}
  select location_id as "locationId", sum(load4_sum)::text as load4
  from (
    ${rollUps(plan, 'load', raw('load4_sum'), filterOf(scope))}
    union all
    select location_id, day, load4_sum from (${loadSums(sql`v`, KEYS)}) b where true ${filterOf(scope)}
  ) c
  group by location_id`)

/** Sums of loads by station, month (its first day), and whether overloaded. */
export const loadsByMonth = (db: Database, plan: DistributionPlan, scope: DistributionScope) =>
  db.query<LoadSum & { month: string }>(sumsOfLoads(plan, scope, raw("date_trunc('month', date)::date::text as month")))

/** Vehicles by station and gross weight. */
export const grossCells = (db: Database, plan: DistributionPlan, scope: DistributionScope) =>
  db.query<SpeedCell>(sql`
  with ${dirtyVehicles(plan, scope)}
  select location_id as "locationId", bin, sum(n)::float8 as n
  from (
    select location_id, generate_series(0, cardinality(gross) - 1) as bin, unnest(gross) as n
    from (${rollUps(plan, 'load', raw('gross'), filterOf(scope))}) t
    union all
    select location_id, bin, n from (${grossBins(sql`v`, KEYS)}) b where true ${filterOf(scope)}
  ) c
  group by location_id, bin`)

export type AxleCell = SpeedCell & { kind: number; unit: number }

/** Axle groups by station, kind, unit (1 t, 2 kN) and load. */
export const axleCells = (db: Database, plan: DistributionPlan, scope: DistributionScope) =>
  db.query<AxleCell>(sql`
  with ${dirtyVehicles(plan, scope)},
  t as materialized (${rollUps(plan, isUnfiltered(scope) ? 'axle_total' : 'axle', raw('kind, t_counts, kn_counts'), filterOf(scope))})
  select location_id as "locationId", kind, unit, bin, sum(n)::float8 as n
  from (
    ${join(
      ['t_counts', 'kn_counts'].map(
        (column, index) => sql`
      select location_id, kind, ${index + 1}::int as unit, generate_series(0, cardinality(${raw(column)}) - 1) as bin,
             unnest(${raw(column)}) as n
      from t`,
      ),
      ' union all ',
    )}
    union all
    select location_id, kind, unit, bin, n from (${axleBins(sql`v`, KEYS)}) b where true ${filterOf(scope)}
  ) c
  group by 1, 2, 3, 4`)

/** Vehicles of a day, its local midnight, at a station: all, heavy ones, and by parts of the day. */
export type ProfileDay = DayTraffic & { locationId: number; heavyVehicles: number } & Record<
    'inDay' | 'inEvening' | 'inNight',
    number
  >

/** Days since 1970. */
const DAY_NUMBER = raw("(day - date '1970-01-01')")

/** Day number, vehicles, heavy ones, 1 if covered, in the day, in the evening, at night. */
type ProfileFields = [number, number, number, number, number, number, number]

/** Sum of the hours [from, to). */
const hoursBetween = (from: number, to: number) =>
  raw(Array.from({ length: to - from }, (_, index) => `hours[${from + index + 1}]`).join(' + '))
const [MORNING, EVENING, NIGHT] = DAYPART_HOURS
const [COVERED_FROM, COVERED_TO] = COVERED_HOURS
/** The local hour that is missing, or occurs twice, when clocks change. */
const CHANGED_HOUR = 2

/** Days of stations that hours are read of, and those of them that are dirty, or counted one by one. */
type ProfileRange = { dirty: readonly StationDay[]; locations: readonly number[]; range: readonly [string, string] }

const ofRange = ({ locations, range: [from, to] }: ProfileRange) => sql`
  location_id = any(${locations.map(String)}::int[]) and day >= ${from}::date and day < ${to}::date`

const dirtyInput = (dirty: readonly StationDay[]) =>
  sql`input as materialized (select location_id, day from ${rowsOf(dirty, DAY)})`

const isClean = sql`(location_id, day) not in (select location_id, day from input)`

/** Vehicles of dirty days by hour: those of a class or country one by one, others from the hourly roll-up. */
const dirtyHours = (dirty: readonly StationDay[], scope: DistributionScope) => sql`
  (select * from (${
    hasClassOrCountry(scope) ? hoursOfVehicles(dirty, scope, filterOf(scope)) : hoursOfDays(sql`input`, filterOf(scope))
  }) h where true ${weekdayFilter(WEEKDAY, scope)})`

/** Whether the scope has all vehicles. */
const isWhole = (scope: DistributionScope): boolean => Object.values(scope).every((list) => list === null)

/**
 * Vehicles by station and day; of dirty days from their hours. With a scope only those in it. The days of a station are read as
 * one text: a year of many stations has thousands, which take twice as long as rows.
 */
export async function profileDays(
  db: Database,
  profileRange: ProfileRange,
  scope: DistributionScope,
): Promise<ProfileDay[]> {
  const { dirty } = profileRange
  const conditions = sql`${ofRange(profileRange)} and ${isClean}`
  const stored = isWhole(scope)
    ? sql`select location_id, day, vehicles, heavy_vehicles, hours from profile_day where ${conditions}`
    : profilesOf(
        sql`(select * from hour_day where ${conditions} ${filterOf(scope)} ${weekdayFilter(WEEKDAY, scope)})`,
        scope.hours,
      )
  const stations = await db.query<{ locationId: number; days: string }>(sql`
  with ${dirtyInput(dirty)}
  select location_id as "locationId", concat('[[', string_agg(concat_ws(',',
           ${DAY_NUMBER}, vehicles, heavy_vehicles,
           (0 <> all(hours[${COVERED_FROM + 1}::int : ${COVERED_TO}::int]))::int,
           ${hoursBetween(MORNING, EVENING)}, ${hoursBetween(EVENING, NIGHT)},
           ${hoursBetween(0, MORNING)} + ${hoursBetween(NIGHT, 24)}), '],['), ']]') as days
  from (
    ${hasClassOrCountry(scope) ? sql`` : sql`${stored} union all`}
    (${profilesOf(dirtyHours(dirty, scope), scope.hours)})
  ) p
  group by location_id`)
  return stations.flatMap(({ locationId, days }) =>
    (JSON.parse(days) as ProfileFields[]).map(
      ([day, vehicles, heavyVehicles, covered, inDay, inEvening, inNight]): ProfileDay => ({
        locationId,
        day: day * DAY_MS,
        vehicles,
        heavyVehicles,
        isCovered: covered === 1,
        inDay,
        inEvening,
        inNight,
      }),
    ),
  )
}

/**
 * Numbers of the days with weighed vehicles on the lanes of the scope, on its weekdays, whatever their category, by station. Of all
 * lanes those with a weighed first axle, for which far fewer rows are read: `findWeighedDays` finds the others.
 */
export const weighedDays = (db: Database, profileRange: ProfileRange, scope: DistributionScope) =>
  db.query<{ locationId: number; days: number[] }>(sql`
  with ${dirtyInput(profileRange.dirty)}
  select location_id as "locationId", array_agg(${DAY_NUMBER}) as days
  from (
    ${
      scope.lanes
        ? sql`select distinct location_id, day from load_day
              where ${ofRange(profileRange)} and ${isClean} and weighed > 0 ${laneFilter(scope)}`
        : sql`select location_id, day from axle_total_day where ${ofRange(profileRange)} and ${isClean} and kind = 1`
    }
    union all
    select location_id, day from (${weighedDaysOf(profileRange.dirty, laneFilter(scope))}) v
    where ${ofRange(profileRange)}
  ) d
  where true ${weekdayFilter(WEEKDAY_OF_DAY, scope)}
  group by location_id`)

/** Which of some months, none of them with dirty days, have weighed vehicles. */
export const findWeighedMonths = (db: Database, months: readonly StationDay[]) =>
  db.query<StationDay>(sql`
  select distinct t.location_id as "locationId", t.month::text as day
  from ${rowsOf(months, MONTH)}
  join load_month t on t.location_id = g.location_id and t.month = g.month
  where t.weighed > 0`)

/**
 * Which of some days, none of them dirty, have weighed vehicles. Days are read by month, with its stations and ends as constants:
 * joined at once, the planner would read the whole table.
 */
export const findWeighedDays = (db: Database, days: readonly StationDay[]) =>
  db.query<StationDay>(
    join(
      [...Map.groupBy(days, ({ day }) => day.slice(0, 7)).values()].map((some) => {
        const dates = some.map(({ day }) => day).toSorted()
        const stations = [...new Set(some.map(({ locationId }) => String(locationId)))]
        return sql`
  select distinct t.location_id as "locationId", t.day::text
  from ${rowsOf(some, DAY)}
  join (select location_id, day, weighed from load_day where location_id = any(${stations}::int[])
          and day >= ${dates[0] ?? ''}::date and day <= ${dates.at(-1) ?? ''}::date) t
    on t.location_id = g.location_id and t.day = g.day
  where t.weighed > 0`
      }),
      ' union all ',
    ),
  )

/** Vehicles by station and weekday (0 Monday), by local hour. */
export type WeekdayHours = { locationId: number; weekday: number; hours: number[] }

/** Hours of all vehicles by day, which are fewer rows than those by lane and category, also of whole months. */
const profileRows = (plan: DistributionPlan, filter: Statement) => {
  const columns = sql`${weekdayOf('t.day')} as weekday, hours`
  const ofMonths = sql`
    select t.location_id, t.day as date, ${columns}
    from ${rowsOf(plan.months, MONTH)}
    join (select * from profile_day where true ${filter}) t
      on t.location_id = g.location_id and t.day >= g.month and t.day < (g.month + interval '1 month')::date`
  return join([ofMonths, ...dayRows(plan, 'profile_day', columns, filter)], ' union all ')
}

/** Vehicles by station, weekday and local hour; dirty days from their hours. */
export const weekdayHours = (db: Database, plan: DistributionPlan, scope: DistributionScope) => {
  const dirty = [...plan.dirty, ...plan.kept]
  const filter = sql`${filterOf(scope)} ${weekdayFilter(WEEKDAY, scope)}`
  const stored = isUnfiltered(scope)
    ? profileRows(plan, weekdayFilter(WEEKDAY_OF_DAY, scope))
    : rollUps(plan, 'hour', raw('weekday, hours'), filter)
  return db.query<WeekdayHours>(sql`
  with ${dirtyInput(dirty)}
  select location_id as "locationId", weekday::int as weekday, ${sumOfHours(scope.hours)}::float8[] as hours
  from (
    ${stored}
    union all
    select location_id, day, weekday, hours from ${dirtyHours(dirty, scope)} d
  ) c
  group by location_id, weekday`)
}

/** Those of some days of which vehicles are deleted: all before the first stored one, and its day if the roll-up has more. */
export async function deletedDays(db: Database, days: readonly StationDay[]): Promise<StationDay[]> {
  const [{ first = null } = {}] = await db.query<{ first: string | null }>(sql`
  select (min(created_at) at time zone 'Europe/Warsaw')::date::text as first from vehicle`)
  if (first === null) return [...days]
  const ofFirst = days.filter(({ day }) => day === first)
  const partly = await db.query<StationDay>(sql`
  with ${dirtyInput(ofFirst)},
  counted as (select location_id, count(*) as n from (${vehiclesOf(ofFirst)}) v group by location_id),
  hours as (
    select location_id, day, sum(n) as n
    from (${hoursOfDays(sql`input`, sql``)}) d cross join unnest(hours) n group by location_id, day
  )
  select location_id as "locationId", day::text from hours left join counted using (location_id)
  where hours.n > coalesce(counted.n, 0)`)
  const figures = await figureDays(
    db,
    days.filter(({ day }) => day >= first),
  )
  return [...days.filter(({ day }) => day < first), ...partly, ...figures]
}

/** Number of days `m`, of a `length`, on which an hour was measured. */
const daysMeasured = (hour: number) => {
  if (hour === CHANGED_HOUR) return raw('sum(length.hours - 23)')
  const isCovered = hour >= COVERED_FROM && hour < COVERED_TO
  return raw(isCovered ? `count(*) filter (where m.hours[${hour + 1}] > 0)` : 'count(*)')
}

/** Days of a range on which the lanes of a scope had vehicles. */
const daysOfLanes = (profileRange: ProfileRange, scope: DistributionScope) => sql`
  select location_id, day from hour_day where ${ofRange(profileRange)} and ${isClean} ${laneFilter(scope)}
  union
  select location_id, day from (${hoursOfDays(sql`input`, laneFilter(scope))}) d`

/**
 * Hours of a range that stations measured, by weekday and local hour: on days with vehicles on the lanes of the scope, those
 * from 05 to 23 only with a vehicle on any lane. When clocks change, 2 o'clock counts never or twice.
 */
export const measuredHours = (db: Database, profileRange: ProfileRange, scope: DistributionScope) => {
  const [from, to] = profileRange.range
  return db.query<WeekdayHours>(sql`
  with ${dirtyInput(profileRange.dirty)},
  measured as materialized (
    select location_id, day, hours
    from profile_day
    where ${ofRange(profileRange)} and ${isClean}
    union all
    select location_id, day, ${sumOfHours()}::int[] from (${hoursOfDays(sql`input`, sql``)}) d
    where day >= ${from}::date and day < ${to}::date
    group by location_id, day
  ),
  length as (
    select day::date, (extract(epoch from (day::date + 1)::timestamp at time zone 'Europe/Warsaw'
             - day::date::timestamp at time zone 'Europe/Warsaw') / 3600)::int as hours
    from generate_series(${from}::date, ${to}::date - 1, interval '1 day') day
  )
  select m.location_id as "locationId", extract(isodow from day)::int - 1 as weekday,
         array[${join(HOURS.map(daysMeasured))}]::int[] as hours
  from measured m
  join length using (day)
  ${scope.lanes ? sql`where (m.location_id, m.day) in (${daysOfLanes(profileRange, scope)})` : sql``}
  group by 1, 2`)
}

/** Vehicles of dirty days, from the hourly roll-up. */
export async function dirtyVehicleCount(db: Database, dirty: readonly StationDay[]): Promise<number> {
  const [row] = await db.query<{ vehicles: number }>(sql`
  with ${dirtyInput(dirty)}
  select coalesce(sum(n), 0)::float8 as vehicles
  from (${hoursOfDays(sql`input`, sql``)}) d
  cross join unnest(hours) n`)
  return row?.vehicles ?? 0
}
