import type { HealthKind } from '@rogatka/contract/tickets.ts'
import type { HealthCheck, HealthEvidence, HealthSettings, HealthState } from '@rogatka/contract/tickets-health.ts'
import { DAY_MS, HOUR_MS, type Interval, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { Quality } from '@rogatka/domain/tickets/health.ts'
import type { Database } from '../core/database.ts'
import { json, type Statement, sql } from '../core/statement.ts'

type StoredSettings = Omit<HealthSettings, 'contractPercent'> & { contractPercent: number | null }

export const healthSettings = async (db: Database): Promise<StoredSettings> => {
  const [row] = await db.query<StoredSettings>(sql`
    select auto_open as "autoOpen", auto_close as "autoClose", contract_percent::float8 as "contractPercent"
    from station_watch`)
  return row as StoredSettings
}

/** The settings, locked until the transaction ends. */
export const lockHealthSettings = async (db: Database): Promise<StoredSettings> => {
  await db.query(sql`select from station_watch for update`)
  return healthSettings(db)
}

export const setHealthSettings = (db: Database, { autoOpen, autoClose, contractPercent }: StoredSettings) =>
  db.execute(sql`
  update station_watch
  set auto_open = ${autoOpen}::boolean, auto_close = ${autoClose}::boolean,
      contract_percent = ${contractPercent === null ? null : String(contractPercent)}::numeric`)

/** A kind of check for a lane, or for the whole station (0). */
export type CheckKey = { locationId: number; laneNumber: number; kind: HealthKind }
export type CheckResult = CheckKey & { state: HealthState; evidence: HealthEvidence }

/** The latest check results with open failures. */
export const checks = (db: Database) =>
  db.query<Omit<HealthCheck, 'evidence'> & { locationId: number; evidence: object }>(sql`
  select c.location_id as "locationId", nullif(c.lane_number, 0) as "laneNumber", c.kind, c.state,
         c.checked_at as "checkedAt", c.evidence, f.begun_at as since, f.ticket_id as "ticketId"
  from station_check c
  left join station_failure f
    on f.location_id = c.location_id and f.lane_number = c.lane_number and f.kind = c.kind and f.ended_at is null
  order by c.location_id, c.lane_number, c.kind`)

/** Days that determine typical traffic. */
const TYPICAL_TRAFFIC_DAYS = 14

/** When typical traffic was last updated. */
export const typicalTrafficUpdatedAt = async (db: Database): Promise<Date | null> => {
  const [row] = await db.query<{ at: Date | null }>(sql`select learnt_at as at from station_watch`)
  return row?.at ?? null
}

/** A time of which nothing is known of a station; null: of all. */
export type UnknownTime = { locationId: number | null; from: Date; to: Date }

/**
 * Computes the typical traffic of every lane from the full hours of the last weeks in which its station counted any vehicle,
 * and those between its first and its last one without any in which the portal watched it, outside `unknown` times: an outage
 * does not lower it, and at a quiet station hours without a vehicle do. That of a station without any for a day stays as it
 * is: its silence may be an outage that is not found yet. Imported vehicles count: they passed.
 */
export async function updateTypicalTraffic(
  db: Database,
  { watchedSince, unknown }: { watchedSince: Date | null; unknown: readonly UnknownTime[] },
  now: Date,
): Promise<void> {
  const column = (value: (time: UnknownTime) => string | null) => unknown.map(value)
  await db.execute(sql`update station_watch set learnt_at = ${now}::timestamptz`)
  await db.execute(sql`
    with hourly as (
      select location_id, hour, lane_number, sum(vehicles) as vehicles
      from traffic_hour
      where hour >= ${typicalTrafficSince(now)}::timestamptz and hour < date_trunc('hour', ${now}::timestamptz)
      group by location_id, hour, lane_number
    ), unknown as (
      select * from unnest(${column(({ locationId }) => (locationId === null ? null : String(locationId)))}::int[],
                           ${column(({ from }) => from.toISOString())}::timestamptz[],
                           ${column(({ to }) => to.toISOString())}::timestamptz[]) as u (location_id, begun_at, ended_at)
    ), counting as (
      select location_id, min(hour) as first, max(hour) as last from hourly
      group by location_id having max(hour) >= ${new Date(now.getTime() - DAY_MS)}::timestamptz
    ), watched as (
      select s.location_id, w.hour
      from counting s
      join generate_series(date_trunc('hour', ${watchedSince ?? now}::timestamptz) + interval '1 hour',
                           date_trunc('hour', ${now}::timestamptz) - interval '1 hour', interval '1 hour') as w (hour)
        on w.hour between s.first and s.last
      left join unknown u
        on (u.location_id is null or u.location_id = s.location_id)
          and u.begun_at < w.hour + interval '1 hour' and u.ended_at > w.hour
      where u.begun_at is null
    ), known as (
      select location_id, hour, ${slotOf(sql`hour`)} as slot
      from (select location_id, hour from hourly union select location_id, hour from watched) h
    ), hours as (
      select location_id, slot, count(*) as hours from known group by location_id, slot
    ), by_slot as (
      select location_id, lane_number, ${slotOf(sql`hour`)} as slot, sum(vehicles) as vehicles
      from hourly group by location_id, lane_number, slot
    )
    insert into usual_traffic (location_id, lane_number, slot, vehicles)
    select l.location_id, l.lane_number, h.slot, coalesce(s.vehicles, 0) / h.hours
    from (select distinct location_id, lane_number from hourly join counting using (location_id)) l
    join hours h using (location_id)
    left join by_slot s using (location_id, lane_number, slot)
    on conflict (location_id, lane_number, slot) do update set vehicles = excluded.vehicles`)
}

/** From when on hours determine typical traffic. */
export const typicalTrafficSince = (now: Date): Date => new Date(now.getTime() - TYPICAL_TRAFFIC_DAYS * DAY_MS)

/** The slot of an hour: from 0 on working days, from 24 on weekends. */
const slotOf = (hour: Statement) => sql`
  (extract(hour from ${hour} at time zone 'Europe/Warsaw')::int
    + case when extract(isodow from ${hour} at time zone 'Europe/Warsaw') > 5 then 24 else 0 end)`

export const typicalTraffic = (db: Database) =>
  db.query<{ locationId: number; laneNumber: number; slot: number; vehicles: number }>(sql`
  select location_id as "locationId", lane_number as "laneNumber", slot, vehicles from usual_traffic`)

/** Vehicles arrive seconds late, and their clock may be minutes ahead. */
const AHEAD_MS = 5 * MINUTE_MS

/** Lanes with vehicles since an instant: their last vehicle, and how many since `countSince`. */
export const recentTraffic = (db: Database, since: Date, countSince: Date, now: Date) =>
  db.query<{ locationId: number; laneNumber: number; lastVehicleTime: Date; recent: number }>(sql`
  select location_id as "locationId", lane_number as "laneNumber", max(created_at) as "lastVehicleTime",
         (count(*) filter (where created_at >= ${countSince}::timestamptz))::int as recent
  from vehicle
  where created_at >= ${since}::timestamptz and created_at < ${new Date(now.getTime() + AHEAD_MS)}::timestamptz
    and import_id is null
  group by location_id, lane_number`)

/**
 * The last vehicle that a station sent of a lane in the last weeks. The hours of the lane are looked up first, as vehicles have no
 * index by lane: its last vehicle is mostly in the last of them, which may also be of an import.
 */
export async function lastOnLane(
  db: Database,
  locationId: number,
  laneNumber: number,
  now: Date,
): Promise<Date | null> {
  const [hours] = await db.query<{ first: Date | null; end: Date | null }>(sql`
    select min(hour) as first, max(hour) + interval '1 hour' as end from traffic_hour
    where location_id = ${locationId} and lane_number = ${laneNumber} and hour >= ${typicalTrafficSince(now)}::timestamptz`)
  if (!hours?.first || !hours.end) return null
  const [last] = await db.query<{ at: Date }>(sql`
    select created_at as at from vehicle
    where location_id = ${locationId} and lane_number = ${laneNumber} and import_id is null
      and created_at >= ${hours.first}::timestamptz and created_at < ${hours.end}::timestamptz
    order by created_at desc limit 1`)
  return last?.at ?? null
}

/** When each station was added. */
export const stationAges = async (db: Database): Promise<Map<number, Date>> => {
  const rows = await db.query<{ id: number; addedAt: Date }>(sql`select id, added_at as "addedAt" from location`)
  return new Map(rows.map(({ id, addedAt }) => [id, addedAt]))
}

type MeasuredQuality = Quality & {
  locationId: number
  arrived: number
  /** From detection to arrival. */
  fastestSeconds: number | null
}

/** Vehicles delayed by this much more than the fastest were buffered by the station; their images come later. */
const BUFFERED_AFTER = '60 seconds'

/** Images arrive within this time after their vehicle. */
export const MAX_IMAGE_DELAY_MS = 600_000

/** Images of vehicles before this time have arrived. */
const imagesArrivedBefore = (now: Date) => new Date(now.getTime() - MAX_IMAGE_DELAY_MS)

/**
 * Counts of vehicles, unread plates, missing images and delays of vehicles that stations sent, of those measured in an interval.
 */
export const findQuality = (db: Database, { from, to }: Interval, now: Date) =>
  db.query<MeasuredQuality>(sql`
    with with_image as (
      select distinct location_id, created_at, id from vehicle_image where created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz
    ), recent_vehicle as (
      select location_id, created_at, id, plate_lpr, received_at, received_at - created_at as delay,
             min(received_at - created_at) filter (where received_at >= ${from}::timestamptz) over (partition by location_id) as fastest
      from vehicle
      where created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz and import_id is null
    ), flagged as (
      select p.*, i.id is null as without_image,
             p.created_at < ${imagesArrivedBefore(now)}::timestamptz and p.delay <= p.fastest + ${BUFFERED_AFTER}::interval as prompt
      from recent_vehicle p
      left join with_image i using (location_id, created_at, id)
    )
    select location_id as "locationId", count(*)::int as vehicles,
           (count(*) filter (where plate_lpr is null))::int as unread,
           (count(*) filter (where prompt))::int as "imagesDue",
           (count(*) filter (where prompt and without_image))::int as "withoutImages",
           (count(*) filter (where received_at >= ${from}::timestamptz))::int as arrived,
           extract(epoch from min(fastest))::float8 as "fastestSeconds"
    from flagged
    group by location_id`)

/** Quality of the last hour. */
export const findQualityOfLastHour = (db: Database, now: Date) =>
  findQuality(db, { from: new Date(now.getTime() - HOUR_MS), to: new Date(now.getTime() + AHEAD_MS) }, now)

/** Stations with images or plates in the last week; others have no cameras. */
export async function stationsWithCameras(db: Database, now: Date) {
  const since = new Date(now.getTime() - 7 * DAY_MS)
  const stations = await db.query<{ id: number }>(sql`select id from location`)
  const found: { locationId: number; hasImages: boolean; hasPlates: boolean }[] = []
  // One after the other, as the newest row of an index answers.
  for (const { id } of stations) {
    const images = await db.prepared(sql`
      select id from vehicle_image
      where location_id = ${id} and created_at >= ${since}::timestamptz
      order by created_at desc limit 1`)
    const plates = await db.prepared(sql`
      select id from vehicle
      where location_id = ${id} and created_at >= ${since}::timestamptz and plate_lpr is not null and import_id is null
      order by created_at desc limit 1`)
    found.push({ locationId: id, hasImages: images.length > 0, hasPlates: plates.length > 0 })
  }
  return found
}

/** Fewer may be accidental. */
const MIN_REJECTED = 3

/** How many seconds ahead vehicles were that were rejected for it in the last hour; not those of imports. */
export const rejectedAhead = (db: Database, now: Date) =>
  db.query<{ locationId: number; seconds: number }>(sql`
  select location_id as "locationId",
         min(extract(epoch from (measurement ->> 'createdAt')::timestamptz - received_at))::float8 as seconds
  from quarantine
  where received_at >= ${new Date(now.getTime() - HOUR_MS)}::timestamptz and errors @> '[{"code": "measurement-in-the-future"}]'
    and measurement ? 'createdAt'
  group by location_id
  having count(*) >= ${MIN_REJECTED}`)

/** Stores the latest result of each check. */
export const saveCheckResults = (db: Database, results: readonly CheckResult[], now: Date) =>
  db.execute(sql`
  insert into station_check (location_id, lane_number, kind, checked_at, state, evidence)
  select v.location_id, v.lane_number, v.kind, ${now}::timestamptz, v.state, v.evidence::jsonb
  from unnest(${results.map(({ locationId }) => String(locationId))}::int[],
              ${results.map(({ laneNumber }) => String(laneNumber))}::smallint[],
              ${results.map(({ kind }) => kind)}::text[], ${results.map(({ state }) => state)}::text[],
              ${results.map(({ evidence }) => JSON.stringify(evidence))}::text[])
       as v (location_id, lane_number, kind, state, evidence)
  on conflict (location_id, lane_number, kind) do update set
    checked_at = excluded.checked_at, state = excluded.state, evidence = excluded.evidence`)

export type Failure = CheckKey & { id: number; begunAt: Date; ticketId: number | null }

/** Open failures. */
export const openFailures = (db: Database) =>
  db.query<Failure>(sql`
  select id, location_id as "locationId", lane_number as "laneNumber", kind, begun_at as "begunAt",
         ticket_id as "ticketId"
  from station_failure where ended_at is null`)

/** Open failures with their evidence. */
export const failuresWithEvidence = (db: Database) =>
  db.query<CheckKey & { evidence: HealthEvidence }>(sql`
  select location_id as "locationId", lane_number as "laneNumber", kind, evidence
  from station_failure where ended_at is null`)

/** Open failures with the last vehicle before them, and their tickets. */
export const failuresWithTickets = (db: Database) =>
  db.query<{
    locationId: number
    laneNumber: number | null
    kind: HealthKind
    foundAt: Date
    lastVehicleTime: Date | null
    ticket: { id: number; number: string } | null
  }>(sql`
  select f.location_id as "locationId", nullif(f.lane_number, 0) as "laneNumber", f.kind, f.begun_at as "foundAt",
         (f.evidence ->> 'lastVehicleTime')::timestamptz as "lastVehicleTime",
         case when t.id is not null then json_build_object('id', t.id, 'number', t.number || '/' || t.year) end as ticket
  from station_failure f
  left join ticket t on t.id = f.ticket_id
  where f.ended_at is null
  order by f.location_id, f.lane_number`)

/** Opens a failure unless it is open (`isNew`), and locks it until the transaction ends. */
export async function openFailure(db: Database, result: CheckResult, now: Date): Promise<Failure & { isNew: boolean }> {
  const { locationId, laneNumber, kind, evidence } = result
  const inserted = await db.execute(sql`
    insert into station_failure (location_id, lane_number, kind, begun_at, evidence)
    values (${locationId}, ${laneNumber}, ${kind}, ${now}::timestamptz, ${json(evidence)})
    on conflict (location_id, lane_number, kind) where ended_at is null do nothing`)
  const [failure] = await db.query<Failure>(sql`
    select id, location_id as "locationId", lane_number as "laneNumber", kind, begun_at as "begunAt",
         ticket_id as "ticketId"
    from station_failure
    where location_id = ${locationId} and lane_number = ${laneNumber} and kind = ${kind} and ended_at is null
    for update`)
  return { ...(failure as Failure), isNew: inserted > 0 }
}

export const setFailureTicket = (db: Database, id: number, ticketId: number) =>
  db.execute(sql`
  update station_failure set ticket_id = ${ticketId} where id = ${id}`)

/** Closes a failure; returns whether it was open. */
export async function closeFailure(db: Database, id: number, now: Date): Promise<boolean> {
  const closed = await db.execute(
    sql`update station_failure set ended_at = ${now}::timestamptz where id = ${id} and ended_at is null`,
  )
  return closed > 0
}
