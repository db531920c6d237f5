import { DAY_MS, type Interval } from '@rogatka/domain/core/time.ts'
import { MISREAD_DIGITS, MISREAD_LETTERS } from '@rogatka/domain/vehicle/plateMatch.ts'
import type { Database } from '../../core/database.ts'
import { deleteByPages } from '../../core/delete-batches.ts'
import { openTransactions } from '../../core/distribution.ts'
import { attachedLabels, extentOfLabels } from '../../core/partitions.ts'
import { type Statement, sql } from '../../core/statement.ts'

/** A day (UTC) at a station; `day` is its start in ms since the epoch. */
export type StationDay = { locationId: number; day: number }

/** `isSettled`: all vehicles that its roll-up counts are visible, on the workers of Citus, too. */
export type UnderivedDay = StationDay & { isSettled: boolean }

/** The state of the derived tables in a snapshot. */
export type SearchState = {
  /** From the first partition of vehicles to the end of the last; an empty interval if there are none. */
  extent: Interval
  /** Transaction id: rows written by older transactions are in the derived tables. */
  through: number
  /** Days with arrivals since then: only their hourly roll-up is current. Read at the same time as what needs none of them. */
  underived: Promise<readonly UnderivedDay[]>
  /** Transaction id (`openTransactions`): everything of older transactions is visible. */
  unfinished: number
}

/**
 * Sets the planner options of a search transaction and reads the state in its snapshot. Joins are written in a good order,
 * so the planner need not look for one; cursors are optimised for reading to the end. What each page reads is prepared, as
 * planning it takes longer than reading it. `asksWorkers`: see `openTransactions`.
 */
export async function readSearchState(
  db: Database,
  isDistributed: boolean,
  { asksWorkers = false } = {},
): Promise<SearchState> {
  const [row] = await db.prepared<{
    through: number
    unfinished: number
    pending: number | null
    labels: string[] | null
  }>(sql`
    select set_config('join_collapse_limit', '1', true), set_config('work_mem', '64MB', true),
           set_config('jit', 'off', true), set_config('cursor_tuple_fraction', '1', true),
           -- After a restore into another cluster transactions are counted again: then nothing is known to be derived.
           case when through <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint then through else 0 end as through,
           unfinished, pending, (${attachedLabels('vehicle')}) as labels
    from archive_progress, (${openTransactions(isDistributed, { asksWorkers })}) now`)
  const { through = 0, unfinished = 0, pending = null, labels } = row ?? {}
  const extent = extentOfLabels(labels ?? []) ?? { from: new Date(0), to: new Date(0) }
  // A statement of its own: in that above it would be a correlated subquery, which Citus refuses.
  const underived = db.prepared<UnderivedDay>(sql`
    select location_id as "locationId", (extract(epoch from date_trunc('day', hour, 'UTC')) * 1000)::float8 as day,
           coalesce(max(written_by) < ${pending}::bigint, true) as "isSettled"
    from arrival where written_by >= ${through}
    group by 1, 2`)
  // If it fails, so does the transaction.
  underived.catch(() => {})
  return { extent, through, underived, unfinished }
}

/**
 * Whether arrivals have transaction ids of another cluster that are ahead of this one's, after a restore: they would
 * count as new until this cluster reaches them.
 */
export async function hasForeignTransactionIds(db: Database): Promise<boolean> {
  const [progress] = await db.query<{ ahead: boolean }>(sql`
    select through > pg_snapshot_xmin(pg_current_snapshot())::text::bigint as ahead from archive_progress`)
  const [arrivals] = await db.query<{ newest: number | null; next: number }>(sql`
    select max(written_by) as newest, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next from arrival`)
  return progress?.ahead === true || (arrivals?.newest ?? 0) >= (arrivals?.next ?? 0)
}

/** Sets the transaction ids of another cluster to 0, the oldest, and restarts derivation. */
export async function renumberArrivals(db: Database): Promise<void> {
  // Blocks writers, so that all transaction ids of this cluster in the table are below xmax.
  await db.execute(sql`lock table arrival in share row exclusive mode`)
  await db.execute(sql`
    update arrival set written_by = 0 where written_by >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`)
  await saveProgress(db, 0)
}

/** The starts of days (UTC) with arrivals since then. */
export async function changedDays(db: Database, since: number): Promise<Date[]> {
  const rows = await db.query<{ day: Date }>(sql`
    select distinct date_trunc('day', hour, 'UTC') as day from arrival where written_by >= ${since} order by 1`)
  return rows.map(({ day }) => day)
}

/** The starts of the hours in [from, to) with arrivals at these stations since then. */
export const changedHours = (
  db: Database,
  since: number,
  { locations, from, to }: { locations: number[]; from: Date; to: Date },
) =>
  db.prepared<{ locationId: number; hour: Date }>(sql`
  select location_id as "locationId", hour from arrival
  where written_by >= ${since} and location_id = any(${locations})
    and hour > ${from}::timestamptz - interval '1 hour' and hour < ${to}::timestamptz`)

