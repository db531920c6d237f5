import type { Database } from '../core/database.ts'
import { LOCKS } from '../core/locks.ts'
import { sql } from '../core/statement.ts'
import type { StationDay } from './distribution-bin-queries.ts'
import { countedHours, daysOf, hoursOf } from './queries.ts'

const columnArrays = (days: readonly StationDay[]) =>
  [days.map(({ locationId }) => String(locationId)), days.map(({ day }) => day)] as const

/** Tries the advisory lock that serialises derivation across all processes; held until the transaction ends. */
export const tryLockDerivation = async (db: Database): Promise<boolean> => {
  const [lock] = await db.query<{ acquired: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCKS.trafficDay}) as acquired`,
  )
  return lock?.acquired ?? false
}

/** Dirty days before `today`: hours changed since they were derived; oldest first. */
export const dirtyDays = (db: Database, today: string, limit: number) =>
  db.query<StationDay>(sql`
  select distinct location_id as "locationId", day::text from traffic_mark
  where day < ${today}::date
  order by day, location_id
  limit ${limit}`)

/**
 * Rebuilds days from their hours. Deletes the marks first: a mark inserted later stays and triggers another run, so no
 * change is lost. Requires the advisory lock.
 */
export async function deriveDays(db: Database, days: readonly StationDay[]): Promise<void> {
  const [locations, dates] = columnArrays(days)
  const input = sql`unnest(${locations}::int[], ${dates}::date[]) as g (location_id, day)`
  await db.execute(sql`delete from traffic_mark t using ${input} where t.location_id = g.location_id and t.day = g.day`)
  await db.execute(sql`delete from traffic_day t using ${input} where t.location_id = g.location_id and t.day = g.day`)
  await db.query(sql`
    with input as materialized (
      select g.location_id, g.day, ${hoursOf(sql`g.day`)} as hour from ${input}
    )
    insert into traffic_day (
      location_id, day, lane_number, ctg8p1, violations, speed_range, overspeed_range, vehicles,
      speeds, speed_sum, speed_min, speed_max, slowness_sum, loads, load_sum, load_min, load_max
    )
    select t.location_id, g.day, t.lane_number, t.ctg8p1, t.violations, t.speed_range, t.overspeed_range,
           sum(t.vehicles), sum(t.speeds), sum(t.speed_sum), min(t.speed_min), max(t.speed_max), sum(t.slowness_sum),
           sum(t.loads), sum(t.load_sum), min(t.load_min), max(t.load_max)
    from input g
    join ${countedHours} t on t.location_id = g.location_id and t.hour = g.hour
    group by 1, 2, 3, 4, 5, 6, 7`)
}

/** The months of days that have no dirty days left. */
export async function cleanMonths(db: Database, days: readonly StationDay[]): Promise<StationDay[]> {
  const [locations, dates] = columnArrays(days)
  return db.query<StationDay>(sql`
    select g.location_id as "locationId", g.month::text as day
    from (
      select distinct location_id, date_trunc('month', day)::date as month
      from unnest(${locations}::int[], ${dates}::date[]) as d (location_id, day)
    ) g
    left join traffic_mark t
      on t.location_id = g.location_id and t.day >= g.month and t.day < (g.month + interval '1 month')::date
    where t.location_id is null`)
}

/** Rebuilds months from their days. */
export async function deriveMonths(db: Database, months: readonly StationDay[]): Promise<void> {
  if (months.length === 0) return
  const [locations, dates] = columnArrays(months)
  const input = sql`unnest(${locations}::int[], ${dates}::date[]) as g (location_id, month)`
  await db.execute(
    sql`delete from traffic_month t using ${input} where t.location_id = g.location_id and t.month = g.month`,
  )
  await db.query(sql`
    with input as materialized (
      select g.location_id, g.month, ${daysOf(sql`g.month`)} as day from ${input}
    )
    insert into traffic_month (
      location_id, month, lane_number, ctg8p1, violations, speed_range, overspeed_range, vehicles,
      speeds, speed_sum, speed_min, speed_max, slowness_sum, loads, load_sum, load_min, load_max
    )
    select t.location_id, g.month, t.lane_number, t.ctg8p1, t.violations, t.speed_range, t.overspeed_range,
           sum(t.vehicles), sum(t.speeds), sum(t.speed_sum), min(t.speed_min), max(t.speed_max), sum(t.slowness_sum),
           sum(t.loads), sum(t.load_sum), min(t.load_min), max(t.load_max)
    from input g
    join traffic_day t on t.location_id = g.location_id and t.day = g.day
    group by 1, 2, 3, 4, 5, 6, 7`)
}

/** Keeps only the newest mark per day from `today` on, which is not derived yet. */
export const compactMarks = (db: Database, today: string) =>
  db.execute(sql`
  delete from traffic_mark t
  using (
    select location_id, day, max(id) as last from traffic_mark where day >= ${today}::date group by location_id, day
  ) l
  where l.location_id = t.location_id and l.day = t.day and t.id < l.last`)
