import type { Measurement, quarantined } from '@rogatka/contract/ingest.ts'
import { BLACK } from '@rogatka/contract/options.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { DerivedVehicle } from '@rogatka/domain/vehicle/derived.ts'
import { packAxles, packGroups } from '@rogatka/domain/vehicle/pack.ts'
import { markChangedHours } from '../archive/public-api.ts'
import {
  booleanArray,
  byteaArray,
  int2Array,
  int4Array,
  int8Array,
  textArray,
  timestamptzArray,
} from '../core/binary-arrays.ts'
import type { Database } from '../core/database.ts'
import { deleteInBatches } from '../core/delete-batches.ts'
import { notifyHits, notifyVehicles } from '../core/live-events.ts'
import { type PassageKey, vehicleKey } from '../core/passage.ts'
import type { FieldError } from '../core/refusal.ts'
import { type Statement, sql } from '../core/statement.ts'
import { storable } from '../core/text.ts'
import { insertHitEvents, insertOverloadEvents, notifyEvents } from '../core/webhook-events.ts'
import { countHours, markDays } from '../statistics/public-api.ts'
import { insertHits, matchPlates } from '../wanted/public-api.ts'
import { euroOf, evidenceOf, type Receipt, shapeOf, tenths } from './stored-form.ts'

/** A measurement with its digest and derived values. */
export type NewVehicle = { measured: Measurement; derived: DerivedVehicle; digest: Buffer }

/** A vehicle with its station, and whether live lists show it. */
type InsertedVehicle = VehicleOfStation & { isLive: boolean }

const arrayLiteral = (numbers: readonly number[]) => `{${numbers.join(',')}}`

/** A vehicle with its station; `hourOnly`: its time within the hour is unknown. */
export type VehicleOfStation = NewVehicle & { locationId: number; hourOnly?: boolean }

/** Vehicles as rows with all their values. `receipt` null: without their evidence, as they are not stored as vehicles. */
export function inputRows(
  vehicles: readonly (VehicleOfStation & { isLive?: boolean })[],
  receipt: Receipt | null,
): Statement {
  type InputVehicle = (typeof vehicles)[number]
  const column = <T>(
    encode: (values: (T | null | undefined)[]) => Buffer,
    value: (vehicle: InputVehicle) => T | null | undefined,
  ) => {
    const values = vehicles.map(value)
    // `unnest` adds the nulls: of a usual batch they are a fourteenth of what it sends.
    return encode(values.some((it) => it != null) ? values : [])
  }

  return sql`
    select *
    from unnest(
      ${column(int4Array, ({ locationId }) => locationId)}::int[],
      ${column(timestamptzArray, ({ measured }) => measured.createdAt)}::timestamptz[],
      ${column(int8Array, ({ derived }) => derived.id)}::bigint[],
      ${column(timestamptzArray, ({ derived }) => derived.checkpointTime)}::timestamptz[],
      ${column(timestamptzArray, ({ derived }) => derived.plateVmsReadablePointAt)}::timestamptz[],
      ${column(int4Array, ({ derived }) => derived.totalLoad)}::int[],
      ${column(int4Array, ({ derived }) => derived.limitTotalLoad)}::int[],
      ${column(int2Array, ({ derived }) => tenths(derived.overloadSA))}::smallint[],
      ${column(int2Array, ({ derived }) => tenths(derived.overloadMA))}::smallint[],
      ${column(int2Array, ({ derived }) => tenths(derived.overloadTL))}::smallint[],
      ${column(int2Array, ({ measured }) => measured.laneNumber)}::smallint[],
      ${column(int2Array, ({ measured }) => measured.speed)}::smallint[],
      ${column(int2Array, ({ derived }) => derived.speedLimit)}::smallint[],
      ${column(int2Array, ({ measured }) => measured.vehLength)}::smallint[],
      ${column(int2Array, ({ measured }) => measured.vehHeight)}::smallint[],
      ${column(int2Array, ({ derived }) => derived.limitHeight)}::smallint[],
      ${column(int2Array, ({ derived }) => derived.limitLength)}::smallint[],
      ${column(int2Array, ({ derived }) => derived.numberOfAxles)}::smallint[],
      ${column(int2Array, ({ derived }) => derived.ctg8p1)}::smallint[],
      ${column(int2Array, ({ derived }) => derived.ctg323)}::smallint[],
      ${column(int2Array, ({ derived }) => derived.violations)}::smallint[],
      ${column(int2Array, ({ derived }) => derived.speedRange)}::smallint[],
      ${column(int2Array, ({ derived }) => derived.overspeedRange)}::smallint[],
      ${column(textArray, ({ derived }) => derived.plateLpr && storable(derived.plateLpr))}::text[],
      ${column(textArray, ({ measured }) => measured.nationality)}::text[],
      ${column(textArray, ({ derived }) => derived.accuracyClass)}::text[],
      ${column(textArray, ({ derived }) => arrayLiteral(packAxles(derived.axles)))}::text[],
      ${column(textArray, ({ derived }) => arrayLiteral(packGroups(derived.groups)))}::text[],
      ${column(byteaArray, ({ measured }) => shapeOf(measured.shapeSamples))}::bytea[],
      ${column(textArray, ({ measured }) => euroOf(measured.euro))}::text[],
      ${column(byteaArray, ({ digest }) => digest)}::bytea[],
      ${column(byteaArray, (vehicle) => receipt && evidenceOf(vehicle, receipt))}::bytea[],
      ${column(booleanArray, ({ isLive = false }) => isLive)}::boolean[],
      ${column(booleanArray, ({ hourOnly }) => hourOnly || null)}::boolean[]
    ) as g (
      location_id, created_at, id, checkpoint_time, vms_readable_at, total_load, limit_total_load, overload_sa, overload_ma,
      overload_tl, lane_number, speed, speed_limit, veh_length, veh_height, limit_height, limit_length,
      number_of_axles, ctg8p1, ctg323, violations, speed_range, overspeed_range, plate_lpr, nationality,
      accuracy_class, axles, axle_groups, shape, euro, digest, evidence, is_live, hour_only
    )`
}