const endOf = (day: Date) => new Date(day.getTime() + DAY_MS)

/** The rows of vehicle_day, summed from the hourly roll-up. */
const dayCountsFromHours = (condition: Statement) => sql`
  select s.dimensions, h.location_id, date_trunc('day', h.hour, 'UTC')::date as day,
         case when s.dimensions & 1 = 0 then -1 else h.lane_number end as lane_number,
         case when s.dimensions & 2 = 0 then -1 else h.ctg8p1 end as ctg8p1,
         case when s.dimensions & 4 = 0 then -1 else h.violations end as violations, sum(h.vehicles) as vehicles
  from (values (0), (1), (2), (4), (7)) as s (dimensions), traffic_hour h
  where ${condition}
  group by 1, 2, 3, 4, 5, 6`

/**
 * Updates the counts of a day at stations with arrivals since then. Counts only grow, so an older concurrent run
 * changes nothing.
 */
export const countDay = (db: Database, day: Date, since: number) =>
  db.execute(sql`
  insert into vehicle_day as d (dimensions, location_id, day, lane_number, ctg8p1, violations, vehicles)
  ${dayCountsFromHours(
    sql`h.hour >= ${day}::timestamptz and h.hour < ${endOf(day)}::timestamptz and h.location_id in (
      select location_id from arrival where written_by >= ${since} and hour >= ${day}::timestamptz and hour < ${endOf(day)}::timestamptz)`,
  )}
  order by 1, 2, 3, 4, 5, 6
  on conflict (dimensions, location_id, day, lane_number, ctg8p1, violations) do update set vehicles = excluded.vehicles
    where d.vehicles < excluded.vehicles`)

/** The days per station whose derived counts differ from their hours, except days not derived yet. */
export const mismatchedDays = (db: Database, from: Date, since: number) =>
  db.query<{ locationId: number; day: string }>(sql`
  select distinct location_id as "locationId", day::text
  from (${dayCountsFromHours(sql`h.hour >= ${from}::timestamptz`)}) as hours
  full join vehicle_day d using (dimensions, location_id, day, lane_number, ctg8p1, violations)
  where hours.vehicles is distinct from d.vehicles and (location_id, day) not in (
    select location_id, date_trunc('day', hour, 'UTC')::date from arrival where written_by >= ${since})
  order by 2, 1`)

/** Adds the plates of a day's changed hours to the plate index. */
export const indexPlates = (db: Database, day: Date, since: number) =>
  db.execute(sql`
  insert into plate as p (plate, misread, last_seen)
  select distinct v.plate_lpr, translate(v.plate_lpr, ${MISREAD_LETTERS}, ${MISREAD_DIGITS}),
         date_trunc('month', ${day}::timestamptz, 'UTC')::date
  from arrival a
  join vehicle v on v.location_id = a.location_id
    and v.created_at >= a.hour and v.created_at < a.hour + interval '1 hour'
  where a.written_by >= ${since} and a.hour >= ${day}::timestamptz and a.hour < ${endOf(day)}::timestamptz
    and v.created_at >= ${day}::timestamptz and v.created_at < ${endOf(day)}::timestamptz and v.plate_lpr is not null
  order by 1
  on conflict (plate) do update set last_seen = excluded.last_seen where p.last_seen < excluded.last_seen`)

/** Raises the sort memory for the rest of the transaction: counting a day sorts all of its vehicles. */
export const raiseSortMemory = (db: Database) => db.query(sql`select set_config('work_mem', '64MB', true)`)

/** Saves that everything of older transactions is derived. */
export const saveProgress = (db: Database, through: number) =>
  db.execute(sql`update archive_progress set through = ${through}`)

/** The time before which derived rows are deleted; null: not known. */
export async function deletedBefore(db: Database): Promise<Date | null> {
  const [row] = await db.query<{ time: Date | null }>(sql`select deleted_before as time from archive_progress`)
  return row?.time ?? null
}

/** Deletes derived rows older than the stored vehicles, and saves that. Reads the tables as a whole, in parts. */
export async function deleteBefore(db: Database, time: Date): Promise<void> {
  await deleteByPages(db, 'vehicle_day', sql`day < ${time}::date`)
  await deleteByPages(db, 'arrival', sql`hour < ${time}::timestamptz`)
  // `last_seen` is the first day of a month, and a weekly partition may begin within one.
  await deleteByPages(db, 'plate', sql`last_seen < date_trunc('month', ${time}::timestamptz, 'UTC')::date`)
  await db.execute(sql`update archive_progress set deleted_before = ${time}::timestamptz`)
}
