import type { StationValues } from '@rogatka/contract/locations-upkeep.ts'
import type { Database } from '../core/database.ts'
import { assignments, sql, valuesOf } from '../core/statement.ts'

export type StationRow = StationValues & {
  id: number
  closedAt: Date | null
  addedAt: Date
  lastVehicleTime: Date | null
  validKeys: number
  version: number
}

/** All stations by number, or one. `today`: day in Warsaw, for keys that have a last day. */
export const selectStations = (db: Database, today: string, id?: number) =>
  db.query<StationRow>(sql`
  select l.id, l.short_name as "shortName", l.name, l.road_number as "roadNumber", l.chainage, l.direction,
         l.speed_limit as "speedLimit", l.speed_limit_heavy as "speedLimitHeavy",
         l.distance_to_sign as "distanceToSign", l.distance_to_checkpoint as "distanceToCheckpoint",
         l.chainage_ascends as "chainageAscends", l.latitude, l.longitude, l.silent_after as "silentAfterMinutes",
         l.overheight_alarm as "overheightAlarm", l.closed_at as "closedAt", l.added_at as "addedAt", l.version,
         a.last_vehicle_time as "lastVehicleTime",
         coalesce(k.valid, 0) as "validKeys",
         coalesce(array_agg(n.accuracy_class order by n.lane_number) filter (where n.lane_number is not null), '{}') as lanes
  from location l
  left join lane n on n.location_id = l.id
  left join location_activity a on a.location_id = l.id
  left join (
    select location_id, count(*)::int as valid
    from station_key
    where revoked_at is null and (valid_until is null or valid_until >= ${today}::date)
    group by location_id
  ) k on k.location_id = l.id
  where ${id === undefined ? sql`true` : sql`l.id = ${id}`}
  group by l.id, a.last_vehicle_time, k.valid
  order by l.id`)

/** Locks a station until the transaction ends. */
export const lockStation = (db: Database, id: number) =>
  db.query(sql`select id from location where id = ${id} for update`)

const columnsOf = ({ lanes: _, ...values }: StationValues) => ({
  short_name: values.shortName,
  name: values.name,
  road_number: values.roadNumber,
  chainage: values.chainage,
  direction: values.direction,
  speed_limit: values.speedLimit,
  speed_limit_heavy: values.speedLimitHeavy,
  distance_to_sign: values.distanceToSign,
  distance_to_checkpoint: values.distanceToCheckpoint,
  chainage_ascends: values.chainageAscends,
  latitude: values.latitude,
  longitude: values.longitude,
  silent_after: values.silentAfterMinutes,
  overheight_alarm: values.overheightAlarm,
})

/** Inserts a station; a number or short name already used violates location_pkey or location_short_name_unique. */
export const insertStation = (db: Database, id: number, values: StationValues, now: Date) =>
  db.execute(sql`insert into location ${valuesOf({ id, ...columnsOf(values), added_at: now })}`)

export const updateStation = (db: Database, id: number, values: StationValues) =>
  db.execute(sql`update location set ${assignments(columnsOf(values))}, version = version + 1 where id = ${id}`)

/** Closes a station, or opens it with null. */
export const setClosed = (db: Database, id: number, at: Date | null) =>
  db.execute(sql`update location set closed_at = ${at}::timestamptz, version = version + 1 where id = ${id}`)

/** Stores the accuracy classes of lanes 1 to n, and removes others. */
export async function setLanes(db: Database, id: number, lanes: StationValues['lanes']): Promise<void> {
  const rows = lanes.map((accuracyClass, index) => ({
    location_id: id,
    lane_number: index + 1,
    accuracy_class: accuracyClass,
  }))
  await db.execute(sql`delete from lane where location_id = ${id} and lane_number > ${lanes.length}`)
  await db.execute(sql`
    insert into lane ${valuesOf(rows)}
    on conflict (location_id, lane_number) do update set accuracy_class = excluded.accuracy_class`)
}

/**
 * Whether vehicles were counted on a lane above this one: by month, of months with marked days by day, and of marked days by
 * hour, as the hours of all years are very many.
 */
export async function hasVehiclesAbove(db: Database, id: number, lane: number): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`
    with marked as materialized (
      select distinct day, date_trunc('month', day)::date as month from traffic_mark where location_id = ${id}
    )
    select exists (select from traffic_month where location_id = ${id} and lane_number > ${lane})
      or exists (
        select from (select distinct month from marked) m
        join traffic_day t on t.location_id = ${id} and t.day >= m.month and t.day < (m.month + interval '1 month')::date
        where t.lane_number > ${lane})
      or exists (
        select from marked m
        join traffic_hour t on t.location_id = ${id} and t.hour >= m.day::timestamp at time zone 'Europe/Warsaw'
          and t.hour < (m.day + 1)::timestamp at time zone 'Europe/Warsaw'
        where t.lane_number > ${lane}) as found`)
  return row?.found ?? false
}
