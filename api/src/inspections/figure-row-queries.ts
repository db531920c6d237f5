import { unweighedReasons } from '@rogatka/contract/inspections-figures.ts'
import { selections } from '@rogatka/contract/options.ts'
import type { Database } from '../core/database.ts'
import { type Statement, sql } from '../core/statement.ts'
import { comparisonColumns, type WeighedInspection } from './figure-rows.ts'

/** The first day of the Polish month of an instant. */
export const monthOf = (at: Statement): Statement => sql`date_trunc('month', ${at} at time zone 'Europe/Warsaw')::date`

/** Why an announced inspection was not weighed. Results: 9 refused, 10 the scale failed. */
const REASON = sql`
  case when i.state in ('passedBy', 'withdrawn') then i.state
       when i.state <> 'closed' then 'open'
       when 9 = any(i.results) then 'refused'
       when 10 = any(i.results) then 'scaleFailed'
       else 'other' end`

/** The columns of inspection_figure that follow from an inspection, except its loads. */
export const FIGURE = sql`
  i.id, coalesce(i.vehicle_created_at, i.announced_at), i.location_id, coalesce(i.officer_id, 0),
  coalesce(i.lane_number, 0), array_position(${[...selections]}::text[], i.selection), i.was_overload, i.was_announced,
  i.taken_over_at is not null, i.weighing is not null, coalesce(i.confirmed, false), i.shift_start,
  case when i.was_announced and i.weighing is null
       then array_position(${[...unweighedReasons]}::text[], ${REASON}) else 0 end`

/**
 * Updates what the figures need of changed inspections, and marks their months. Call it in the transaction of the change.
 * A vehicle stopped without a detection has nothing to compare.
 */
export async function updateFigures(db: Database, ids: readonly number[]): Promise<void> {
  const changed = sql`any(${ids.map(String)}::bigint[])`
  await db.execute(sql`
    insert into inspection_figure (inspection_id, at, location_id, officer_id, lane_number, selection, was_flagged,
                                   was_announced, was_stopped, is_weighed, is_confirmed, shift_start,
                                   unweighed)
    select ${FIGURE} from inspection i where i.id = ${changed}
    on conflict (inspection_id) do update
    set officer_id = excluded.officer_id, was_stopped = excluded.was_stopped, is_weighed = excluded.is_weighed,
        is_confirmed = excluded.is_confirmed, shift_start = excluded.shift_start,
        unweighed = excluded.unweighed`)
  const weighed = await db.query<WeighedInspection>(sql`
    select id, selection, vehicle_created_at as at, passage, weighing from inspection
    where id = ${changed} and weighing is not null and passage is not null`)
  for (const inspection of weighed) {
    const columns = comparisonColumns(inspection)
    await db.execute(sql`
      update inspection_figure
      set criteria = ${columns.criteria.map(String)}::smallint[], wim = ${columns.wim.map(String)}::int[],
          scale = ${columns.scale.map(String)}::int[], exclusions = ${columns.exclusions.map(String)}::smallint[],
          has_pairs = ${columns.exclusions.includes(0)}
      where inspection_id = ${inspection.id}`)
  }
  await db.execute(insertMarks(ids))
}

/** The statement that marks the months of inspections, which are to be derived again. */
export const insertMarks = (ids: readonly number[]): Statement => sql`
  insert into inspection_mark (location_id, month)
  select distinct location_id, ${monthOf(sql`at`)} from inspection_figure
  where inspection_id = any(${ids.map(String)}::bigint[])`

/**
 * Keeps the outcomes of withdrawn and passed-by inspections that are about to be deleted, of detections from an instant
 * on, so that the stop rate remains right. They no longer have the instant, by which the vehicle could be found.
 */
export const keepOutcomes = (db: Database, ids: readonly number[], from: Date) =>
  db.execute(sql`
  update inspection_figure f set is_kept = true, at = date_trunc('hour', f.at, 'UTC')
  from inspection i
  where i.id = f.inspection_id and i.state in ('withdrawn', 'passedBy') and i.id = any(${ids.map(String)}::bigint[])
    and f.at >= ${from}::timestamptz`)

/** Deletes kept outcomes before an instant, and marks their months; returns how many. */
export async function deleteKeptOutcomes(db: Database, before: Date, limit: number): Promise<number> {
  const [deleted] = await db.query<{ count: number }>(sql`
    with expired as (
      delete from inspection_figure
      where inspection_id in (
        select inspection_id from inspection_figure where is_kept and at < ${before}::timestamptz limit ${limit})
      returning location_id, at
    ), marked as (
      insert into inspection_mark (location_id, month)
      select distinct location_id, ${monthOf(sql`at`)} from expired
    )
    select count(*)::int as count from expired`)
  return deleted?.count ?? 0
}
