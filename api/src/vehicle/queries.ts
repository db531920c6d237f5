import type { Tag, Vehicle } from '@rogatka/contract/vehicle.ts'
import type { Interval } from '@rogatka/domain/core/time.ts'
import type { PublishedVehicle } from '@rogatka/domain/datex/vehicles.ts'
import type { Database } from '../core/database.ts'
import { deleteByPages } from '../core/delete-batches.ts'
import { notifyImages } from '../core/live-events.ts'
import { type PassageKey, vehicleKey } from '../core/passage.ts'
import { sql } from '../core/statement.ts'
import {
  archivedSince,
  type ImageRecord,
  mayExist,
  recentSince,
  toVehicle,
  type VehicleQuery,
  type VehicleRecord,
} from './record.ts'

/** A vehicle with its time of receipt. */
export type VehicleReceipt = { vehicle: Vehicle; receivedAt: Date }

/** The vehicles of these keys with details, unordered; unknown keys are omitted. `withImages`: false saves a query. */
export async function vehiclesByKeys(
  db: Database,
  keys: readonly PassageKey[],
  withImages = true,
): Promise<VehicleReceipt[]> {
  if (keys.length === 0) return []
  // Two queries: in one, images would be collected per vehicle, as the planner does not know the number of keys.
  const [records, images] = await Promise.all([recordsByKeys(db, keys), withImages ? imagesByKeys(db, keys) : []])
  const byKey = Map.groupBy(images, vehicleKey)
  return records.map((record) => ({
    vehicle: toVehicle(record, byKey.get(vehicleKey(record)) ?? []),
    receivedAt: record.receivedAt,
  }))
}

/** A PostgreSQL array literal: the driver would escape each value. */
const arrayLiteral = (values: readonly (number | string)[]) => `{${values.join(',')}}`

const unnestKeys = (keys: readonly PassageKey[], isOrdered = false) => sql`
  unnest(
    ${arrayLiteral(keys.map(({ locationId }) => locationId))}::int[],
    ${arrayLiteral(keys.map(({ createdAt }) => createdAt.toISOString()))}::timestamptz[],
    ${arrayLiteral(keys.map(({ id }) => id))}::bigint[]
  ) ${isOrdered ? sql`with ordinality as w (location_id, created_at, id, place)` : sql`as w (location_id, created_at, id)`}`

/** The time range of the keys, redundant, for partition pruning at planning. */
function boundsOf(keys: readonly PassageKey[]): Interval {
  const times = keys.map(({ createdAt }) => createdAt.getTime())
  return { from: new Date(Math.min(...times)), to: new Date(Math.max(...times) + 1) }
}

/** Columns of a `VehicleRecord`, of a vehicle `v` with its details `d` and station `l`. */
const RECORD_COLUMNS = sql`
  v.id, v.created_at as "createdAt", v.checkpoint_time as "checkpointTime",
  v.vms_readable_at as "plateVmsReadablePointAt", v.received_at as "receivedAt", v.import_id as "importId",
  json_build_object('id', l.id, 'shortName', l.short_name, 'name', l.name, 'roadNumber', l.road_number,
  'chainage', l.chainage, 'direction', l.direction) as location,
  v.lane_number as "laneNumber", v.plate_lpr as "plateLpr", v.nationality, v.speed,
  v.speed_limit as "speedLimit", v.total_load as "totalLoad", v.limit_total_load as "limitTotalLoad",
  v.overload_sa as "overloadSA", v.overload_ma as "overloadMA", v.overload_tl as "overloadTL",
  v.veh_length as "vehLength", v.veh_height as "vehHeight", v.limit_height as "limitHeight",
  v.limit_length as "limitLength", v.number_of_axles as "numberOfAxles", v.ctg8p1, v.ctg323, v.violations,
  d.accuracy_class as "accuracyClass", d.axles, d.axle_groups as "axleGroups", d.shape, d.euro`

function recordsByKeys(db: Database, keys: readonly PassageKey[]) {
  const { from, to } = boundsOf(keys)
  return db.prepared<VehicleRecord>(sql`
    select ${RECORD_COLUMNS}
    from ${unnestKeys(keys)}
    join vehicle v using (location_id, created_at, id)
    join location l on l.id = v.location_id
    left join vehicle_detail d
      on d.location_id = v.location_id and d.created_at = v.created_at and d.id = v.id
      and d.created_at >= ${from}::timestamptz and d.created_at < ${to}::timestamptz
    where v.created_at >= ${from}::timestamptz and v.created_at < ${to}::timestamptz`)
}

