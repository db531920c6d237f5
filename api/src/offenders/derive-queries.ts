import type { JoinRule } from '@rogatka/domain/offenders/joins.ts'
import type { Sighting } from '@rogatka/domain/offenders/veto.ts'
import { axleFieldIndex } from '@rogatka/domain/vehicle/pack.ts'
import type { Database } from '../core/database.ts'
import { LOCKS } from '../core/locks.ts'
import { json, type Statement, sql } from '../core/statement.ts'

/** An hour of a station. */
export type Mark = { locationId: number; hour: Date }

const ints = (values: readonly number[]) => values.map(String)

/** Serialises changes of spellings over all processes until the transaction ends. */
export const lockOffenders = (db: Database) => db.query(sql`select pg_advisory_xact_lock(${LOCKS.offenders})`)

export const tryLockOffenders = async (db: Database): Promise<boolean> => {
  const [lock] = await db.query<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCKS.offenders}) as mine`)
  return lock?.mine ?? false
}

/** Marks the hours with vehicles of transactions since the last call. Requires the lock. */
export async function markArrivals(db: Database): Promise<void> {
  const [progress] = await db.query<{ through: number; unfinished: number }>(sql`
    -- After a restore into another cluster transactions are counted anew: then everything is marked.
    select case when through <= unfinished then through else 0 end as through, unfinished
    from offender_progress, (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as unfinished) now`)
  await db.execute(sql`
    insert into offender_mark (location_id, hour)
    select location_id, hour from arrival where written_by >= ${progress?.through ?? 0}
    on conflict do nothing`)
  await db.execute(sql`update offender_progress set through = ${progress?.unfinished ?? 0}`)
}

/** Removes and returns the oldest marks of hours that have ended. */
export const takeMarks = (db: Database, now: Date, limit: number) =>
  db.query<Mark>(sql`
  delete from offender_mark m
  using (
    select location_id, hour from offender_mark where hour <= ${now}::timestamptz - interval '1 hour'
    order by hour, location_id limit ${limit}
  ) d
  where m.location_id = d.location_id and m.hour = d.hour
  returning m.location_id as "locationId", m.hour`)

/** Vehicles with a plate in these hours. */
function vehiclesIn(marks: readonly Mark[]): Statement {
  const times = marks.map(({ hour }) => hour.getTime())
  // The bounds keep other partitions out of the plan.
  return sql`
    select v.plate_lpr as plate, coalesce(v.nationality, '') as nationality, v.violations, v.created_at
    from unnest(${ints(marks.map(({ locationId }) => locationId))}::int[], ${marks.map(({ hour }) => hour)}::timestamptz[])
      as m (location_id, hour)
    join vehicle v on v.location_id = m.location_id
      and v.created_at >= m.hour and v.created_at < m.hour + interval '1 hour'
      and v.created_at >= ${new Date(Math.min(...times))}::timestamptz
      and v.created_at < ${new Date(Math.max(...times))}::timestamptz + interval '1 hour'
      and v.plate_lpr is not null`
}

/** A plate as sent. */
export type Reading = { plate: string; nationality: string }

/** Plates in these hours that have no spelling yet. */
export const unknownReadings = (db: Database, marks: readonly Mark[]) =>
  db.query<Reading>(sql`
  select distinct v.plate, v.nationality
  from (${vehiclesIn(marks)}) v
  left join spelling_plate p on p.plate = v.plate and p.nationality = v.nationality
  where p.plate is null`)

export type NewReading = Reading & {
  /** Null: no letter or digit. */
  spelling: { form: string; country: string; fold: string; mayBeMisread: boolean } | null
}

/** Adds plates with their spellings. */
export async function insertReadings(db: Database, readings: readonly NewReading[]): Promise<void> {
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
export async function queueSeen(db: Database, marks: readonly Mark[]): Promise<void> {
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

/** Removes spellings from the queue and returns them. */
export const takeQueued = async (db: Database, limit: number): Promise<number[]> => {
  const rows = await db.query<{ id: number }>(sql`
    delete from spelling_queue
    where spelling_id in (select spelling_id from spelling_queue order by spelling_id limit ${limit})
    returning spelling_id as id`)
  return rows.map(({ id }) => id)
}

export type StoredSpelling = {
  id: number
  form: string
  country: string
  fold: string
  mayBeMisread: boolean
  /** Its vehicle was overloaded. */
  isOverloaded: boolean
  vehicleId: number
  joinedTo: number | null
  rule: JoinRule | null
}

const selectSpellings = sql`
  select s.id, s.form, s.country, s.fold, s.may_be_misread as "mayBeMisread", s.vehicle_id as "vehicleId",
         s.joined_to as "joinedTo", s.rule, s.is_overloaded or o.vehicle_id is not null as "isOverloaded"
  from spelling s
  left join offender o on o.vehicle_id = s.vehicle_id`

/** Spellings with the same fold as any of these, including these. */
export const foldMates = (db: Database, ids: readonly number[]) =>
  db.query<StoredSpelling>(sql`
  ${selectSpellings} where s.fold in (select fold from spelling where id = any(${ints(ids)}::int[])) order by s.id`)

export const spellingsByForm = (db: Database, forms: readonly string[]) =>
  db.query<StoredSpelling>(sql`${selectSpellings} where s.form = any(${[...forms]}::text[]) order by s.id`)

/** Vehicles of these spellings. */
export const vehiclesOf = async (db: Database, ids: readonly number[]): Promise<number[]> => {
  const rows = await db.query<{ id: number }>(sql`
    select distinct vehicle_id as id from spelling where id = any(${ints(ids)}::int[])`)
  return rows.map(({ id }) => id)
}

/** Figures of a spelling by which it is joined. */
export type SpellingFigures = {
  count: number
  firstAxleGap: number | null
  axleCounts: number[]
  length: number | null
  ctg8p1: number
  sightings: Sighting[]
}

const FIRST_AXLE_GAP = axleFieldIndex(2, 'gap')

/** Sightings compared by the veto at most: the latest ones. */
const MAX_SIGHTINGS = 1_000

/** The vehicles of spellings in figures, by id of the spelling; without those that have none since that time. */
export async function spellingFigures(
  db: Database,
  ids: readonly number[],
  since: Date,
): Promise<Map<number, SpellingFigures>> {
  const rows = await db.query<
    Omit<SpellingFigures, 'sightings'> & { id: number; locationIds: number[]; times: number[] }
  >(sql`
    select p.spelling_id as id, count(*)::int as count,
           percentile_disc(0.5) within group (order by nullif(d.axles[${FIRST_AXLE_GAP}::int], 0)) as "firstAxleGap",
           coalesce(array_agg(distinct v.number_of_axles) filter (where v.number_of_axles is not null), '{}')::int[]
             as "axleCounts",
           percentile_disc(0.5) within group (order by v.veh_length)::int as length,
           mode() within group (order by v.ctg8p1)::int as ctg8p1,
           (array_agg(v.location_id order by v.created_at desc, v.location_id))[1:${MAX_SIGHTINGS}::int] as "locationIds",
           (array_agg((extract(epoch from v.created_at) * 1000)::float8 order by v.created_at desc, v.location_id))
             [1:${MAX_SIGHTINGS}::int] as times
    from spelling_plate p
    join vehicle v on v.plate_lpr = p.plate and coalesce(v.nationality, '') = p.nationality
      and v.created_at >= ${since}::timestamptz
    left join vehicle_detail d on d.location_id = v.location_id and d.created_at = v.created_at and d.id = v.id
      and d.created_at >= ${since}::timestamptz
    where p.spelling_id = any(${ints(ids)}::int[])
    group by 1`)
  return new Map(
    rows.map(({ id, locationIds, times, ...figures }) => [
      id,
      { ...figures, sightings: times.map((at, index) => ({ locationId: locationIds[index] as number, at })) },
    ]),
  )
}

/** Pairs of a vehicle and a spelling that a user split off it, as `vehicle spelling`, in either direction. */
export async function splitPairs(db: Database, ids: readonly number[]): Promise<Set<string>> {
  const rows = await db.query<{ vehicleId: number; id: number }>(sql`
    select o.vehicle_id as "vehicleId", s.id
    from spelling s
    join spelling_split x on x.form = s.form and x.country = s.country
    join spelling o on o.form = x.other_form and o.country = x.other_country
    where s.id = any(${ints(ids)}::int[])
    union all
    select o.vehicle_id, s.id
    from spelling s
    join spelling_split x on x.other_form = s.form and x.other_country = s.country
    join spelling o on o.form = x.form and o.country = x.country
    where s.id = any(${ints(ids)}::int[])`)
  return new Set(rows.map(({ vehicleId, id }) => `${vehicleId} ${id}`))
}

/** A spelling and those joined to it, directly or through others. */
async function withJoined(db: Database, id: number): Promise<number[]> {
  const found = [id]
  for (let last = found; last.length > 0; ) {
    const rows = await db.query<{ id: number }>(
      sql`select id from spelling where joined_to = any(${ints(last)}::int[])`,
    )
    last = rows.map((row) => row.id)
    found.push(...last)
  }
  return found
}

type NewJoin = { to: number; rule: JoinRule; evidence: object }

/** Joins a spelling with those joined to it to another, or to none; returns the ids of its vehicle before and after. */
export async function setJoin(db: Database, id: number, join: NewJoin | null): Promise<number[]> {
  const before = await vehiclesOf(db, [id])
  await db.execute(sql`
    update spelling
    set joined_to = ${join?.to ?? null}, rule = ${join?.rule ?? null}, evidence = ${join ? json(join.evidence) : null}
    where id = ${id}`)
  await db.execute(sql`
    update spelling
    set vehicle_id = coalesce((select vehicle_id from spelling where id = ${join?.to ?? null}::int), ${id}::int)
    where id = any(${ints(await withJoined(db, id))}::int[])`)
  return [...before, ...(await vehiclesOf(db, [id]))]
}

export type Split = { vehicleId: number; spellingId: number; userId: number; now: Date }

/** Records that a spelling does not belong to a vehicle; those joined to it stay with it. */
export const insertSplits = (db: Database, { vehicleId, spellingId, userId, now }: Split) =>
  db.execute(sql`
  with recursive joined as (
    select id from spelling where id = ${spellingId}
    union select s.id from spelling s join joined j on s.joined_to = j.id
  )
  insert into spelling_split (form, country, other_form, other_country, split_at, split_by)
  select s.form, s.country, o.form, o.country, ${now}::timestamptz, ${userId}
  from spelling s, spelling o
  where s.id = ${spellingId} and o.vehicle_id = ${vehicleId} and o.id not in (select id from joined)
  on conflict do nothing`)

/** Passages since that time of vehicles that were overloaded, by day and station. */
export const offenderDays = (vehicles: Statement, since: Date) => sql`
  select c.* from (
    select c.*, sum(c.overloads) over (partition by c.vehicle_id) as overloads_of_vehicle
    from (
      select s.vehicle_id, (v.created_at at time zone 'Europe/Warsaw')::date as day, v.location_id,
             count(*)::int as passages, (count(*) filter (where v.violations & 1 > 0))::int as overloads,
             coalesce(max(greatest(v.overload_sa, v.overload_ma, v.overload_tl)) filter (where v.violations & 1 > 0), 0)
               as worst, max(v.created_at) as last_seen
      from spelling s
      join spelling_plate p on p.spelling_id = s.id
      join vehicle v on v.plate_lpr = p.plate and coalesce(v.nationality, '') = p.nationality
        and v.created_at >= ${since}::timestamptz
      where ${vehicles}
      group by 1, 2, 3
    ) c
  ) c
  where c.overloads_of_vehicle > 0`

/** Counts vehicles anew, so that a recount is equal whatever arrived when. */
export async function recountVehicles(db: Database, ids: readonly number[], since: Date): Promise<void> {
  await db.execute(sql`delete from offender_day where vehicle_id = any(${ints(ids)}::int[])`)
  await db.execute(sql`delete from offender_history where vehicle_id = any(${ints(ids)}::int[])`)
  await db.execute(sql`delete from offender where vehicle_id = any(${ints(ids)}::int[])`)
  await db.execute(sql`
    insert into offender_day (vehicle_id, day, location_id, passages, overloads, worst, last_seen)
    select vehicle_id, day, location_id, passages, overloads, worst, last_seen
    from (${offenderDays(
      // As an array, for which the planner reads vehicles by the index of plates; for a list it may read all.
      sql`s.vehicle_id = any(array(
        select vehicle_id from spelling where vehicle_id = any(${ints(ids)}::int[]) and is_overloaded))`,
      since,
    )}) d`)
  await db.execute(sql`
    insert into offender (vehicle_id, passages, overloads, worst, last_seen)
    select vehicle_id, sum(passages), sum(overloads), max(worst), max(last_seen)
    from offender_day where vehicle_id = any(${ints(ids)}::int[])
    group by 1`)
  await db.execute(sql`
    insert into offender_history (vehicle_id, location_id, overloads, days, passages_through, last_seen, overloaded_days,
      overloads_through, worst)
    ${offenderHistories(sql`vehicle_id = any(${ints(ids)}::int[])`)}`)
}

/** Running sums of days of vehicles, by station and for all stations (0). */
export const offenderHistories = (vehicles: Statement): Statement => sql`
  select vehicle_id, location_id, sum(overloads)::int as overloads, array_agg(day order by day) as days,
         array_agg(passages_through order by day) as passages_through, array_agg(last_seen order by day) as last_seen,
         coalesce(array_agg(day order by day) filter (where overloads > 0), '{}') as overloaded_days,
         coalesce(array_agg(overloads_through order by day) filter (where overloads > 0), '{}') as overloads_through,
         coalesce(array_agg(worst order by day) filter (where overloads > 0), '{}') as worst
  from (
    select *, (sum(passages) over through)::int as passages_through, (sum(overloads) over through)::int as overloads_through
    from (
      select vehicle_id, coalesce(location_id, 0) as location_id, day, sum(passages) as passages,
             sum(overloads) as overloads, max(worst) as worst, max(last_seen) as last_seen
      from offender_day
      where ${vehicles}
      group by grouping sets ((vehicle_id, day, location_id), (vehicle_id, day))
    ) d
    window through as (partition by vehicle_id, location_id order by day)
  ) d
  group by 1, 2`

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
