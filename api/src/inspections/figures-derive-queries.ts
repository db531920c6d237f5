import { fromWarsaw, startOfMonth } from '@rogatka/domain/core/warsaw.ts'
import type { Database } from '../core/database.ts'
import { LOCKS } from '../core/locks.ts'
import { type Statement, sql } from '../core/statement.ts'

/** Sums of the outcomes of inspection_figure `f`, as the rates of the domain count them. */
export const OUTCOMES = sql`
  (count(*) filter (where f.was_announced))::int as announced,
  (count(*) filter (where f.was_announced and f.was_stopped))::int as stopped,
  (count(*) filter (where f.was_stopped and f.was_flagged))::int as stopped_flagged,
  (count(*) filter (where f.is_weighed and f.selection = 1 and f.was_flagged))::int as weighed_flagged,
  (count(*) filter (where f.is_weighed and f.selection = 1 and f.was_flagged and f.is_confirmed))::int as hits,
  (count(*) filter (where f.is_weighed and f.selection = 2 and not f.was_flagged))::int as weighed_unflagged,
  (count(*) filter (where f.is_weighed and f.selection = 2 and not f.was_flagged and f.is_confirmed))::int as misses`

/** Announced inspections `f` that were not weighed, by reason: the positions are those of the contract. */
export const UNWEIGHED = sql`
  (count(*) filter (where f.unweighed = 1))::int as passed_by,
  (count(*) filter (where f.unweighed = 2))::int as withdrawn,
  (count(*) filter (where f.unweighed = 3))::int as refused,
  (count(*) filter (where f.unweighed = 4))::int as scale_failed,
  (count(*) filter (where f.unweighed = 5))::int as closed_otherwise,
  (count(*) filter (where f.unweighed = 6))::int as still_open`

/**
 * The static loads of inspections `f`, counted as `c` by outcome: 0 within 5 %, -1 within 10 %, -2 beyond, else why they
 * are left out. One pass with few aggregates takes half the time of a filter by figure. Differences are in percent.
 */
export const loadsOf = (inspections: Statement, month = sql`null::date`): Statement => sql`
  (
    select location_id, lane_number, selection, month, criterion, outcome, count(*)::int as loads,
           sum(difference) as sum, sum(difference * difference) as squares
    from (
      select u.*, 100.0::float8 * (wim - scale) / nullif(scale, 0) as difference,
             case when exclusion > 0 then exclusion
                  when 100 * abs(wim - scale) <= 5 * scale then 0
                  when 100 * abs(wim - scale) <= 10 * scale then -1
                  else -2 end as outcome
      from (
        select f.location_id, f.lane_number, f.selection, ${month} as month, unnest(f.criteria) as criterion,
               unnest(f.wim) as wim, unnest(f.scale) as scale, unnest(f.exclusions) as exclusion
        from ${inspections}
      ) u
    ) d
    group by 1, 2, 3, 4, 5, 6
  ) c`

const loadsWith = (outcome: Statement): Statement =>
  sql`coalesce(sum(c.loads) filter (where c.outcome ${outcome}), 0)::int`

/** Sums of counted static loads `c`. */
export const DIFFERENCES = sql`
  coalesce(sum(c.sum), 0)::float8 as sum, coalesce(sum(c.squares), 0)::float8 as squares,
  ${loadsWith(sql`<= 0`)} as n, ${loadsWith(sql`= 0`)} as within5, ${loadsWith(sql`in (0, -1)`)} as within10,
  ${loadsWith(sql`= 2`)} as scale_not_valid, ${loadsWith(sql`= 3`)} as not_weighed,
  ${loadsWith(sql`= 4`)} as axles_differ, ${loadsWith(sql`= 5`)} as groups_differ,
  ${loadsWith(sql`= 6`)} as under_minimum`

/** The days on which inspections `f` have pairs: bit 0 is the first of their month. */
export const DAYS = sql`
  bit_or(1 << (extract(day from f.at at time zone 'Europe/Warsaw')::int - 1)) filter (where f.has_pairs) as days`

/** Tries the advisory lock that serialises derivation; held until the transaction ends. */
export async function tryLockMonths(db: Database): Promise<boolean> {
  const [lock] = await db.query<{ acquired: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCKS.inspectionMonth}) as acquired`,
  )
  return lock?.acquired ?? false
}

export type StationMonth = { locationId: number; month: string }

export const markedMonths = (db: Database, limit: number) =>
  db.query<StationMonth>(sql`
  select distinct location_id as "locationId", month::text from inspection_mark limit ${limit}`)

/** Rebuilds a month. Deletes its marks first: one that is added meanwhile stays, and causes another run. */
export async function rebuildMonth(db: Database, { locationId, month }: StationMonth): Promise<void> {
  const clear = (table: Statement) =>
    db.execute(sql`delete from ${table} where location_id = ${locationId} and month = ${month}::date`)
  await clear(sql`inspection_mark`)
  await clear(sql`inspection_month`)
  await clear(sql`inspection_difference_month`)
  await clear(sql`inspection_day_month`)
  const { from, to } = monthBounds(month)
  const inMonth = sql`
    f.location_id = ${locationId} and f.at >= ${from}::timestamptz and f.at < ${to}::timestamptz`
  await db.execute(sql`
    insert into inspection_month (location_id, month, lane_number, officer_id, shift_start, announced, stopped,
                                  stopped_flagged, weighed_flagged, hits, weighed_unflagged, misses, passed_by,
                                  withdrawn, refused, scale_failed, closed_otherwise, still_open)
    select f.location_id, ${month}::date, f.lane_number, f.officer_id, f.shift_start, ${OUTCOMES}, ${UNWEIGHED}
    from inspection_figure f where ${inMonth}
    group by 1, 2, 3, 4, 5`)
  await db.execute(sql`
    insert into inspection_difference_month (location_id, month, lane_number, selection, criterion, sum, squares, n,
                                             within5, within10, scale_not_valid, not_weighed, axles_differ,
                                             groups_differ, under_minimum)
    select c.location_id, ${month}::date, c.lane_number, c.selection, c.criterion, ${DIFFERENCES}
    from ${loadsOf(sql`inspection_figure f where ${inMonth}`)}
    group by 1, 2, 3, 4, 5`)
  await db.execute(sql`
    insert into inspection_day_month (location_id, month, lane_number, selection, days)
    select f.location_id, ${month}::date, f.lane_number, f.selection, ${DAYS}
    from inspection_figure f where ${inMonth} and f.has_pairs
    group by 1, 2, 3, 4`)
}

/** The instants between which a Polish month lies, given by its first day. */
function monthBounds(month: string): { from: Date; to: Date } {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const start = (at: number) => new Date(fromWarsaw(startOfMonth(year, at)))
  return { from: start(number - 1), to: start(number) }
}
