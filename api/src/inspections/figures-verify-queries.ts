import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'
import { FIGURE, monthOf } from './figure-row-queries.ts'
import type { comparisonColumns, WeighedInspection } from './figure-rows.ts'
import { DAYS, DIFFERENCES, loadsOf, OUTCOMES, UNWEIGHED } from './figures-derive-queries.ts'

/** Inspections whose row is missing, or has another outcome; rows without an inspection that are not kept. */
export const wrongOutcomes = (db: Database) =>
  db.query<{ id: number }>(sql`
  select coalesce(i.id, f.inspection_id) as id
  from inspection i full join inspection_figure f on f.inspection_id = i.id
  where f.is_kept is not true and (${FIGURE}) is distinct from (
    f.inspection_id, f.at, f.location_id, f.officer_id, f.lane_number, f.selection, f.was_flagged, f.was_announced,
    f.was_stopped, f.is_weighed, f.is_confirmed, f.shift_start, f.unweighed
  )
  order by 1`)

type StoredLoads = WeighedInspection & ReturnType<typeof comparisonColumns>

/** Weighed inspections of detections after an id, with their stored loads. */
export const storedLoads = (db: Database, after: number, limit: number) =>
  db.query<StoredLoads>(sql`
  select i.id, i.selection, f.at, i.passage, i.weighing, f.criteria, f.wim, f.scale, f.exclusions
  from inspection i join inspection_figure f on f.inspection_id = i.id
  where i.id > ${after} and i.weighing is not null and i.passage is not null
  order by i.id limit ${limit}`)

/** Months that are not marked. Sums of differences depend on the order in the last digits. */
export const wrongMonths = (db: Database) =>
  db.query<{ locationId: number; month: string; of: string }>(sql`
  with outcome as (
    select f.location_id, ${monthOf(sql`f.at`)} as month, f.lane_number, f.officer_id, f.shift_start, ${OUTCOMES},
           ${UNWEIGHED}
    from inspection_figure f group by 1, 2, 3, 4, 5
  ), difference as (
    select c.location_id, c.month, c.lane_number, c.selection, c.criterion, ${DIFFERENCES}
    from ${loadsOf(sql`inspection_figure f`, monthOf(sql`f.at`))} group by 1, 2, 3, 4, 5
  ), day as (
    select f.location_id, ${monthOf(sql`f.at`)} as month, f.lane_number, f.selection, ${DAYS}
    from inspection_figure f where f.has_pairs group by 1, 2, 3, 4
  ), wrong as (
    select location_id, month, 'outcomes' as of
    from outcome r full join inspection_month s using (location_id, month, lane_number, officer_id, shift_start)
    where (r.announced, r.stopped, r.stopped_flagged, r.weighed_flagged, r.hits, r.weighed_unflagged, r.misses,
           r.passed_by, r.withdrawn, r.refused, r.scale_failed, r.closed_otherwise, r.still_open)
      is distinct from
      (s.announced, s.stopped, s.stopped_flagged, s.weighed_flagged, s.hits, s.weighed_unflagged, s.misses,
       s.passed_by, s.withdrawn, s.refused, s.scale_failed, s.closed_otherwise, s.still_open)
    union
    select location_id, month, 'differences'
    from difference r
    full join inspection_difference_month s using (location_id, month, lane_number, selection, criterion)
    where (r.n, r.within5, r.within10, r.scale_not_valid, r.not_weighed, r.axles_differ, r.groups_differ,
           r.under_minimum)
      is distinct from
      (s.n, s.within5, s.within10, s.scale_not_valid, s.not_weighed, s.axles_differ, s.groups_differ,
       s.under_minimum)
      or abs(r.sum - s.sum) > 1e-6 or abs(r.squares - s.squares) > 1e-6 * (1 + s.squares)
    union
    select location_id, month, 'days'
    from day r full join inspection_day_month s using (location_id, month, lane_number, selection)
    where r.days is distinct from s.days
  )
  select w.location_id as "locationId", w.month::text, w.of
  from wrong w left join inspection_mark m on m.location_id = w.location_id and m.month = w.month
  where m.id is null
  order by w.location_id, w.month, w.of`)
