import type { Database } from '../core/database.ts'
import { type Statement, sql } from '../core/statement.ts'
import { countedHours } from './queries.ts'

/** A row that is only in the stored roll-up or only in the recounted one. */
export type RollUpDifference = { level: 'day' | 'month'; side: 'stored' | 'recounted'; row: Record<string, unknown> }

/**
 * Compares the daily roll-up with the hours, and the monthly one with the days, for Warsaw dates of [from, to), both
 * the first of a month. Dirty days are skipped, as they are not read.
 */
export function rollUpDifferences(db: Database, from: string, to: string) {
  const keys = sql`lane_number, ctg8p1, violations, speed_range, overspeed_range`
  const sums = sql`
    sum(vehicles)::bigint as vehicles, sum(speeds)::bigint as speeds, sum(speed_sum)::bigint as speed_sum,
    min(speed_min) as speed_min, max(speed_max) as speed_max, sum(slowness_sum)::bigint as slowness_sum,
    sum(loads)::bigint as loads, sum(load_sum)::bigint as load_sum, min(load_min) as load_min,
    max(load_max) as load_max`
  const between = (date: Statement) => sql`${date} >= ${from}::date and ${date} < ${to}::date`
  return db.query<RollUpDifference>(sql`
    with marked as (
      select distinct location_id, day from traffic_mark where ${between(sql`day`)}
    ), stored_day as (
      select location_id, day, ${keys}, ${sums} from traffic_day where ${between(sql`day`)}
      group by location_id, day, ${keys}
    ), recounted_day as (
      select location_id, (hour at time zone 'Europe/Warsaw')::date as day, ${keys}, ${sums}
      from ${countedHours} h
      where hour >= ${from}::timestamp at time zone 'Europe/Warsaw' and hour < ${to}::timestamp at time zone 'Europe/Warsaw'
      group by location_id, 2, ${keys}
    ), stored_month as (
      select location_id, month, ${keys}, ${sums} from traffic_month where ${between(sql`month`)}
      group by location_id, month, ${keys}
    ), recounted_month as (
      select location_id, date_trunc('month', day)::date as month, ${keys}, ${sums} from recounted_day
      group by location_id, 2, ${keys}
    ), different_day as (
      select 'stored' as side, s.* from (select * from stored_day except select * from recounted_day) s
      union all
      select 'recounted', r.* from (select * from recounted_day except select * from stored_day) r
    ), different_month as (
      select 'stored' as side, s.* from (select * from stored_month except select * from recounted_month) s
      union all
      select 'recounted', r.* from (select * from recounted_month except select * from stored_month) r
    )
    select 'day' as level, side, to_jsonb(t) as row from different_day t
    left join marked m on m.location_id = t.location_id and m.day = t.day
    where m.day is null
    union all
    select 'month', side, to_jsonb(t) from different_month t
    left join marked m on m.location_id = t.location_id and date_trunc('month', m.day)::date = t.month
    where m.day is null`)
}

/** The first and the last hour of the hourly roll-up. */
export async function trafficHourRange(db: Database): Promise<{ first: Date; last: Date } | undefined> {
  const [hours] = await db.query<{ first: Date | null; last: Date | null }>(sql`
    select min(hour) as first, max(hour) as last from ${countedHours} h`)
  return hours?.first && hours.last ? { first: hours.first, last: hours.last } : undefined
}
