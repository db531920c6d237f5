import type { Measurement, quarantined } from '@rogatka/contract/ingest.ts'
import { BLACK } from '@rogatka/contract/wanted.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { DerivedVehicle } from '@rogatka/domain/vehicle/derived.ts'
import { packAxles, packGroups, packShape } from '@rogatka/domain/vehicle/pack.ts'
import type { Database } from '../core/database.ts'
import type { FieldError } from '../core/refusal.ts'
import { sql } from '../core/statement.ts'
import { storable } from '../core/text.ts'
import { countHours, markDays } from '../statistics/public-api.ts'
import { insertHits, matchPlates } from '../wanted/public-api.ts'

/** A measurement with its digest and what the server worked out of it. */
export type NewVehicle = { measured: Measurement; derived: DerivedVehicle; digest: Buffer }

/** Percent as the column holds it, in tenths; more than fits is as bad as what fits. */
const tenths = (percent: number | null) => (percent === null ? null : Math.min(32_767, Math.round(percent * 10)))

const list = (numbers: readonly number[]) => `{${numbers.join(',')}}`

const hexOf = (shape: Measurement['shapeSamples']) => shape && Buffer.from(packShape(shape)).toString('hex')

const euroOf = (euro: Measurement['euro']) =>
  euro ? JSON.stringify(euro, (_key, value) => (typeof value === 'string' ? storable(value) : value)) : null

/**
 * Writes vehicles of one station: thin row, details, hourly roll-up, the mark of days to be derived anew, and the
 * station's last time if asked for, and what of it is on a list of plates, in one statement.
 * What is there already is left as it is and counted nowhere. Answers what was new, and whether a black list looks for it.
 *
 * The columns go as arrays of text, whatever their type: so a null needs no care. Vehicles and hours are written in
 * the order of their keys, lest two batches with the same vehicles wait for each other in a ring.
 */
export function insertVehicles(
  db: Database,
  locationId: number,
  vehicles: readonly NewVehicle[],
  now: Date,
  withLastTime: boolean,
) {
  const column = (value: (vehicle: NewVehicle) => Date | number | string | null | undefined) =>
    vehicles.map((vehicle) => {
      const it = value(vehicle) ?? null
      return it === null || typeof it === 'string' ? it : it instanceof Date ? it.toISOString() : String(it)
    })

  return db.prepared<{ id: number; createdAt: Date; wanted: boolean }>(sql`
    with given as (
      select ${locationId}::int as location_id, g.*
      from unnest(
        ${column(({ measured }) => measured.createdAt)}::timestamptz[],
        ${column(({ derived }) => derived.id)}::bigint[],
        ${column(({ derived }) => derived.checkpointTime)}::timestamptz[],
        ${column(({ derived }) => derived.plateVmsReadablePointAt)}::timestamptz[],
        ${column(({ derived }) => derived.totalLoad)}::int[],
        ${column(({ derived }) => derived.limitTotalLoad)}::int[],
        ${column(({ derived }) => tenths(derived.overloadSA))}::smallint[],
        ${column(({ derived }) => tenths(derived.overloadMA))}::smallint[],
        ${column(({ derived }) => tenths(derived.overloadTL))}::smallint[],
        ${column(({ measured }) => measured.laneNumber)}::smallint[],
        ${column(({ measured }) => measured.speed)}::smallint[],
        ${column(({ derived }) => derived.speedLimit)}::smallint[],
        ${column(({ measured }) => measured.vehLength)}::smallint[],
        ${column(({ measured }) => measured.vehHeight)}::smallint[],
        ${column(({ derived }) => derived.limitHeight)}::smallint[],
        ${column(({ derived }) => derived.limitLength)}::smallint[],
        ${column(({ derived }) => derived.numberOfAxles)}::smallint[],
        ${column(({ derived }) => derived.ctg8p1)}::smallint[],
        ${column(({ derived }) => derived.ctg323)}::smallint[],
        ${column(({ derived }) => derived.violations)}::smallint[],
        ${column(({ derived }) => derived.speedRange)}::smallint[],
        ${column(({ derived }) => derived.overspeedRange)}::smallint[],
        ${column(({ derived }) => derived.plateLpr && storable(derived.plateLpr))}::text[],
        ${column(({ measured }) => measured.nationality)}::text[],
        ${column(({ derived }) => derived.accuracyClass)}::text[],
        ${column(({ derived }) => list(packAxles(derived.axles)))}::text[],
        ${column(({ derived }) => list(packGroups(derived.groups)))}::text[],
        ${column(({ measured }) => hexOf(measured.shapeSamples))}::text[],
        ${column(({ measured }) => euroOf(measured.euro))}::text[],
        ${column(({ digest }) => digest.toString('hex'))}::text[]
      ) as g (
        created_at, id, checkpoint_time, vms_readable_at, total_load, limit_total_load, overload_sa, overload_ma,
        overload_tl, lane_number, speed, speed_limit, veh_length, veh_height, limit_height, limit_length,
        number_of_axles, ctg8p1, ctg323, violations, speed_range, overspeed_range, plate_lpr, nationality,
        accuracy_class, axles, axle_groups, shape, euro, digest
      )
    ), inserted as (
      insert into vehicle (
        location_id, created_at, id, received_at, checkpoint_time, vms_readable_at, total_load, limit_total_load,
        overload_sa, overload_ma, overload_tl, lane_number, speed, speed_limit, veh_length, veh_height, limit_height,
        limit_length, number_of_axles, ctg8p1, ctg323, violations, plate_lpr, nationality
      )
      select location_id, created_at, id, ${now}::timestamptz, checkpoint_time, vms_readable_at, total_load, limit_total_load,
             overload_sa, overload_ma, overload_tl, lane_number, speed, speed_limit, veh_length, veh_height,
             limit_height, limit_length, number_of_axles, ctg8p1, ctg323, violations, plate_lpr, nationality
      from given
      order by created_at, id
      on conflict (location_id, created_at, id) do nothing
      returning location_id, created_at, id
    ), fresh as (
      select g.* from given g join inserted using (location_id, created_at, id)
    ), detailed as (
      insert into vehicle_detail (location_id, created_at, id, accuracy_class, axles, axle_groups, shape, euro, digest)
      select location_id, created_at, id, accuracy_class, nullif(axles, '{}')::int[], nullif(axle_groups, '{}')::int[],
             decode(shape, 'hex'), euro::jsonb, decode(digest, 'hex')
      from fresh
      order by created_at, id
      on conflict (location_id, created_at, id) do nothing
    ), counted as (
      ${countHours(sql`fresh`)}
    ), marked as (
      ${markDays(sql`fresh`)}
    ), active as (
      insert into location_activity as a (location_id, last_vehicle_time)
      select location_id, max(created_at) from fresh where ${withLastTime}::boolean group by location_id
      on conflict (location_id) do update set
        last_vehicle_time = greatest(a.last_vehicle_time, excluded.last_vehicle_time)
    ), listed as (
      ${matchPlates(sql`fresh`)}
    ), hit as (
      ${insertHits(sql`listed`)}
    )
    select id, created_at as "createdAt",
           (id, created_at) in (select id, created_at from listed where type_of_list = ${BLACK}) as wanted
    from inserted
    order by created_at, id`)
}

