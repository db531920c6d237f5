import type { HealthKind } from '@rogatka/contract/tickets.ts'
import type { Interval } from '@rogatka/domain/core/time.ts'
import type { Quality } from '@rogatka/domain/tickets/health.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** Longest time between two health checks, which run every minute, without a gap. */
const MAX_PAUSE = '5 minutes'

/** Records that stations are checked now, and a gap if they were not for a while. */
export async function recordWatch(db: Database, now: Date): Promise<void> {
  await db.execute(sql`
    insert into station_watch_gap (begun_at, ended_at)
    select checked_at, ${now}::timestamptz from station_watch
    where checked_at < ${now}::timestamptz - ${MAX_PAUSE}::interval
    on conflict (begun_at) do nothing`)
  await db.execute(sql`
    update station_watch
    set checked_at = greatest(checked_at, ${now}::timestamptz),
        watched_since = coalesce(watched_since, ${now}::timestamptz)`)
}

/** Since when the portal watches stations, and since when without a gap; null: not yet. */
export async function watchTimes(db: Database): Promise<{ since: Date | null; sinceLastGap: Date | null }> {
  const [row] = await db.query<{ since: Date | null; sinceLastGap: Date | null }>(sql`
    select watched_since as since,
           greatest(watched_since, (select max(ended_at) from station_watch_gap)) as "sinceLastGap"
    from station_watch`)
  return row ?? { since: null, sinceLastGap: null }
}

/** The gaps that overlap an interval. */
export const watchGaps = (db: Database, { from, to }: Interval) =>
  db.query<Interval>(sql`
  select begun_at as "from", ended_at as "to" from station_watch_gap
  where begun_at < ${to}::timestamptz and ended_at > ${from}::timestamptz order by begun_at`)

/**
 * When each station was added, and when it first sent a vehicle, after it was added unless it sent only before; null: it never
 * sent. Imports do not count.
 */
export async function stationBegins(db: Database) {
  const stations = await db.query<{ locationId: number; addedAt: Date; lastVehicleTime: Date | null }>(sql`
    select l.id as "locationId", l.added_at as "addedAt", a.last_vehicle_time as "lastVehicleTime"
    from location l left join location_activity a on a.location_id = l.id`)
  const found: { locationId: number; addedAt: Date; firstHour: Date | null }[] = []
  for (const { locationId, addedAt, lastVehicleTime } of stations) {
    // One after the other, as the first hour of an index is it.
    const [first] = lastVehicleTime
      ? await db.prepared<{ hour: Date }>(firstSentHour(locationId, addedAt, lastVehicleTime))
      : []
    found.push({ locationId, addedAt, firstHour: first?.hour ?? null })
  }
  return found
}

/**
 * The first of the hours of which it is known that a station sent: those that were summed up, of its last vehicle before a
 * failure, and of its last one. The hour in which the portal began to watch is not summed up: a station that sent in the next
 * one is taken as sending in it. Other hours with vehicles may be of imports, once these are deleted.
 */
const firstSentHour = (locationId: number, addedAt: Date, lastVehicleTime: Date) => sql`
  with begin as (
    select date_trunc('hour', watched_since) as watched from station_watch
  ), summed as (
    select min(q.hour) as hour from station_quality_hour q
    where q.location_id = ${locationId} and q.hour >= date_trunc('hour', ${addedAt}::timestamptz)
  ), failed as (
    select min((evidence ->> 'lastVehicleTime')::timestamptz) as at from station_failure
    where location_id = ${locationId} and kind = 'station-silent'
      and (evidence ->> 'lastVehicleTime')::timestamptz >= date_trunc('hour', ${addedAt}::timestamptz)
  )
  select least(
    case when s.hour <= b.watched + interval '1 hour' then least(b.watched, s.hour) else s.hour end,
    date_trunc('hour', f.at),
    date_trunc('hour', ${lastVehicleTime}::timestamptz)) as hour
  from begin b, summed s, failed f`

export type PastFailure = {
  locationId: number
  kind: HealthKind
  begunAt: Date
  endedAt: Date | null
  lastVehicleTime: Date | null
}

/** Failures that overlap an interval, from the last vehicle before them. */
export const listFailures = (db: Database, { from, to }: Interval) =>
  db.query<PastFailure>(sql`
  select location_id as "locationId", kind, begun_at as "begunAt", ended_at as "endedAt",
         case when kind = 'station-silent' then (evidence ->> 'lastVehicleTime')::timestamptz end as "lastVehicleTime"
  from station_failure
  where (ended_at is null or ended_at > ${from}::timestamptz)
    and least(begun_at, (evidence ->> 'lastVehicleTime')::timestamptz) < ${to}::timestamptz
  order by begun_at`)

/** Ends the failures of closed stations, whose tickets stay open. */
export const closeFailuresOfClosedStations = (db: Database, now: Date) =>
  db.execute(sql`
  update station_failure f set ended_at = ${now}::timestamptz
  from location l
  where l.id = f.location_id and l.closed_at is not null and f.ended_at is null`)

export type HourOfQuality = Quality & { locationId: number; hour: Date; fastestSeconds: number | null }

const qualityColumns = sql`
  vehicles, unread, settled as "imagesDue", without_images as "withoutImages", fastest_seconds::float8 as "fastestSeconds"`

/** What stations sent in the hours of an interval. */
export const qualityHours = (db: Database, { from, to }: Interval) =>
  db.query<HourOfQuality>(sql`
  select location_id as "locationId", hour, ${qualityColumns} from station_quality_hour
  where hour >= ${from}::timestamptz and hour < ${to}::timestamptz`)

/** Up to which hour measurements are summed up; null: none yet. */
export async function measuredUntil(db: Database): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(sql`select measured_until as at from station_watch`)
  return row?.at ?? null
}

/** Stores what stations sent in an hour. */
export async function saveQualityHour(
  db: Database,
  hour: Interval,
  rows: readonly Omit<HourOfQuality, 'hour'>[],
): Promise<void> {
  const column = (value: (row: Omit<HourOfQuality, 'hour'>) => number | null) =>
    rows.map((row) => value(row)).map((one) => (one === null ? null : String(one)))
  await db.execute(sql`
    insert into station_quality_hour
      (hour, location_id, vehicles, unread, settled, without_images, fastest_seconds)
    select ${hour.from}::timestamptz, v.*
    from unnest(${column((row) => row.locationId)}::int[], ${column((row) => row.vehicles)}::int[],
                ${column((row) => row.unread)}::int[], ${column((row) => row.imagesDue)}::int[],
                ${column((row) => row.withoutImages)}::int[], ${column((row) => row.fastestSeconds)}::real[]) as v
    on conflict (location_id, hour) do nothing`)
  await db.execute(sql`update station_watch set measured_until = ${hour.to}::timestamptz`)
}

/** Deletes what stations sent before an instant, but for the first hour of each, from which its availability counts. */
export const deleteQualityBefore = (db: Database, before: Date) =>
  db.execute(sql`
  delete from station_quality_hour q
  using (
    select location_id, min(hour) as hour from station_quality_hour where hour < ${before}::timestamptz group by location_id
  ) first
  where q.location_id = first.location_id and q.hour < ${before}::timestamptz and q.hour > first.hour`)
