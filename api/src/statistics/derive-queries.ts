import type { Database } from '../core/database.ts'
import { LOCKS } from '../core/locks.ts'
import { sql } from '../core/statement.ts'
import { daysOf, hoursOf } from './queries.ts'

/** A Warsaw day of a station, `2026-10-20`. */
type StationDay = { locationId: number; day: string }
const columns = (days: readonly StationDay[]) =>
  [days.map(({ locationId }) => String(locationId)), days.map(({ day }) => day)] as const

/** Whether this transaction is now the only one that derives, over all processes. */
export const tryLockDerivation = async (db: Database): Promise<boolean> => {
  const [lock] = await db.query<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCKS.trafficDay}) as mine`)
  return lock?.mine ?? false
}

/** Days before `today` whose hours changed since they were derived, the oldest first. */
export const dirtyDays = (db: Database, today: string, limit: number) =>
  db.query<StationDay>(sql`
  select distinct location_id as "locationId", day::text from traffic_mark
  where day < ${today}::date
  order by day, location_id
  limit ${limit}`)

/**
 * Derives days anew from their hours, then those months of theirs in which no mark is left; the marks go first. A mark
 * that comes later stands for hours that may or may not be counted here, and stays: so nothing is ever missed.
 * Nobody else may do the same meanwhile.
 */
export async function deriveDays(db: Database, days: readonly StationDay[]): Promise<void> {
  const [locations, dates] = columns(days)
  const given = sql`unnest(${locations}::int[], ${dates}::date[]) as g (location_id, day)`
  await db.execute(sql`delete from traffic_mark t using ${given} where t.location_id = g.location_id and t.day = g.day`)
  await db.execute(sql`delete from traffic_day t using ${given} where t.location_id = g.location_id and t.day = g.day`)
  await db.query(sql`
    with given as materialized (
      select g.location_id, g.day, ${hoursOf(sql`g.day`)} as hour from ${given}
    )
    insert into traffic_day (
      location_id, day, lane_number, ctg8p1, violations, speed_range, overspeed_range, vehicles,
      speeds, speed_sum, speed_min, speed_max, slowness_sum, loads, load_sum, load_min, load_max
    )
    select t.location_id, g.day, t.lane_number, t.ctg8p1, t.violations, t.speed_range, t.overspeed_range,
           sum(t.vehicles), sum(t.speeds), sum(t.speed_sum), min(t.speed_min), max(t.speed_max), sum(t.slowness_sum),
           sum(t.loads), sum(t.load_sum), min(t.load_min), max(t.load_max)
    from given g
    join traffic_hour t on t.location_id = g.location_id and t.hour = g.hour
    group by 1, 2, 3, 4, 5, 6, 7`)

  const months = await db.query<StationDay>(sql`
    select g.location_id as "locationId", g.month::text as day
    from (select distinct location_id, date_trunc('month', day)::date as month from ${given}) g
    left join traffic_mark t
      on t.location_id = g.location_id and t.day >= g.month and t.day < (g.month + interval '1 month')::date
    where t.location_id is null`)
  await deriveMonths(db, months)
}

async function deriveMonths(db: Database, months: readonly StationDay[]): Promise<void> {
  if (months.length === 0) return
  const [locations, dates] = columns(months)
  const given = sql`unnest(${locations}::int[], ${dates}::date[]) as g (location_id, month)`
  await db.execute(
    sql`delete from traffic_month t using ${given} where t.location_id = g.location_id and t.month = g.month`,
  )
  await db.query(sql`
    with given as materialized (
      select g.location_id, g.month, ${daysOf(sql`g.month`)} as day from ${given}
    )
    insert into traffic_month (
      location_id, month, lane_number, ctg8p1, violations, speed_range, overspeed_range, vehicles,
      speeds, speed_sum, speed_min, speed_max, slowness_sum, loads, load_sum, load_min, load_max
    )
    select t.location_id, g.month, t.lane_number, t.ctg8p1, t.violations, t.speed_range, t.overspeed_range,
           sum(t.vehicles), sum(t.speeds), sum(t.speed_sum), min(t.speed_min), max(t.speed_max), sum(t.slowness_sum),
           sum(t.loads), sum(t.load_sum), min(t.load_min), max(t.load_max)
    from given g
    join traffic_day t on t.location_id = g.location_id and t.day = g.day
    group by 1, 2, 3, 4, 5, 6, 7`)
}

/** Lets one mark stand for many of the same day, from `today` on: those days are not derived yet. */
export const compactMarks = (db: Database, today: string) =>
  db.execute(sql`
  delete from traffic_mark t
  using (
    select location_id, day, max(id) as last from traffic_mark where day >= ${today}::date group by location_id, day
  ) l
  where l.location_id = t.location_id and l.day = t.day and t.id < l.last`)
