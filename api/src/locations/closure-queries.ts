import type { Interval } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** Records that a station is closed. */
export const beginClosure = (db: Database, locationId: number, at: Date) =>
  db.execute(sql`
  insert into station_closure (location_id, closed_at) values (${locationId}, ${at}::timestamptz)
  on conflict (location_id) where reopened_at is null do nothing`)

/** Records that a closed station is open again. */
export const endClosure = (db: Database, locationId: number, at: Date) =>
  db.execute(sql`
  update station_closure set reopened_at = ${at}::timestamptz where location_id = ${locationId} and reopened_at is null`)

/** When stations were closed within an interval; null: still. */
export const stationClosures = (db: Database, { from, to }: Interval) =>
  db.query<{ locationId: number; closedAt: Date; reopenedAt: Date | null }>(sql`
  select location_id as "locationId", closed_at as "closedAt", reopened_at as "reopenedAt" from station_closure
  where closed_at < ${to}::timestamptz and (reopened_at is null or reopened_at > ${from}::timestamptz)
  order by closed_at`)

/** When each station that had been closed was last opened again. */
export async function lastReopenings(db: Database): Promise<Map<number, Date>> {
  const rows = await db.query<{ locationId: number; at: Date }>(sql`
    select location_id as "locationId", max(reopened_at) as at from station_closure
    where reopened_at is not null group by location_id`)
  return new Map(rows.map(({ locationId, at }) => [locationId, at]))
}