/** Inserts rows like those of `inputRows`, without existing ones; `importId` null: stations sent them. */
const insertRows = (input: Statement, now: Date, importId: number | null) => sql`
      insert into vehicle (
        location_id, created_at, id, received_at, checkpoint_time, vms_readable_at, total_load, limit_total_load,
        overload_sa, overload_ma, overload_tl, lane_number, speed, speed_limit, veh_length, veh_height, limit_height,
        limit_length, number_of_axles, ctg8p1, ctg323, violations, plate_lpr, nationality, hour_only, import_id
      )
      select location_id, created_at, id, ${now}::timestamptz, checkpoint_time, vms_readable_at, total_load, limit_total_load,
             overload_sa, overload_ma, overload_tl, lane_number, speed, speed_limit, veh_length, veh_height,
             limit_height, limit_length, number_of_axles, ctg8p1, ctg323, violations, plate_lpr, nationality, hour_only,
             ${importId}::int
      from ${input}
      order by location_id, created_at, id
      on conflict (location_id, created_at, id) do nothing`

/** Inserts the details of these rows. */
const insertDetails = (input: Statement) => sql`
      insert into vehicle_detail (location_id, created_at, id, accuracy_class, axles, axle_groups, shape, euro, digest, evidence)
      select location_id, created_at, id, accuracy_class, nullif(axles, '{}')::int[], nullif(axle_groups, '{}')::int[],
             shape, euro::jsonb, digest, evidence
      from ${input}
      order by location_id, created_at, id
      on conflict (location_id, created_at, id) do nothing`

/** CTEs that count `new_vehicle` in the hourly roll-up and mark its days and hours. */
const countingCtes = () => sql`
    hour_count as (
      ${countHours(sql`new_vehicle`)}
    ), dirty_day as (
      ${markDays(sql`new_vehicle`)}
    ), changed_hour as (
      ${markChangedHours(sql`new_vehicle`)}
    )`

/**
 * CTEs that insert vehicles with details, hourly roll-up, dirty days and hours: `input` are all of them, `inserted` the keys
 * of the new ones, `new_vehicle` these with all values. Existing vehicles are neither changed nor counted; no two may have
 * the same key.
 *
 * Vehicles and hours are written in key order, so that transactions with the same vehicles do not deadlock.
 * `importId`: null for those that stations send.
 */
function insertingCtes(
  vehicles: readonly (VehicleOfStation & { isLive?: boolean })[],
  now: Date,
  importId: number | null,
): Statement {
  return sql`
    input as (
      ${inputRows(vehicles, { now, importId })}
    ), inserted as (
      ${insertRows(sql`input`, now, importId)}
      returning location_id, created_at, id
    ), new_vehicle as (
      select i.* from input i join inserted using (location_id, created_at, id)
    ), new_detail as (
      ${insertDetails(sql`new_vehicle`)}
    ), ${countingCtes()}`
}

/** Columns of a `PassageKey`. */
const KEY = sql`id, created_at as "createdAt", location_id as "locationId"`