/** Writes when stations sent their last vehicle. */
export const writeLastTimes = (db: Database, times: ReadonlyMap<number, Date>) =>
  db.execute(sql`
  insert into location_activity as a (location_id, last_vehicle_time)
  select t.location_id, t.at
  from unnest(${[...times.keys()].map(String)}::int[],
              ${[...times.values()].map((at) => at.toISOString())}::timestamptz[]) as t (location_id, at)
  order by t.location_id
  on conflict (location_id) do update set last_vehicle_time = excluded.last_vehicle_time
  where a.last_vehicle_time < excluded.last_vehicle_time`)

/** A stored vehicle, as far as it tells what the station sent. */
export type StoredVehicle = {
  id: number
  createdAt: Date
  /** Null for vehicles that were stored before digests were. */
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

/** The stored vehicles with these keys, to compare what comes under them again. */
export function storedVehicles(db: Database, locationId: number, vehicles: readonly NewVehicle[]) {
  const times = vehicles.map(({ measured }) => measured.createdAt)
  const sorted = times.map(Number).sort((a, b) => a - b)
  // The bounds repeat what the keys say, so that only their partitions are looked at.
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

export type RejectedVehicle = { digest: Buffer; measurement: unknown; faults: FieldError[] }

/** Keeps rejected vehicles with their reasons; the same again is kept once. */
export const insertQuarantined = (db: Database, locationId: number, unwanted: readonly RejectedVehicle[], now: Date) =>
  db.execute(sql`
  insert into quarantine (location_id, received_at, digest, measurement, errors)
  select ${locationId}, ${now}::timestamptz, decode(q.digest, 'hex'), q.measurement::jsonb, q.errors::jsonb
  from unnest(${unwanted.map(({ digest }) => digest.toString('hex'))}::text[],
              ${unwanted.map(({ measurement }) => JSON.stringify(measurement ?? null))}::text[],
              ${unwanted.map(({ faults }) => JSON.stringify(faults))}::text[]) as q (digest, measurement, errors)
  order by q.digest
  on conflict (location_id, digest) do nothing`)

type Quarantined = Omit<(typeof quarantined)['_output'], 'errors'> & { faults: FieldError[] }

/** A page of the rejected vehicles, newest first, and how many there are. */
export async function quarantinePage(db: Database, page: number, limit: number) {
  const content = await db.query<Quarantined>(sql`
    select id, location_id as "locationId", received_at as "receivedAt", measurement, errors as faults
    from quarantine
    order by received_at desc, id desc
    limit ${limit} offset ${(page - 1) * limit}`)
  const [count] = await db.query<{ total: number }>(sql`select count(*)::int as total from quarantine`)
  return { content: [...content], totalCount: count?.total ?? 0 }
}

const QUARANTINE_DAYS = 30
/** A station that sends nothing but rubbish must not fill the disk; the newest of it are enough to see what is wrong. */
const QUARANTINE_MOST = 10_000

/** Lets go of rejected vehicles after 30 days, and of the oldest of a station that has very many. */
export async function pruneQuarantine(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - QUARANTINE_DAYS * DAY_MS)
  await db.execute(sql`
    delete from quarantine q
    using (
      select location_id, digest,
             row_number() over (partition by location_id order by received_at desc, id desc) as place
      from quarantine
    ) n
    where n.location_id = q.location_id and n.digest = q.digest
      and (q.received_at < ${before}::timestamptz or n.place > ${QUARANTINE_MOST})`)
}
