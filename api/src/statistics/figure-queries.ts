import { MAX_HEADWAY_MS } from '@rogatka/domain/statistics/headways.ts'
import type { Database } from '../core/database.ts'
import { type Statement, sql } from '../core/statement.ts'
import { detailedVehicles, headwaysAmong, rowsOf, type StationDay, startOf } from './distribution-bin-queries.ts'
import { replaceDistributions } from './distribution-derive-queries.ts'
import { countHours, markDays } from './ingest-queries.ts'
import { hoursOf } from './queries.ts'

/* Figures of days whose vehicles were imported after their retention, and never stored. */

/** Of these days, those with such figures. */
export const figureDays = (db: Database, days: readonly StationDay[]) =>
  db.query<StationDay>(sql`
  select g.location_id as "locationId", g.day::text
  from ${rowsOf(days, sql`day`)}
  join figure_day f on f.location_id = g.location_id and f.day = g.day`)

/** Of these days, those whose vehicles are or were stored. */
export const measuredDays = (db: Database, days: readonly StationDay[]) =>
  db.query<StationDay>(sql`
  with input as materialized (
    select g.location_id, g.day, ${hoursOf(sql`g.day`)} as hour from ${rowsOf(days, sql`day`)}
  )
  select distinct g.location_id as "locationId", g.day::text
  from input g
  join traffic_hour t on t.location_id = g.location_id and t.hour = g.hour`)

/**
 * Replaces the figures of a day by those of vehicles that are not stored: rows of `vehicle` and `vehicle_detail` in one, of
 * the day and of others. Months and hours by weekday are derived from them by the job.
 */
export async function replaceFigures(db: Database, station: StationDay, importId: number, vehicles: Statement) {
  const { locationId } = station
  const day = sql`${station.day}::date`
  const isOfDay = sql`location_id = ${locationId}::int and created_at >= ${startOf(day)}
    and created_at < ${startOf(sql`(${day} + 1)`)}`
  const ofDay = sql`(select * from ${vehicles} v where ${isOfDay}) v`
  // The row of the day serialises imports of it.
  await db.execute(sql`
    insert into figure_day (location_id, day, import_id, vehicles)
    select ${locationId}::int, ${day}, ${importId}::int, count(*) from ${ofDay}
    on conflict (location_id, day) do update set import_id = excluded.import_id, vehicles = excluded.vehicles`)
  await db.execute(sql`
    delete from figure_hour
    where location_id = ${locationId}::int and hour >= ${startOf(day)} and hour < ${startOf(sql`(${day} + 1)`)}`)
  await db.execute(countHours(ofDay, 'figure_hour'))
  await db.execute(markDays(ofDay))
  await replaceDistributions(
    db,
    { days: [station], vehicles: detailedVehicles(sql`select *, ${day} as day from ${ofDay}`) },
    {
      days: [station],
      headways: headwaysAmong(sql`
        select *, ${day} as day, ${startOf(day)} as start, true as counted
        from ${vehicles} v
        where location_id = ${locationId}::int and hour_only is not true
          and created_at >= ${startOf(day)} - ${MAX_HEADWAY_MS}::int * interval '1 millisecond'
          and created_at < ${startOf(sql`(${day} + 1)`)}`),
    },
  )
}
