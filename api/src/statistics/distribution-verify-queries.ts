import type { Database } from '../core/database.ts'
import { raw, type Statement, sql } from '../core/statement.ts'
import type { StationDay } from './distribution-bin-queries.ts'
import { countedHours } from './queries.ts'

/** A vehicle for a recount; `axles` and `groups` as in domain/vehicle/pack.ts, null without. `at` in ms. */
export type CountedVehicle = {
  at: number
  laneNumber: number
  ctg8p1: number
  speed: number | null
  speedLimit: number | null
  totalLoad: number | null
  /** Tenths of a percent; null: not judged. */
  overload: number | null
  /** Whether the time within the hour is unknown. */
  hourOnly: boolean
  axles: number[] | null
  groups: number[] | null
}

/** A row of a distribution: its table, and its columns but the station and the date. */
export type DistributionRow = { table: string; row: Record<string, unknown> }

/** Derived station days that are not dirty. */
export const derivedDays = (db: Database) =>
  db.query<StationDay>(sql`
  select location_id as "locationId", day::text from traffic_day
  except
  select location_id, day::text from traffic_mark
  except
  select location_id, day::text from distribution_mark
  order by 1, 2`)

/** Station months without dirty days, by their first days. */
export const derivedMonths = (db: Database) =>
  db.query<StationDay>(sql`
  select location_id as "locationId", date_trunc('month', day)::date::text as day from profile_day
  except
  select location_id, date_trunc('month', day)::date::text from traffic_mark
  except
  select location_id, date_trunc('month', day)::date::text from distribution_mark
  order by 1, 2`)

/** Vehicles of a day and of the ten minutes before it, in the order of passing. */
export const vehiclesAround = (db: Database, { locationId, day }: StationDay) =>
  db.query<CountedVehicle>(sql`
  select (extract(epoch from v.created_at) * 1000)::float8 as at, v.lane_number as "laneNumber", v.ctg8p1, v.speed,
         v.speed_limit as "speedLimit", v.total_load as "totalLoad",
         greatest(v.overload_sa, v.overload_ma, v.overload_tl)::int as overload,
         coalesce(v.hour_only, false) as "hourOnly", d.axles, d.axle_groups as groups
  from vehicle v
  left join vehicle_detail d on d.location_id = v.location_id and d.created_at = v.created_at and d.id = v.id
  where v.location_id = ${locationId}::int
    and v.created_at >= ${day}::timestamp at time zone 'Europe/Warsaw' - interval '10 minutes'
    and v.created_at < (${day}::date + 1)::timestamp at time zone 'Europe/Warsaw'
  order by v.created_at, v.id`)

/** Sums beyond the whole numbers of JSON, as text. */
const EXACT: Record<string, Statement> = {
  load: sql`|| jsonb_build_object('load4_sum', load4_sum::text, 'judged_load4_sum', judged_load4_sum::text,
    'avoidable4_sum', avoidable4_sum::text)`,
}

const rows = (table: string, date: Statement, location: number, from: Statement, to: Statement) => sql`
  select ${table} as table, to_jsonb(t) - 'location_id' - 'day' - 'month' ${EXACT[table.slice(0, 4)] ?? sql``} as row
  from ${raw(table)} t where location_id = ${location}::int and ${date} >= ${from} and ${date} < ${to}`

/** Rows of the hourly roll-up within a day of both ends of a day. */
export const hoursAround = (db: Database, { locationId, day }: StationDay) =>
  db.query<{ at: number; laneNumber: number; ctg8p1: number; vehicles: number }>(sql`
  select (extract(epoch from hour) * 1000)::float8 as at, lane_number as "laneNumber", ctg8p1, vehicles
  from ${countedHours} h
  where location_id = ${locationId}::int and hour >= ${day}::date - 1 and hour < ${day}::date + 2`)

/** Stored rows of a day in these tables. */
export async function dayRows(
  db: Database,
  { locationId, day }: StationDay,
  tables: readonly string[],
): Promise<DistributionRow[]> {
  const found: DistributionRow[] = []
  for (const table of tables)
    found.push(
      ...(await db.query<DistributionRow>(rows(table, sql`day`, locationId, sql`${day}::date`, sql`${day}::date + 1`))),
    )
  return found
}

/** Stored rows of a month, of the tables of days or of months. */
export async function monthRows(
  db: Database,
  { locationId, day }: StationDay,
  level: 'day' | 'month',
): Promise<DistributionRow[]> {
  const found: DistributionRow[] = []
  for (const table of ['hour', 'speed', 'speed_total', 'load', 'axle', 'axle_total', 'headway'])
    found.push(
      ...(await db.query<DistributionRow>(
        rows(
          `${table}_${level}`,
          raw(level),
          locationId,
          sql`${day}::date`,
          sql`(${day}::date + interval '1 month')::date`,
        ),
      )),
    )
  return found.map(({ table, row }) => ({ table: table.replace('_day', '_month'), row }))
}
