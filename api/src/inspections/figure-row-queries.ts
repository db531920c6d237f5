import { selections } from '@rogatka/contract/options.ts'
import type { Database } from '../core/database.ts'
import { type Statement, sql } from '../core/statement.ts'
import { comparisonColumns, type WeighedInspection } from './figure-rows.ts'

/** The first day of the Polish month of an instant. */
export const monthOf = (at: Statement): Statement => sql`date_trunc('month', ${at} at time zone 'Europe/Warsaw')::date`

/** The columns of inspection_figure that follow from an inspection, except its loads. */
export const FIGURE = sql`
  i.id, coalesce(i.vehicle_created_at, i.announced_at), i.location_id, coalesce(i.officer_id, 0),
  coalesce(i.lane_number, 0), array_position(${[...selections]}::text[], i.selection), i.was_overload, i.was_announced,
  i.taken_over_at is not null, i.weighing is not null, coalesce(i.confirmed, false), i.shift_start`

/**
 * Updates what the figures need of changed inspections, and marks their months. Call it in the transaction of the change.
 * A vehicle stopped without a detection has nothing to compare.
 */
export async function updateFigures(db: Database, ids: readonly number[]): Promise<void> {
  const changed = sql`any(${ids.map(String)}::bigint[])`
  await db.execute(sql`
    insert into inspection_figure (inspection_id, at, location_id, officer_id, lane_number, selection, was_flagged,
                                   was_announced, was_stopped, is_weighed, is_confirmed, shift_start)
    select ${FIGURE} from inspection i where i.id = ${changed}
    on conflict (inspection_id) do update
    set officer_id = excluded.officer_id, was_stopped = excluded.was_stopped, is_weighed = excluded.is_weighed,
        is_confirmed = excluded.is_confirmed, shift_start = excluded.shift_start`)
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