/**
 * `insertingCtes` for distributed tables, as three statements: of a single one Citus would send the rows of each CTE to all
 * workers. Runs the first two; returns the CTEs of the third, which has only tables of the coordinator, or undefined without
 * new vehicles.
 */
async function insertDistributed(
  db: Database,
  vehicles: readonly (VehicleOfStation & { isLive?: boolean })[],
  receipt: Receipt,
): Promise<Statement | undefined> {
  const { now, importId } = receipt
  const inserted = await db.prepared<PassageKey>(sql`
    ${insertRows(sql`(${inputRows(vehicles, receipt)}) input`, now, importId)}
    returning ${KEY}`)
  const keys = new Set(inserted.map(vehicleKey))
  const added = vehicles.filter(({ measured, derived }) =>
    keys.has(vehicleKey({ id: derived.id, createdAt: measured.createdAt })),
  )
  if (added.length === 0) return undefined
  await db.prepared(insertDetails(sql`(${inputRows(added, receipt)}) input`))
  return sql`
    new_vehicle as (
      ${inputRows(added, receipt)}
    ), inserted as (
      select location_id, created_at, id from new_vehicle
    ), ${countingCtes()}`
}

/**
 * Inserts vehicles of any stations in one statement, or three if they are distributed: row, details, hourly roll-up, dirty
 * days and hours, list hits, the last vehicle times of the stations `withLastTime`, events for webhooks, and notifications.
 * Existing vehicles are neither changed, counted nor notified; no two of `vehicles` may have the same key. Returns the new
 * ones and whether the black list has them.
 */
export async function insertVehicles(
  db: Database,
  vehicles: readonly InsertedVehicle[],
  now: Date,
  withLastTime: readonly number[],
  isDistributed = false,
) {
  const ctes = isDistributed
    ? await insertDistributed(db, vehicles, { now, importId: null })
    : insertingCtes(vehicles, now, null)
  if (!ctes) return []
  return db.prepared<PassageKey & { wanted: boolean }>(sql`
    with ${ctes}, last_time as (
      insert into location_activity as a (location_id, last_vehicle_time)
      select location_id, max(created_at) from new_vehicle where location_id = any(${withLastTime}::int[])
      group by location_id order by location_id
      on conflict (location_id) do update set
        last_vehicle_time = greatest(a.last_vehicle_time, excluded.last_vehicle_time)
    ), list_match as (
      ${matchPlates(sql`new_vehicle`)}
    ), hit as (
      ${insertHits(sql`list_match`)}
    ), overload_event as (
      ${insertOverloadEvents(sql`new_vehicle`, now)}
    ), hit_event as (
      ${insertHitEvents(sql`(select * from list_match where type_of_list = ${BLACK}) as black_match`, now)}
    )
    select id, created_at as "createdAt", location_id as "locationId",
           (id, created_at) in (select id, created_at from list_match where type_of_list = ${BLACK}) as wanted,
           (${notifyVehicles(sql`new_vehicle`)}) as notified,
           (${notifyHits(sql`(select id, created_at from list_match where type_of_list = ${BLACK}) as black_match`)}) as hits,
           (${notifyEvents([sql`overload_event`, sql`hit_event`])}) as events
    from inserted
    order by created_at, id`)
}

/** By which import vehicles are stored, and whether they are distributed. */
export type OfImport = { importId: number; now: Date; isDistributed: boolean }

/**
 * Inserts vehicles of an import as `insertVehicles` does, without list hits, last vehicle times, events and notifications.
 * Returns the keys of the new ones.
 */
export async function insertPastVehicles(
  db: Database,
  vehicles: readonly VehicleOfStation[],
  { importId, now, isDistributed }: OfImport,
): Promise<PassageKey[]> {
  const ctes = isDistributed
    ? await insertDistributed(db, vehicles, { now, importId })
    : insertingCtes(vehicles, now, importId)
  if (!ctes) return []
  return db.prepared<PassageKey>(sql`with ${ctes} select ${KEY} from inserted`)
}

/** Updates the last vehicle times of stations. */
export const writeLastTimes = (db: Database, times: ReadonlyMap<number, Date>) =>
  db.execute(sql`
  insert into location_activity as a (location_id, last_vehicle_time)
  select t.location_id, t.at
  from unnest(${[...times.keys()].map(String)}::int[],
              ${[...times.values()].map((at) => at.toISOString())}::timestamptz[]) as t (location_id, at)
  order by t.location_id
  on conflict (location_id) do update set last_vehicle_time = excluded.last_vehicle_time
  where a.last_vehicle_time < excluded.last_vehicle_time`)

