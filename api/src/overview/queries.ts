import type { Counts } from '@rogatka/domain/overview/usual.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'
import { countWeighed } from './derive-queries.ts'

/** Ends of the hours that are counted: the last full minute, and the ends of the last two quarters. */
export type HourEnds = { minute: Date; quarter: Date; quarterBefore: Date }

/** Counts of the hour until the last full minute, and vehicles of the hours until the ends of the last two quarters. */
export type RecentCounts = Counts & { locationId: number; untilQuarter: number; untilQuarterBefore: number }

const HOUR = sql`interval '1 hour'`

/** What the stations counted in the last hours; stations without vehicles are left out. */
export const recentCounts = (db: Database, { minute, quarter, quarterBefore }: HourEnds) => {
  const inHour = (end: Date) =>
    sql`v.created_at >= ${end}::timestamptz - ${HOUR} and v.created_at < ${end}::timestamptz`
  return db.query<RecentCounts>(sql`
    select v.location_id as "locationId", (count(*) filter (where ${inHour(minute)}))::int as vehicles,
           ${countWeighed(inHour(minute))},
           (count(*) filter (where ${inHour(quarter)}))::int as "untilQuarter",
           (count(*) filter (where ${inHour(quarterBefore)}))::int as "untilQuarterBefore"
    from vehicle v
    where v.created_at >= ${quarterBefore}::timestamptz - ${HOUR} and v.created_at < ${minute}::timestamptz
    group by v.location_id`)
}

/** The start of a quarter in ms, the station and its counts. */
export type QuarterRow = [quarter: number, locationId: number, vehicles: number, weighed: number, overloaded: number]

/** The counts of quarters that begin at these times. */
export const quarterRows = (db: Database, starts: readonly number[]) =>
  db.arrays<QuarterRow>(sql`
  select (extract(epoch from quarter) * 1000)::float8, location_id, vehicles, weighed, overloaded
  from traffic_quarter where quarter = any(${starts.map((at) => new Date(at))}::timestamptz[])`)
