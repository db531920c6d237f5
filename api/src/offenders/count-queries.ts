import { offenderSince } from '@rogatka/domain/offenders/criterion.ts'
import type { Database } from '../core/database.ts'
import { raw, type Statement, sql } from '../core/statement.ts'

const ints = (values: readonly number[]) => values.map(String)

/** No vehicle passes more often in 24 months: about 14 times a day. */
export const MAX_DETECTIONS = 10_000

/**
 * Plates of spellings, as sent, that were detected more often since that time than any vehicle: what cameras send for one
 * that they could not read. Counted in the index of plates, as there may be millions of such detections.
 */
export async function findPlaceholders(db: Database, spellings: Statement, since: Date): Promise<string[]> {
  const rows = await db.query<{ plate: string }>(sql`
    select v.plate_lpr as plate
    from (select distinct p.plate from spelling s join spelling_plate p on p.spelling_id = s.id where ${spellings}) p
    join vehicle v on v.plate_lpr = p.plate and v.created_at >= ${since}::timestamptz
    group by 1 having count(*) > ${MAX_DETECTIONS}`)
  return rows.map(({ plate }) => plate)
}

/** Passages since that time of vehicles that were overloaded, by day and station; without those of placeholders. */
export const offenderDays = (vehicles: Statement, since: Date, placeholders: readonly string[]) => sql`
  select c.* from (
    select c.*, sum(c.overloads) over (partition by c.vehicle_id) as overloads_of_vehicle
    from (
      select p.vehicle_id, (v.created_at at time zone 'Europe/Warsaw')::date as day, v.location_id,
             count(*)::int as passages, (count(*) filter (where v.violations & 1 > 0))::int as overloads,
             coalesce(max(greatest(v.overload_sa, v.overload_ma, v.overload_tl)) filter (where v.violations & 1 > 0), 0)
               as worst, max(v.created_at) as last_seen
      from (
        select s.vehicle_id, p.plate, p.nationality
        from spelling s
        join spelling_plate p on p.spelling_id = s.id
        where ${vehicles} and p.plate <> all(${[...placeholders]}::text[])
      ) p
      join vehicle v on v.plate_lpr = p.plate and coalesce(v.nationality, '') = p.nationality
        and v.created_at >= ${since}::timestamptz
      group by 1, 2, 3
    ) c
  ) c
  where c.overloads_of_vehicle > 0`

/** Counts vehicles again, so that a recount is equal whatever arrived when. */
export async function recountVehicles(db: Database, ids: readonly number[], since: Date): Promise<void> {
  await db.execute(sql`delete from offender_day where vehicle_id = any(${ints(ids)}::int[])`)
  await db.execute(sql`delete from offender_location where vehicle_id = any(${ints(ids)}::int[])`)
  await db.execute(sql`delete from offender where vehicle_id = any(${ints(ids)}::int[])`)
  const placeholders = await findPlaceholders(db, sql`s.vehicle_id = any(${ints(ids)}::int[])`, since)
  await db.execute(sql`
    insert into offender_day (vehicle_id, day, location_id, passages, overloads, worst, last_seen)
    select vehicle_id, day, location_id, passages, overloads, worst, last_seen
    from (${offenderDays(
      // As an array, for which the planner reads vehicles by the index of plates; for a list it may read all.
      sql`s.vehicle_id = any(array(
        select vehicle_id from spelling where vehicle_id = any(${ints(ids)}::int[]) and is_overloaded))`,
      since,
      placeholders,
    )}) d`)
  await insertSums(db, sql`vehicle_id = any(${ints(ids)}::int[])`)
  await setRepeatSince(db, sql`vehicle_id = any(${ints(ids)}::int[])`)
  await setCarriers(db, sql`s.vehicle_id = any(${ints(ids)}::int[])`)
}

/** Inspections with the vehicle of their plate. */
export const inspectionsOfVehicles = sql`
  inspection i
  join spelling_plate p on p.plate = i.passage ->> 'plateLpr'
    and p.nationality = coalesce(i.passage ->> 'nationality', '')
  join spelling s on s.id = p.spelling_id`

