import { int8Array, timestamptzArray } from '../core/binary-arrays.ts'
import type { Database } from '../core/database.ts'
import type { PassageKey } from '../core/passage.ts'
import { sql } from '../core/statement.ts'
import type { StationDay } from '../statistics/public-api.ts'
import { inputRows, type VehicleOfStation } from './queries.ts'

/* Vehicles of days that are older than the retention: kept until their day is counted, then deleted. */

const COLUMNS = sql`
  location_id, created_at, id, total_load, overload_sa, overload_ma, overload_tl, lane_number, speed, ctg8p1, violations,
  speed_range, overspeed_range, hour_only`

/** Keeps vehicles of an import until their days are counted; no two may have the same key. Returns the keys of the new ones. */
export const insertCollected = (db: Database, importId: number, vehicles: readonly VehicleOfStation[]) =>
  db.prepared<PassageKey>(sql`
  insert into figure_vehicle (import_id, ${COLUMNS}, axles, axle_groups, digest)
  select ${importId}::int, ${COLUMNS}, nullif(axles, '{}')::int[], nullif(axle_groups, '{}')::int[], digest
  from (${inputRows(vehicles, null)}) input
  order by location_id, created_at, id
  on conflict (import_id, location_id, created_at, id) do nothing
  returning id, created_at as "createdAt", location_id as "locationId"`)

/** The digests of collected vehicles with these keys. */
export const collectedDigests = (db: Database, importId: number, keys: readonly PassageKey[]) =>
  db.query<PassageKey & { digest: Buffer }>(sql`
  select f.id, f.created_at as "createdAt", f.location_id as "locationId", f.digest
  from unnest(
    ${timestamptzArray(keys.map(({ createdAt }) => createdAt))}::timestamptz[], ${int8Array(keys.map(({ id }) => id))}::bigint[]
  ) as g (created_at, id)
  join figure_vehicle f on f.import_id = ${importId}::int and f.created_at = g.created_at and f.id = g.id
  where f.location_id = any(${[...new Set(keys.map(({ locationId }) => String(locationId)))]}::int[])`)

/** Days of stations whose vehicles an import has collected, newest first. */
export const collectedDays = (db: Database, importId: number) =>
  db.query<StationDay>(sql`
  select location_id as "locationId", day::text
  from (
    select distinct location_id, (created_at at time zone 'Europe/Warsaw')::date as day
    from figure_vehicle where import_id = ${importId}::int
  ) d
  order by d.day desc, location_id`)

/** All that an import has collected. */
export const collectedOf = (importId: number) => sql`(select * from figure_vehicle where import_id = ${importId}::int)`

/** Deletes collected vehicles of a day of an import; returns their number. */
export const deleteCollectedDay = (db: Database, importId: number, { locationId, day }: StationDay) =>
  db.execute(sql`
  delete from figure_vehicle
  where import_id = ${importId}::int and location_id = ${locationId}
    and created_at >= ${day}::timestamp at time zone 'Europe/Warsaw'
    and created_at < (${day}::date + 1)::timestamp at time zone 'Europe/Warsaw'`)

/** Deletes all that an import has collected. */
export const deleteCollected = (db: Database, importId: number) =>
  db.execute(sql`delete from figure_vehicle where import_id = ${importId}::int`)