function imagesByKeys(db: Database, keys: readonly PassageKey[]) {
  const { from, to } = boundsOf(keys)
  return db.prepared<ImageRecord & Pick<PassageKey, 'id' | 'createdAt'>>(sql`
    select i.id, i.created_at as "createdAt", i.type, i.size, encode(i.sha256, 'hex') as sha256
    from ${unnestKeys(keys)}
    join vehicle_image i using (location_id, created_at, id)
    where i.created_at >= ${from}::timestamptz and i.created_at < ${to}::timestamptz
    order by i.type`)
}

type Axles = { axles: string | null; accuracyClass: string | null }

/** Axles, as a PostgreSQL array literal, and accuracy class of these vehicles, in the order of the keys. */
export async function axlesByKeys(db: Database, keys: readonly PassageKey[]) {
  const { from, to } = boundsOf(keys)
  const found = await db.prepared<Axles & { place: number }>(sql`
    select d.axles::text as axles, d.accuracy_class as "accuracyClass", w.place::int as place
    from ${unnestKeys(keys, true)}
    join vehicle_detail d
      on d.location_id = w.location_id and d.created_at = w.created_at and d.id = w.id
      and d.created_at >= ${from}::timestamptz and d.created_at < ${to}::timestamptz`)
  const axles = keys.map((): Axles => ({ axles: null, accuracyClass: null }))
  for (const { place, ...ofVehicle } of found) axles[place - 1] = ofVehicle
  return axles
}

/**
 * Vehicles of stations in (from, to], oldest first, at most `limit`, the newest: with axles and catalogue data, and the
 * time to the vehicle before in the lane, in ms, null if longer than `maxHeadwayMs`. Without vehicles of which only the
 * hour is known.
 */
export const vehiclesSince = (
  db: Database,
  locationIds: readonly number[],
  { from, to }: { from: Date; to: Date },
  { limit, maxHeadwayMs }: { limit: number; maxHeadwayMs: number },
) =>
  db.prepared<PublishedVehicle>(sql`
  select v.id, v.location_id as "locationId", v.lane_number as "laneNumber", v.created_at as "createdAt",
         case when v.headway <= ${maxHeadwayMs}::int then v.headway end as "headwayMs", v.plate_lpr as "plateLpr",
         v.nationality, v.speed, v.total_load as "totalLoad", v.limit_total_load as "limitTotalLoad",
         v.veh_length as "vehLength", v.veh_height as "vehHeight", v.number_of_axles as "numberOfAxles", v.ctg8p1,
         d.axles, d.euro
  from (
    select w.*
    from (
      select *, extract(epoch from created_at - lag(created_at) over (
               partition by location_id, lane_number order by created_at, id))::float8 * 1000 as headway
      from vehicle
      where location_id = any(${[...locationIds]})
        and created_at > ${new Date(from.getTime() - maxHeadwayMs)}::timestamptz and created_at <= ${to}::timestamptz
        and hour_only is not true
    ) w
    where w.created_at > ${from}::timestamptz
    order by w.created_at desc, w.location_id desc, w.id desc
    limit ${limit}
  ) v
  left join vehicle_detail d
    on d.location_id = v.location_id and d.created_at = v.created_at and d.id = v.id
    and d.created_at > ${from}::timestamptz and d.created_at <= ${to}::timestamptz
  order by v.created_at, v.location_id, v.id`)

/** In one statement, as this is read whenever somebody opens a vehicle. */
export async function vehicleByKey(
  db: Database,
  { locationId, createdAt, id }: PassageKey,
): Promise<Vehicle | undefined> {
  const isKey = sql`location_id = ${locationId}::int and created_at = ${createdAt}::timestamptz and id = ${id}::bigint`
  const [record] = await db.prepared<VehicleRecord & { images: ImageRecord[] | null }>(sql`
    select ${RECORD_COLUMNS}, i.images
    from (select * from vehicle where ${isKey}) v
    join location l on l.id = v.location_id
    left join (select * from vehicle_detail where ${isKey}) d on d.id = v.id
    cross join (
      select json_agg(json_build_object('type', type, 'size', size, 'sha256', encode(sha256, 'hex')) order by type) as images
      from vehicle_image where ${isKey}
    ) i`)
  if (!record) return undefined
  const { images, ...ofVehicle } = record
  return toVehicle(ofVehicle, images ?? [])
}

/**
 * The newest vehicle with this id since an instant, or the one at `createdAt`. The bound limits the partitions
 * searched.
 */
async function findVehicleKey(
  db: Database,
  { id, locationId, createdAt }: VehicleQuery,
  since: Date,
): Promise<PassageKey | undefined> {
  if (!mayExist({ id, locationId, createdAt })) return undefined
  const [found] = await db.query<PassageKey>(sql`
    select location_id as "locationId", created_at as "createdAt", id
    from vehicle
    where location_id = ${locationId} and id = ${id} and created_at >= ${since}::timestamptz
      ${createdAt ? sql`and created_at = ${createdAt}::timestamptz` : sql``}
    order by created_at desc
    limit 1`)
  return found
}

