import { offenderSince } from '@rogatka/domain/offenders/criterion.ts'
import type { Database } from '../core/database.ts'
import { type Statement, sql } from '../core/statement.ts'

const ints = (values: readonly number[]) => values.map(String)

/** Passages since that time of vehicles that were overloaded, by day and station. */
export const offenderDays = (vehicles: Statement, since: Date) => sql`
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
        where ${vehicles}
      ) p
      join vehicle v on v.plate_lpr = p.plate and coalesce(v.nationality, '') = p.nationality
        and v.created_at >= ${since}::timestamptz
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
    from offender_history
    where location_id = 0 and ${vehicles} and cardinality(overloaded_days) > 2`)
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
