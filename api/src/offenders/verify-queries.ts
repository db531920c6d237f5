import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'
import { findPlaceholders, latestCarriers, offenderDays, offenderLocationSums, offenderSums } from './count-queries.ts'
import { pendingHours } from './derive-queries.ts'

/** A day of a vehicle at a station whose stored figures differ from the recounted ones; null: on one side only. */
export type OffenderDifference = {
  vehicleId: number
  day: string
  locationId: number
  stored: Record<string, unknown> | null
  recounted: Record<string, unknown> | null
}

/**
 * Recounts the days after `through` from the vehicles. Skipped are hours that are not derived yet, and vehicles whose
 * spellings are queued.
 */
export async function offenderDifferences(db: Database, through: string, since: Date): Promise<OffenderDifference[]> {
  const vehicles = sql`s.vehicle_id in (select vehicle_id from spelling where is_overloaded)`
  const placeholders = await findPlaceholders(db, vehicles, since)
  return db.query<OffenderDifference>(sql`
  with pending as (
    select distinct location_id, (hour at time zone 'Europe/Warsaw')::date as day from (${pendingHours}) h
  ), queued as (
    select distinct s.vehicle_id from spelling_queue q join spelling s on s.id = q.spelling_id
  ), recounted as (
    select vehicle_id, day, location_id, passages, overloads, worst, last_seen
    from (${offenderDays(vehicles, since, placeholders)}) d
  ), compared as (
    select vehicle_id, day, location_id, to_jsonb(d) as stored, to_jsonb(r) as recounted
    from offender_day d
    full join recounted r using (vehicle_id, day, location_id)
    where (d.passages, d.overloads, d.worst, d.last_seen) is distinct from (r.passages, r.overloads, r.worst, r.last_seen)
  )
  select c.vehicle_id as "vehicleId", c.day::text, c.location_id as "locationId", c.stored, c.recounted
  from compared c
  left join pending p on p.location_id = c.location_id and p.day = c.day
  left join queued q on q.vehicle_id = c.vehicle_id
  where c.day > ${through}::date and p.day is null and q.vehicle_id is null
  order by 2, 1, 3`)
}

/** Number of vehicles whose totals or running sums are not those of their days. Skipped are those that are queued. */
export async function wrongSums(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    with queued as (
      select s.vehicle_id from spelling_queue q join spelling s on s.id = q.spelling_id
    ), wrong as (
      select vehicle_id
      from (
        select vehicle_id, to_jsonb(o) - '{carrier_key,carrier,tax_id,repeat_since}'::text[] as sums from offender o
      ) o
      full join (select vehicle_id, to_jsonb(d) as sums from (${offenderSums(sql`true`)}) d) d using (vehicle_id)
      where o.sums is distinct from d.sums
      union
      select vehicle_id
      from (select vehicle_id, location_id, to_jsonb(l) as sums from offender_location l) l
      full join (select vehicle_id, location_id, to_jsonb(d) as sums from (${offenderLocationSums(sql`true`)}) d) d
        using (vehicle_id, location_id)
      where l.sums is distinct from d.sums
    )
    select count(*)::int as count from wrong where vehicle_id not in (select vehicle_id from queued)`)
  return row?.count ?? 0
}

/** Number of vehicles with another carrier than their inspections have. Skipped are those that are counted again. */
export async function wrongCarriers(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    with queued as (
      select s.vehicle_id from spelling_queue q join spelling s on s.id = q.spelling_id
      union
      select s.vehicle_id
      from offender_carrier_mark m join spelling_plate p using (plate, nationality) join spelling s on s.id = p.spelling_id
    )
    select count(*)::int as count
    from offender o left join (${latestCarriers(sql`true`)}) c using (vehicle_id)
    where (o.carrier_key, o.carrier, o.tax_id) is distinct from (c.key, c.carrier, c.tax_id)
      and vehicle_id not in (select vehicle_id from queued)`)
  return row?.count ?? 0
}

/** Number of spellings whose vehicle is not that at the end of their joins. */
export async function wrongVehicles(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count
    from spelling s left join spelling o on o.id = s.joined_to
    where s.vehicle_id is distinct from coalesce(o.vehicle_id, s.id)`)
  return row?.count ?? 0
}

/** Number of derived vehicles after that day whose plate has no spelling, or one that is wrongly not marked as overloaded. */
export async function unreadVehicles(db: Database, through: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    with pending as (${pendingHours})
    select count(*)::int as count
    from vehicle v
    left join spelling_plate p on p.plate = v.plate_lpr and p.nationality = coalesce(v.nationality, '')
    left join spelling s on s.id = p.spelling_id
    left join pending m on m.location_id = v.location_id and m.hour = date_trunc('hour', v.created_at, 'UTC')
    where v.plate_lpr is not null and v.created_at >= (${through}::date + 1)::timestamp at time zone 'Europe/Warsaw'
      and (p.plate is null or v.violations & 1 > 0 and not s.is_overloaded) and m.hour is null`)
  return row?.count ?? 0
}