/** The carriers of vehicles: that of the latest inspection that has one. */
export const latestCarriers = (vehicles: Statement) => sql`
  select distinct on (s.vehicle_id) s.vehicle_id, i.carrier, i.tax_id, coalesce(i.tax_id, lower(i.carrier)) as key
  from ${inspectionsOfVehicles}
  where ${vehicles} and i.carrier is not null
  order by s.vehicle_id, i.announced_at desc, i.id desc`

/** Stores the carrier of offenders. */
export const setCarriers = (db: Database, vehicles: Statement) =>
  db.execute(sql`
  update offender o set carrier_key = c.key, carrier = c.carrier, tax_id = c.tax_id
  from (${latestCarriers(vehicles)}) c
  where o.vehicle_id = c.vehicle_id`)

/** Stores since when offenders are repeat offenders, from their running sums. */
export async function setRepeatSince(db: Database, vehicles: Statement): Promise<void> {
  const rows = await db.query<{ id: number; days: string[] }>(sql`
    select vehicle_id as id, overloaded_days::text[] as days
    from offender
    where ${vehicles} and cardinality(overloaded_days) > 2`)
  const found = rows.flatMap(({ id, days }) => {
    // Noon is on the same day in Warsaw and in UTC.
    const since = offenderSince(days.map((day) => new Date(`${day}T12:00:00Z`)))
    return since ? [{ id, since }] : []
  })
  await db.execute(sql`
    update offender o set repeat_since = n.since
    from unnest(${ints(found.map(({ id }) => id))}::int[], ${found.map(({ since }) => since)}::date[]) as n (id, since)
    where o.vehicle_id = n.id`)
}

/**
 * Totals and running sums of days of vehicles, by `key`: the rows of `offender`, without carriers and the day since when it
 * is a repeat offender, or of `offender_location` without the overloads at all stations.
 */
export function offenderSums(vehicles: Statement, key = raw('vehicle_id')): Statement {
  return sql`
  select ${key}, min(day) as first_day, max(last_seen) as last_seen, sum(passages)::int as passages,
         sum(overloads)::int as overloads, max(worst) as worst, array_agg(last_seen order by day) as seen,
         array_agg(passages_through order by day) as passages_through,
         coalesce(array_agg(day order by day) filter (where overloads > 0), '{}') as overloaded_days,
         coalesce(array_agg(overloads_through order by day) filter (where overloads > 0), '{}') as overloads_through,
         coalesce(array_agg(worst order by day) filter (where overloads > 0), '{}') as excesses
  from (
    select *, (sum(passages) over through)::int as passages_through, (sum(overloads) over through)::int as overloads_through
    from (
      select ${key}, day, sum(passages) as passages, sum(overloads) as overloads, max(worst) as worst,
             max(last_seen) as last_seen
      from offender_day
      where ${vehicles}
      group by ${key}, day
    ) d
    window through as (partition by ${key} order by day)
  ) d
  group by ${key}`
}

/** The rows of `offender_location` by the days of vehicles. */
export const offenderLocationSums = (vehicles: Statement): Statement => sql`
  select s.*, sum(s.overloads) over (partition by s.vehicle_id)::int as overloads_of_vehicle
  from (${offenderSums(vehicles, raw('vehicle_id, location_id'))}) s`

const SUMS = raw(`first_day, last_seen, passages, overloads, worst, seen, passages_through, overloaded_days,
      overloads_through, excesses`)

/** Inserts totals and running sums of vehicles that have none. */
export async function insertSums(db: Database, vehicles: Statement): Promise<void> {
  await db.execute(sql`
    insert into offender (vehicle_id, ${SUMS}) select vehicle_id, ${SUMS} from (${offenderSums(vehicles)}) s`)
  await db.execute(sql`
    insert into offender_location (vehicle_id, location_id, overloads_of_vehicle, ${SUMS})
    select vehicle_id, location_id, overloads_of_vehicle, ${SUMS} from (${offenderLocationSums(vehicles)}) s
    order by vehicle_id, location_id`)
}
