import type { JoinRule } from '@rogatka/domain/offenders/joins.ts'
import type { Sighting } from '@rogatka/domain/offenders/veto.ts'
import { axleFieldIndex } from '@rogatka/domain/vehicle/pack.ts'
import type { Database } from '../core/database.ts'
import { json, type Statement, sql } from '../core/statement.ts'
import { findPlaceholders } from './count-queries.ts'

const ints = (values: readonly number[]) => values.map(String)

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
export const spellingsByFold = (db: Database, ids: readonly number[]) =>
  db.query<StoredSpelling>(sql`
  ${selectSpellings} where s.fold in (select fold from spelling where id = any(${ints(ids)}::int[])) order by s.id`)

export const spellingsByForm = (db: Database, forms: readonly string[]) =>
  db.query<StoredSpelling>(sql`${selectSpellings} where s.form = any(${[...forms]}::text[]) order by s.id`)

/** Vehicles of these spellings. */
export const listVehicleIds = async (db: Database, ids: readonly number[]): Promise<number[]> => {
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
}

const FIRST_AXLE_GAP = axleFieldIndex(2, 'gap')

/** Detections of spellings since `since`, without those of plates that are placeholders. */
export type DetectionFilter = { since: Date; placeholders: readonly string[] }

/** The plates of spellings that are placeholders since a time. */
export const findPlaceholdersById = (db: Database, ids: readonly number[], since: Date) =>
  findPlaceholders(db, sql`s.id = any(${ints(ids)}::int[])`, since)

const platesOf = (ids: readonly number[], placeholders: readonly string[]): Statement => sql`
  (select * from spelling_plate
   where spelling_id = any(${ints(ids)}::int[]) and plate <> all(${[...placeholders]}::text[]))`

/** The vehicles of spellings in figures, by id of the spelling; without those that have none since that time. */
export async function spellingFigures(
  db: Database,
  ids: readonly number[],
  { since, placeholders }: DetectionFilter,
): Promise<Map<number, SpellingFigures>> {
  const rows = await db.query<SpellingFigures & { id: number }>(sql`
    select p.spelling_id as id, count(*)::int as count,
           percentile_disc(0.5) within group (order by nullif(d.axles[${FIRST_AXLE_GAP}::int], 0)) as "firstAxleGap",
           coalesce(array_agg(distinct v.number_of_axles) filter (where v.number_of_axles is not null), '{}')::int[]
             as "axleCounts",
           percentile_disc(0.5) within group (order by v.veh_length)::int as length,
           mode() within group (order by v.ctg8p1)::int as ctg8p1
    from ${platesOf(ids, placeholders)} p
    join vehicle v on v.plate_lpr = p.plate and coalesce(v.nationality, '') = p.nationality
      and v.created_at >= ${since}::timestamptz
    left join vehicle_detail d on d.location_id = v.location_id and d.created_at = v.created_at and d.id = v.id
      and d.created_at >= ${since}::timestamptz
    group by 1`)
  return new Map(rows.map(({ id, ...figures }) => [id, figures]))
}

/** The detections of spellings since that time, by id of the spelling, oldest first. */
export async function listSightings(
  db: Database,
  ids: readonly number[],
  { since, placeholders }: DetectionFilter,
): Promise<Map<number, Sighting[]>> {
  const rows = await db.arrays<[id: number, locationId: number, at: number]>(sql`
    select p.spelling_id, v.location_id, (extract(epoch from v.created_at) * 1000)::float8 as at
    from ${platesOf(ids, placeholders)} p
    join vehicle v on v.plate_lpr = p.plate and coalesce(v.nationality, '') = p.nationality
      and v.created_at >= ${since}::timestamptz
    order by v.created_at`)
  const sightings = new Map<number, Sighting[]>()
  for (const [id, locationId, at] of rows) {
    const ofSpelling = sightings.get(id)
    if (ofSpelling) ofSpelling.push({ locationId, at })
    else sightings.set(id, [{ locationId, at }])
  }
  return sightings
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

/** Spellings and those joined to them, directly or through others; terminates also if joins form a cycle. */
const withJoined = (ids: readonly number[]): Statement => sql`
  with recursive joined as (
    select id as root, id from spelling where id = any(${ints(ids)}::int[])
    union select j.root, s.id from spelling s join joined j on s.joined_to = j.id
  )`

export type JoinChange = { id: number; join: { to: number; rule: JoinRule; evidence: object } | null }

/**
 * Joins spellings, each with those joined to it, to others, or to none. A join that would lead back to its spelling, or to a
 * vehicle from which one of them was split, is left out. Returns the ids of their vehicles before and after, and of the
 * spellings left out.
 */
export async function setJoins(db: Database, changes: readonly JoinChange[]) {
  const ids = changes.map(({ id }) => id)
  const vehicles = await listVehicleIds(db, ids)
  // All of them first: a join may have the opposite direction of one before.
  await db.execute(sql`
    update spelling set joined_to = null, rule = null, evidence = null where id = any(${ints(ids)}::int[])`)
  await db.execute(sql`
    ${withJoined(ids)} update spelling s set vehicle_id = j.root from joined j where s.id = j.id`)
  const leftOut = new Set<number>()
  for (const { id, join } of changes) {
    if (!join) continue
    const joined = await db.query<{ id: number }>(sql`${withJoined([id])} select id from joined`)
    const moved = joined.map(({ id }) => id)
    const splits = await splitPairs(db, moved)
    const [vehicle] = await listVehicleIds(db, [join.to])
    if (moved.includes(join.to) || moved.some((id) => splits.has(`${vehicle} ${id}`))) {
      leftOut.add(id)
      continue
    }
    await db.execute(sql`
      update spelling set joined_to = ${join.to}, rule = ${join.rule}, evidence = ${json(join.evidence)} where id = ${id}`)
    await db.execute(sql`update spelling set vehicle_id = ${vehicle} where id = any(${ints(moved)}::int[])`)
  }
  return { vehicles: [...vehicles, ...(await listVehicleIds(db, ids))], leftOut }
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

/** The vehicle of a plate that was split off this one; undefined if there is none. */
export async function vehicleOfSplit(
  db: Database,
  { id, form, country }: { id: number; form: string; country: string | null },
) {
  const [found] = await db.query<{ vehicleId: number }>(sql`
    select s.vehicle_id as "vehicleId"
    from spelling v
    join spelling o on o.id = v.vehicle_id
    join spelling_split x on x.other_form = o.form and x.other_country = o.country
    join spelling s on s.form = x.form and s.country = x.country
    where v.id = ${id} and s.form = ${form} and ${country === null ? sql`true` : sql`s.country = ${country}`}
      and s.vehicle_id <> o.id
    order by s.country limit 1`)
  return found?.vehicleId
}