/** For users of the live list. */
export const findRecent = (db: Database, query: VehicleQuery, now: Date) => findVehicleKey(db, query, recentSince(now))

/** Any vehicle by its time; without one, the newest of the last 31 days. */
export const findArchived = (db: Database, query: VehicleQuery, now: Date) =>
  findVehicleKey(db, query, archivedSince(now, query))

/** The images of a vehicle by type. */
export const listImages = (db: Database, { locationId, createdAt, id }: PassageKey) =>
  db.prepared<ImageRecord>(sql`
  select type, size, encode(sha256, 'hex') as sha256
  from vehicle_image
  where location_id = ${locationId} and created_at = ${createdAt}::timestamptz and id = ${id}
  order by type`)

/** The row of an image. */
export type StoredImage = PassageKey & ImageRecord & { receivedAt: Date }

/**
 * Inserts or replaces images, of any stations, and notifies all processes of them. Of several with the same vehicle and
 * type the last is stored.
 */
export function upsertImages(db: Database, images: readonly StoredImage[]) {
  const last = [...new Map(images.map((image) => [`${vehicleKey(image)} ${image.type}`, image])).values()]
  const column = (value: (image: StoredImage) => number | string) => last.map((image) => String(value(image)))
  return db.prepared(sql`
    with stored as (
      insert into vehicle_image as i (location_id, created_at, id, type, size, sha256, received_at)
      select location_id, created_at, id, type, size, decode(sha256, 'hex'), received_at
      from unnest(
        ${column(({ locationId }) => locationId)}::int[],
        ${column(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
        ${column(({ id }) => id)}::bigint[],
        ${column(({ type }) => type)}::smallint[],
        ${column(({ size }) => size)}::int[],
        ${column(({ sha256 }) => sha256)}::text[],
        ${column(({ receivedAt }) => receivedAt.toISOString())}::timestamptz[]
      ) as g (location_id, created_at, id, type, size, sha256, received_at)
      order by location_id, created_at, id, type
      on conflict (location_id, created_at, id, type)
      do update set size = excluded.size, sha256 = excluded.sha256, received_at = excluded.received_at
      returning id, created_at
    )
    select (${notifyImages(sql`stored`)}) as notified`)
}

type TagOfVehicle = Tag & { vehicleId: number; createdAt: Date }

/** A user's own tags of vehicles in [from, to). */
export const tagsBetween = (db: Database, userId: number, from: Date, to: Date) =>
  db.prepared<TagOfVehicle>(sql`
  select id, private, type, data, description, vehicle_id as "vehicleId", created_at as "createdAt"
  from tag
  where user_id = ${userId} and created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz
  order by id`)

/** A user's own tags of one vehicle. */
export const listTags = (db: Database, userId: number, { locationId, createdAt, id }: PassageKey) =>
  db.query<Tag>(sql`
  select id, private, type, data, description
  from tag
  where user_id = ${userId} and location_id = ${locationId} and created_at = ${createdAt}::timestamptz and vehicle_id = ${id}
  order by id`)

/** Tags a vehicle for a user; an existing tag of the type is updated and returned. */
export async function addTag(db: Database, userId: number, key: PassageKey, tag: Omit<Tag, 'id'>): Promise<Tag> {
  const [added] = await db.query<Tag>(sql`
    insert into tag (user_id, location_id, created_at, vehicle_id, type, private, data, description)
    values (${userId}, ${key.locationId}, ${key.createdAt}::timestamptz, ${key.id},
            ${tag.type}, ${tag.private}::boolean, ${tag.data}, ${tag.description})
    on conflict (location_id, created_at, vehicle_id, user_id, type) do update set private = excluded.private
    returning id, private, type, data, description`)
  return added as Tag
}

/** Deletes a user's own tag; returns false if there is none. */
export async function deleteTag(db: Database, userId: number, key: PassageKey, tagId: number): Promise<boolean> {
  const deleted = await db.execute(sql`
    delete from tag
    where location_id = ${key.locationId} and created_at = ${key.createdAt}::timestamptz and vehicle_id = ${key.id}
      and user_id = ${userId} and id = ${tagId}`)
  return deleted > 0
}

/** The first hour with vehicles per station; stations without any are missing. */
export async function firstHourByStation(db: Database): Promise<Map<number, Date>> {
  const rows = await db.query<{ locationId: number; hour: Date }>(sql`
    select location_id as "locationId", min(hour) as hour from traffic_hour group by 1`)
  return new Map(rows.map(({ locationId, hour }) => [locationId, hour]))
}

/** Deletes the tags of deleted vehicles. */
export const deleteTagsBefore = (db: Database, before: Date) =>
  deleteByPages(db, 'tag', sql`created_at < ${before}::timestamptz`)
