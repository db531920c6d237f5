import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { Counts } from '@rogatka/domain/overview/usual.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'
import { countWeighed } from './derive-queries.ts'

/** Ends of the hours that are counted: the last full minute, and the end of the last full quarter of an hour. */
export type HourEnds = { minute: Date; quarter: Date }

/** Counts of the hour until the last full minute; vehicles of the hour until the end of a quarter, and of its quarters. */
export type RecentCounts = Counts & {
  locationId: number
  untilQuarter: number
  lastQuarter: number
  quarterBefore: number
}

/** What the stations counted in the last hours; stations without vehicles are left out. */
export const recentCounts = (db: Database, { minute, quarter }: HourEnds) => {
  const before = (end: Date, minutes: number) => sql`${new Date(end.getTime() - minutes * MINUTE_MS)}::timestamptz`
  const since = (end: Date, minutes: number, until = 0) =>
    sql`v.created_at >= ${before(end, minutes)} and v.created_at < ${before(end, until)}`
  return db.query<RecentCounts>(sql`
    select v.location_id as "locationId", (count(*) filter (where ${since(minute, 60)}))::int as vehicles,
           ${countWeighed(since(minute, 60))},
           (count(*) filter (where ${since(quarter, 60)}))::int as "untilQuarter",
           (count(*) filter (where ${since(quarter, 15)}))::int as "lastQuarter",
           (count(*) filter (where ${since(quarter, 30, 15)}))::int as "quarterBefore"
    from vehicle v
    where v.created_at >= ${before(quarter, 60)} and v.created_at < ${before(minute, 0)}
    group by v.location_id`)
}

/** The start of a quarter in ms, the station and its counts. */
export type QuarterRow = [quarter: number, locationId: number, vehicles: number, weighed: number, overloaded: number]

/** The counts of quarters that begin at these times. */
export const quarterRows = (db: Database, starts: readonly number[]) =>
  db.arrays<QuarterRow>(sql`
  select (extract(epoch from quarter) * 1000)::float8, location_id, vehicles, weighed, overloaded
  from traffic_quarter where quarter = any(${starts.map((at) => new Date(at))}::timestamptz[])`)
