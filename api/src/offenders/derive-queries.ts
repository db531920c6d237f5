import { type HourMark, hourMarks, inMarkedHour, markedHours } from '../archive/public-api.ts'
import type { Database } from '../core/database.ts'
import { LOCKS } from '../core/locks.ts'
import { type Statement, sql } from '../core/statement.ts'

const ints = (values: readonly number[]) => values.map(String)

/** Serialises changes of spellings over all processes until the transaction ends. */
export const lockOffenders = (db: Database) => db.query(sql`select pg_advisory_xact_lock(${LOCKS.offenders})`)

/** Tries the same lock; false if another process holds it. */
export const tryLockOffenders = async (db: Database): Promise<boolean> => {
  const [lock] = await db.query<{ acquired: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCKS.offenders}) as acquired`,
  )
  return lock?.acquired ?? false
}

export const { markArrivals, takeMarks, pendingHours } = hourMarks({
  progress: sql`offender_progress`,
  marks: sql`offender_mark`,
})

/** Vehicles with a plate in these hours. */
const vehiclesIn = (marks: readonly HourMark[]): Statement => sql`
  select v.plate_lpr as plate, coalesce(v.nationality, '') as nationality, v.violations, v.created_at
  from ${markedHours(marks)} as m (location_id, hour)
  join vehicle v on ${inMarkedHour(marks)} and v.plate_lpr is not null`

/** A plate as sent. */
export type PlateReading = { plate: string; nationality: string }

/** Plates in these hours that have no spelling yet. */
export const unknownReadings = (db: Database, marks: readonly HourMark[]) =>
  db.query<PlateReading>(sql`
  select v.plate, v.nationality
  from (select distinct v.plate, v.nationality from (${vehiclesIn(marks)}) v) v
  left join spelling_plate p on p.plate = v.plate and p.nationality = v.nationality
  where p.plate is null`)

export type NewPlateReading = PlateReading & {
  /** Null: no letter or digit. */
  spelling: { form: string; country: string; fold: string; mayBeMisread: boolean } | null
}

/** Adds plates with their spellings. */
export async function insertReadings(db: Database, readings: readonly NewPlateReading[]): Promise<void> {
  const spellings = readings.map(({ spelling }) => spelling)
  const found = spellings.filter((spelling) => spelling !== null)
  await db.execute(sql`
    insert into spelling (form, country, fold, may_be_misread, last_seen)
    select distinct on (form, country) form, country, fold, may_be_misread, '-infinity'::date
    from unnest(
      ${found.map(({ form }) => form)}::text[], ${found.map(({ country }) => country)}::text[],
      ${found.map(({ fold }) => fold)}::text[], ${found.map(({ mayBeMisread }) => mayBeMisread)}::boolean[]
    ) as n (form, country, fold, may_be_misread)
    on conflict (form, country) do nothing`)
  await db.execute(sql`update spelling set vehicle_id = id where vehicle_id is null`)
  await db.execute(sql`
    insert into spelling_plate (plate, nationality, spelling_id)
    select n.plate, n.nationality, s.id
    from unnest(
      ${readings.map(({ plate }) => plate)}::text[], ${readings.map(({ nationality }) => nationality)}::text[],
      ${spellings.map((spelling) => spelling?.form ?? null)}::text[],
      ${spellings.map((spelling) => spelling?.country ?? null)}::text[]
    ) as n (plate, nationality, form, country)
    left join spelling s on s.form = n.form and s.country = n.country
    on conflict do nothing`)
}

/** Queues the spellings seen in these hours. */
export async function queueSeen(db: Database, marks: readonly HourMark[]): Promise<void> {
  await db.execute(sql`
    with vehicles as (${vehiclesIn(marks)}
    ), seen as materialized (
      select spelling_id as id, bool_or(violations & 1 > 0) as is_overloaded,
             date_trunc('month', max(created_at), 'UTC')::date as month
      from vehicles
      join spelling_plate using (plate, nationality)
      where spelling_id is not null
      group by 1
    ), updated as (
      update spelling s set is_overloaded = s.is_overloaded or seen.is_overloaded, last_seen = greatest(s.last_seen, seen.month)
      from seen
      where s.id = seen.id and (s.last_seen < seen.month or seen.is_overloaded and not s.is_overloaded)
    )
    insert into spelling_queue (spelling_id) select id from seen on conflict do nothing`)
}

export const queueSpellings = (db: Database, ids: readonly number[]) =>
  db.execute(sql`
  insert into spelling_queue (spelling_id) select unnest(${ints(ids)}::int[]) on conflict do nothing`)

/** Queues the spellings whose joins may have changed with the counts of others. */
export const queueReviewed = (db: Database) =>
  db.execute(sql`
  insert into spelling_queue (spelling_id)
  select id from spelling where may_be_misread or joined_to is not null on conflict do nothing`)

/**
 * Queues the overloaded spellings that may have a plate that was left out as a placeholder: it is one no longer when enough
 * of its oldest detections are deleted. These are all whose vehicle was not counted, or that were sent in several ways.
 */
export const queueUncounted = (db: Database) =>
  db.execute(sql`
  insert into spelling_queue (spelling_id)
  select s.id
  from spelling s
  join spelling_plate p on p.spelling_id = s.id
  left join offender o on o.vehicle_id = s.vehicle_id
  where s.is_overloaded
  group by s.id
  having count(o.vehicle_id) = 0 or count(distinct p.plate) > 1
  on conflict do nothing`)

/** Queues the spellings of inspections whose carrier may have changed. */
export const queueInspected = (db: Database) =>
  db.execute(sql`
  with marked as (delete from offender_carrier_mark returning plate, nationality)
  insert into spelling_queue (spelling_id)
  select distinct p.spelling_id from marked join spelling_plate p using (plate, nationality)
  where p.spelling_id is not null
  on conflict do nothing`)

/** Marks the plates of these inspections, whose carrier changed or which are about to be deleted. */
export const markInspected = (db: Database, inspectionIds: readonly number[]) =>
  db.execute(sql`
  insert into offender_carrier_mark (plate, nationality)
  select distinct passage ->> 'plateLpr', coalesce(passage ->> 'nationality', '')
  from inspection
  where id = any(${ints(inspectionIds)}::bigint[]) and passage ->> 'plateLpr' is not null`)

/** Removes spellings from the queue and returns them. */
export const takeQueued = async (db: Database, limit: number): Promise<number[]> => {
  const rows = await db.query<{ id: number }>(sql`
    delete from spelling_queue
    where spelling_id in (select spelling_id from spelling_queue order by spelling_id limit ${limit})
    returning spelling_id as id`)
  return rows.map(({ id }) => id)
}

/** Records that everything was counted up to this hour, unless hours or spellings are waiting. */
export const recordCounted = (db: Database, hour: Date) =>
  db.execute(sql`
  update offender_progress set counted_until = ${hour}::timestamptz
  where counted_until is distinct from ${hour}::timestamptz
    and not exists (select from offender_mark where hour < ${hour}::timestamptz) and not exists (select from spelling_queue)`)

/**
 * Deletes days up to this one, and queues their vehicles, of which some passages of that day may still be stored.
 */
export async function expireDays(db: Database, through: string): Promise<void> {
  await db.execute(sql`
    with expired as (delete from offender_day where day <= ${through}::date returning vehicle_id)
    insert into spelling_queue (spelling_id) select distinct vehicle_id from expired on conflict do nothing`)
}

/** Deletes vehicles of which no spelling was seen since that day. */
export async function deleteUnseen(db: Database, since: string): Promise<void> {
  await db.execute(sql`
    delete from spelling s using (
      select vehicle_id from spelling group by 1
      having max(last_seen) < date_trunc('month', ${since}::date)::date
    ) old
    where s.vehicle_id = old.vehicle_id`)
  await db.execute(sql`
    delete from offender_mark where hour < ${since}::timestamptz - interval '1 day'`)
}
