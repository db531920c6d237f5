import type { Database } from '../core/database.ts'
import { openTransactions } from '../core/distribution.ts'
import { LOCKS } from '../core/locks.ts'
import { join, raw, type Statement, sql } from '../core/statement.ts'
import {
  axleBins,
  DAY,
  grossBins,
  headwayBins,
  headwaysOf,
  hoursOfDays,
  loadSums,
  MONTH,
  profilesOf,
  rowsOf,
  type StationDay,
  speedBins,
  startOf,
  sumOfHours,
  vehiclesOf,
} from './distribution-bin-queries.ts'

/** Tries the advisory lock that serialises the derivation of distributions; held until the transaction ends. */
export const tryLockDistributions = async (db: Database): Promise<boolean> => {
  const [lock] = await db.query<{ acquired: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCKS.distributions}) as acquired`,
  )
  return lock?.acquired ?? false
}

/** Marks days whose daily roll-up was derived: their distributions are derived next. */
export const markDistributions = (db: Database, days: readonly StationDay[]) =>
  db.execute(sql`
  insert into distribution_mark (location_id, day)
  select g.location_id, g.day from ${rowsOf(days, DAY)}
  order by 1, 2
  on conflict do nothing`)

/** Days whose distributions are to be derived, newest first: those are read most. */
export const markedDistributions = (db: Database, limit: number) =>
  db.query<StationDay>(sql`
  select location_id as "locationId", day::text from distribution_mark
  order by distribution_mark.day desc, location_id
  limit ${limit}`)

/**
 * Deletes the mark of a day; false if another process has derived it, or vehicles of the day may not be visible yet, which
 * its roll-up counts: the next run finds it.
 */
export const deleteDistributionMark = async (
  db: Database,
  { locationId, day }: StationDay,
  isDistributed: boolean,
): Promise<boolean> =>
  (await db.execute(sql`
  delete from distribution_mark
  where location_id = ${locationId}::int and day = ${day}::date and not exists (
    select from arrival, (${openTransactions(isDistributed, { asksWorkers: true })}) now
    where location_id = ${locationId}::int and hour >= ${startOf(sql`${day}::date`)}
      and hour < ${startOf(sql`(${day}::date + 1)`)} and written_by >= pending)`)) > 0

/** The months of days without marked distributions. */
export const distributedMonths = (db: Database, days: readonly StationDay[]) =>
  db.query<StationDay>(sql`
  select g.location_id as "locationId", g.month::text as day
  from (
    select distinct location_id, date_trunc('month', day)::date as month
    from (select g.location_id, g.day from ${rowsOf(days, DAY)}) d
  ) g
  left join distribution_mark m
    on m.location_id = g.location_id and m.day >= g.month and m.day < (g.month + interval '1 month')::date
  where m.location_id is null`)

/** Counts of bins (`bin`, `n`) by `keys` as arrays without trailing zeros; from bin 0, or from the lowest. */
const arrays = (bins: Statement, keys: Statement, start: Statement = sql`0`) => sql`
  select ${keys}, first, array_agg(coalesce(n, 0) order by bin)::int[] as counts
  from (
    select ${keys}, first, generate_series(first, last) as bin
    from (select ${keys}, ${start} as first, max(bin) as last from ${bins} group by ${keys}) r
  ) s
  left join ${bins} using (${keys}, bin)
  group by ${keys}, first`

/** Arrays of both units by `keys`. */
const byUnit = (bins: Statement, keys: Statement) => sql`
  select ${keys}, max(counts) filter (where unit = 1) as t_counts, max(counts) filter (where unit = 2) as kn_counts
  from (${arrays(bins, sql`${keys}, unit`)}) a
  group by ${keys}`

/** Arrays of speeds by `keys`, with the vehicles above the limit. */
const speedRows = (bins: Statement, keys: Statement) => sql`
  select ${keys}, first, counts, above_limit, above_limit_by_10
  from (${arrays(bins, keys, sql`min(bin)`)}) a
  join (
    select ${keys}, sum(above_limit)::int as above_limit, sum(above_limit_by_10)::int as above_limit_by_10
    from ${bins} group by ${keys}
  ) e using (${keys})`

/** Distributions of one date column: `keys` with the date, and the tables of that column. */
type Level = { date: Statement; keys: Statement; lanes: Statement }
const levelOf = (date: Statement): Level => ({
  date,
  keys: sql`location_id, ${date}, lane_number, ctg8p1`,
  lanes: sql`location_id, ${date}, lane_number`,
})
const ofDay = levelOf(DAY)
const ofMonth = levelOf(MONTH)

/** Tables of distributions, without the suffix of their date column. */
const tables = ['speed', 'speed_total', 'load', 'axle', 'axle_total', 'headway'] as const
const table = (name: (typeof tables)[number] | 'hour', { date }: Level) => raw(`${name}_${date.sql}`)

/** The inserts of a level from common table expressions of its bins and sums. */
const inserts = (level: Level) => {
  const { date, keys, lanes } = level
  const total = sql`location_id, ${date}`
  return [
    sql`speed_rows as (
      insert into ${table('speed', level)} (location_id, ${date}, lane_number, ctg8p1, daypart, first, counts,
        above_limit, above_limit_by_10)
      ${speedRows(sql`speed_bin`, sql`${keys}, daypart`)})`,
    sql`speed_total_bin as materialized (
      select ${total}, daypart, bin, sum(n)::int as n, sum(above_limit)::int as above_limit,
             sum(above_limit_by_10)::int as above_limit_by_10
      from speed_bin group by ${total}, daypart, bin)`,
    sql`speed_total_rows as (
      insert into ${table('speed_total', level)} (${total}, daypart, first, counts, above_limit, above_limit_by_10)
      ${speedRows(sql`speed_total_bin`, sql`${total}, daypart`)})`,
    sql`axle_total_bin as materialized (
      select ${total}, kind, unit, bin, sum(n)::int as n from axle_bin group by ${total}, kind, unit, bin)`,
    sql`axle_total_rows as (
      insert into ${table('axle_total', level)} (${total}, kind, t_counts, kn_counts)
      ${byUnit(sql`axle_total_bin`, sql`${total}, kind`)})`,
    sql`load_rows as (
      insert into ${table('load', level)} (location_id, ${date}, lane_number, ctg8p1, overloaded, vehicles, weighed,
        judged, load_sum, axles, load4_sum, judged_load4_sum, avoidable4_sum, gross)
      select ${keys}, overloaded, vehicles, weighed, judged, load_sum, axles, load4_sum, judged_load4_sum, avoidable4_sum,
             coalesce(counts, '{}')
      from load_sum left join (${arrays(sql`gross_bin`, sql`${keys}, overloaded`)}) g using (${keys}, overloaded))`,
    sql`axle_rows as (
      insert into ${table('axle', level)} (location_id, ${date}, lane_number, ctg8p1, kind, groups, t_counts, kn_counts)
      select ${keys}, kind, (select sum(c) from unnest(t_counts) c), t_counts, kn_counts
      from (${byUnit(sql`axle_bin`, sql`${keys}, kind`)}) b)`,
    sql`headway_rows as (
      insert into ${table('headway', level)} (location_id, ${date}, lane_number, heavy, headway_sum, counts)
      select ${lanes}, heavy, headway_sum, counts
      from headway_sum join (${arrays(sql`headway_bin`, sql`${lanes}, heavy`)}) h using (${lanes}, heavy))`,
  ]
}

/**
 * Rebuilds the distributions of days from their vehicles, and the headways of the following days, whose first vehicles
 * have headways to vehicles of these; returns the days with rebuilt headways.
 */
export async function deriveDistributions(db: Database, days: readonly StationDay[]): Promise<StationDay[]> {
  if (days.length === 0) return []
  const followed = await db.query<StationDay>(sql`
    select g.location_id as "locationId", g.day::text from ${rowsOf(days, DAY)}
    union
    select h.location_id, h.day::text from ${rowsOf(days, DAY)}
    join load_day h on h.location_id = g.location_id and h.day = g.day + 1
    left join figure_day f on f.location_id = h.location_id and f.day = h.day
    where f.day is null`)
  await replaceDistributions(
    db,
    { days, vehicles: vehiclesOf(days) },
    { days: followed, headways: headwaysOf(followed) },
  )
  return followed
}

/** Replaces the distributions of days by those of `vehicles` (`detailedVehicles`), and the headways of days. */
export async function replaceDistributions(
  db: Database,
  { days, vehicles }: { days: readonly StationDay[]; vehicles: Statement },
  ofHeadways: { days: readonly StationDay[]; headways: Statement },
): Promise<void> {
  await deleteRows(db, days, ['speed_day', 'speed_total_day', 'load_day', 'axle_day', 'axle_total_day'], DAY)
  await deleteRows(db, ofHeadways.days, ['headway_day'], DAY)
  const { keys, lanes } = ofDay
  await db.query(sql`
    with v as materialized (${vehicles}),
    headway as materialized (${ofHeadways.headways}),
    speed_bin as materialized (${speedBins(sql`v`, keys)}),
    gross_bin as materialized (${grossBins(sql`v`, keys)}),
    load_sum as materialized (${loadSums(sql`v`, keys)}),
    axle_bin as materialized (${axleBins(sql`v`, keys)}),
    headway_bin as materialized (${headwayBins(sql`headway`, lanes)}),
    headway_sum as materialized (
      select ${lanes}, heavy, sum(ms)::bigint as headway_sum from headway group by ${lanes}, heavy
    ),
    ${join(inserts(ofDay))}
    select 1`)
}

/** Rebuilds the hours and profiles of days from the hourly roll-up, also if no vehicles of them are stored. */
export async function deriveHours(db: Database, days: readonly StationDay[]): Promise<void> {
  await deleteRows(db, days, ['hour_day', 'profile_day'], DAY)
  await db.query(sql`
    with input as materialized (select location_id, day from ${rowsOf(days, DAY)}),
    rows as materialized (${hoursOfDays(sql`input`, sql``)}),
    profile_rows as (
      insert into profile_day (location_id, day, vehicles, heavy_vehicles, hours) ${profilesOf(sql`rows`)}
    )
    insert into hour_day (location_id, day, lane_number, ctg8p1, weekday, hours)
    select location_id, day, lane_number, ctg8p1, weekday, hours from rows`)
}

/** Rebuilds the distributions of months from their days. */
export async function deriveDistributionMonths(db: Database, months: readonly StationDay[]): Promise<void> {
  if (months.length === 0) return
  await deleteRows(
    db,
    months,
    ['hour', ...tables].map((name) => `${name}_month`),
    MONTH,
  )
  // Columns that are arrays become bins again; vehicles above the limit are counted in the first bin of their day.
  const days = (name: (typeof tables)[number] | 'hour') => sql`
    input g join ${table(name, ofDay)} t on t.location_id = g.location_id and t.day >= g.month
      and t.day < (g.month + interval '1 month')::date`
  const columns = sql`g.location_id, g.month, t.lane_number`
  await db.query(sql`
    with input as materialized (select location_id, month from ${rowsOf(months, MONTH)}),
    speed_bin as materialized (
      select ${columns}, ctg8p1, daypart, (first + i - 1)::int as bin, sum(n)::int as n,
             coalesce(sum(above_limit) filter (where i = 1), 0)::int as above_limit,
             coalesce(sum(above_limit_by_10) filter (where i = 1), 0)::int as above_limit_by_10
      from ${days('speed')} cross join unnest(counts) with ordinality u (n, i) group by 1, 2, 3, 4, 5, 6
    ),
    gross_bin as materialized (
      select ${columns}, ctg8p1, overloaded, (i - 1)::int as bin, sum(n)::int as n
      from ${days('load')} cross join unnest(gross) with ordinality u (n, i) group by 1, 2, 3, 4, 5, 6
    ),
    load_sum as materialized (
      select ${columns}, ctg8p1, overloaded, sum(vehicles)::int as vehicles, sum(weighed)::int as weighed,
             sum(judged)::int as judged, sum(load_sum)::bigint as load_sum, sum(axles)::int as axles,
             sum(load4_sum) as load4_sum, sum(judged_load4_sum) as judged_load4_sum, sum(avoidable4_sum) as avoidable4_sum
      from ${days('load')} group by 1, 2, 3, 4, 5
    ),
    axle_bin as materialized (
      select ${columns}, ctg8p1, kind, 1 as unit, (i - 1)::int as bin, sum(n)::int as n
      from ${days('axle')} cross join unnest(t_counts) with ordinality u (n, i) group by 1, 2, 3, 4, 5, 6, 7
      union all
      select ${columns}, ctg8p1, kind, 2, (i - 1)::int, sum(n)::int
      from ${days('axle')} cross join unnest(kn_counts) with ordinality u (n, i) group by 1, 2, 3, 4, 5, 6, 7
    ),
    headway_bin as materialized (
      select ${columns}, heavy, (i - 1)::int as bin, sum(n)::int as n
      from ${days('headway')} cross join unnest(counts) with ordinality u (n, i) group by 1, 2, 3, 4, 5
    ),
    headway_sum as materialized (
      select ${columns}, heavy, sum(headway_sum)::bigint as headway_sum from ${days('headway')} group by 1, 2, 3, 4
    ),
    hour_rows as (
      insert into hour_month (location_id, month, lane_number, ctg8p1, weekday, hours)
      select ${columns}, ctg8p1, weekday, ${sumOfHours()}::int[] from ${days('hour')} group by 1, 2, 3, 4, 5
    ),
    ${join(inserts(ofMonth))}
    select 1`)
}

const deleteRows = async (db: Database, days: readonly StationDay[], names: readonly string[], date: Statement) => {
  for (const name of names)
    await db.execute(sql`delete from ${raw(name)} t using ${rowsOf(days, date)}
      where t.location_id = g.location_id and t.${date} = g.${date}`)
}