/** The stored values to compare with a measurement. */
export type StoredVehicle = {
  id: number
  createdAt: Date
  /** Null for vehicles stored before digests existed. */
  digest: Buffer | null
  laneNumber: number
  speed: number | null
  vehLength: number | null
  vehHeight: number | null
  ctg8p1: number
  ctg323: number | null
  violations: number
  plateLpr: string | null
  nationality: string | null
  axles: number[] | null
  shape: Buffer | null
  euro: Record<string, unknown> | null
}

/** The stored vehicles with these keys, to compare with repeated ones. */
export function storedVehicles(db: Database, locationId: number, vehicles: readonly NewVehicle[]) {
  const times = vehicles.map(({ measured }) => measured.createdAt)
  const sorted = times.map(Number).sort((a, b) => a - b)
  // Redundant with the keys, for partition pruning.
  const [from, to] = [new Date(sorted[0] ?? 0), new Date(sorted.at(-1) ?? 0)]
  return db.prepared<StoredVehicle>(sql`
    select v.id, v.created_at as "createdAt", d.digest, v.lane_number as "laneNumber", v.speed,
           v.veh_length as "vehLength", v.veh_height as "vehHeight", v.ctg8p1, v.ctg323, v.violations,
           v.plate_lpr as "plateLpr", v.nationality, d.axles, d.shape, d.euro
    from unnest(
      ${times.map((at) => at.toISOString())}::timestamptz[],
      ${vehicles.map(({ derived }) => String(derived.id))}::bigint[]
    ) as w (created_at, id)
    join vehicle v on v.location_id = ${locationId} and v.created_at = w.created_at and v.id = w.id
    left join vehicle_detail d
      on d.location_id = ${locationId} and d.created_at = v.created_at and d.id = v.id
     and d.created_at >= ${from}::timestamptz and d.created_at <= ${to}::timestamptz
    where v.created_at >= ${from}::timestamptz and v.created_at <= ${to}::timestamptz`)
}

export type RejectedVehicle = { digest: Buffer; measurement: unknown; errors: FieldError[] }

/** Inserts rejected vehicles with their errors; identical ones once. */
export const insertQuarantined = (db: Database, locationId: number, rejected: readonly RejectedVehicle[], now: Date) =>
  db.execute(sql`
  insert into quarantine (location_id, received_at, digest, measurement, errors)
  select ${locationId}, ${now}::timestamptz, decode(q.digest, 'hex'), q.measurement::jsonb, q.errors::jsonb
  from unnest(${rejected.map(({ digest }) => digest.toString('hex'))}::text[],
              ${rejected.map(({ measurement }) => JSON.stringify(measurement ?? null))}::text[],
              ${rejected.map(({ errors }) => JSON.stringify(errors))}::text[]) as q (digest, measurement, errors)
  order by q.digest
  on conflict (location_id, digest) do nothing`)

type QuarantineRow = Omit<(typeof quarantined)['_output'], 'errors'> & { errors: FieldError[] }

/** A page of the rejected vehicles, newest first, and the total. */
export async function quarantinePage(db: Database, page: number, limit: number) {
  const content = await db.query<QuarantineRow>(sql`
    select id, location_id as "locationId", received_at as "receivedAt", measurement, errors
    from quarantine
    order by received_at desc, id desc
    limit ${limit} offset ${(page - 1) * limit}`)
  const [count] = await db.query<{ total: number }>(sql`select count(*)::int as total from quarantine`)
  return { content: [...content], totalCount: count?.total ?? 0 }
}

const QUARANTINE_DAYS = 30
/** Limit per station, and of imports for it, so that a faulty one cannot fill the disk. */
const MAX_QUARANTINED = 10_000

/** Deletes rejected vehicles older than 30 days, and the oldest beyond the limits of a station and of imports for it. */
export async function pruneQuarantine(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - QUARANTINE_DAYS * DAY_MS)
  await deleteQuarantined(db, sql`received_at < ${before}::timestamptz order by received_at`)
  const full = await db.query<{ locationId: number }>(sql`
    select location_id as "locationId" from quarantine group by 1 having count(*) > ${MAX_QUARANTINED}`)
  for (const { locationId } of full)
    for (const ofImports of [true, false])
      await deleteQuarantined(
        db,
        sql`location_id = ${locationId} and (measurement ? 'import') = ${ofImports}::boolean
            order by received_at desc, id desc offset ${MAX_QUARANTINED}`,
      )
}

/** `selected` is a condition with an order. */
const deleteQuarantined = (db: Database, selected: Statement): Promise<void> =>
  deleteInBatches((limit) =>
    db.execute(sql`
      delete from quarantine where (location_id, digest) in (
        select location_id, digest from quarantine where ${selected} limit ${limit})`),
  )
