import type { Pool } from '@rogatka/api/core/database.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { FIGURE } from '@rogatka/api/inspections/figure-row-queries.ts'
import { deriveInspectionMonths } from '@rogatka/api/inspections/figures-derive.ts'

type Size = {
  inspections: number
  days: number
  stations: number
  until: Date
  /** Numbers of lorries, whose plates are WX with their number; none: measurements have no plates. */
  lorries?: readonly number[]
}

/** Carriers of inspected lorries. */
const CARRIERS = 3_000

const OFFICERS = 60

/**
 * Fills the tables of inspections, with shares as in service: most are preselected and flagged, nine of ten are announced,
 * and nine of ten of these are taken over. They are stored in the order of their time, as in service. The seed is constant.
 */
export async function loadInspections(
  db: Pool,
  { inspections, days, stations, until, lorries = [] }: Size,
): Promise<void> {
  const session = await db.reserve()
  await session.query(sql`select setseed(0.42), set_config('statement_timeout', '0', false)`)
  await session.execute(sql`
    insert into app_user (username, password_hash, password_updated_at)
    select 'officer ' || n, '', now() from generate_series(1, ${OFFICERS}::int) n`)
  await session.execute(sql`
    insert into inspection (
      code, year, sequence, state, selection, location_id, vehicle_id, vehicle_created_at, passage, lane_number,
      was_overload, announced_at, announced_by, officer_id, taken_over_at, passes_at, was_announced, shift_day,
      shift_start, weighing, confirmed, results, carrier, idempotency_key, request_digest
    )
    select 'BENCH', extract(year from at), n, case when is_weighed then 'closed' when is_stopped then 'withdrawn'
           else 'passedBy' end, selection, station, n, at,
           jsonb_build_object('axles', repeat('{"load":7200}', 20), 'plateLpr', 'WX' || lorry, 'nationality', 'PL'),
           1 + n % 2, selection = 'preselected' or flag < 0.3, at, officer, case when is_stopped then officer end,
           case when is_stopped then at end, at, announced < 0.9, at::date, (array['06:00', '14:00', '22:00'])[1 + n % 3],
           case when is_weighed then '{}'::jsonb end, case when is_weighed then confirmed < 0.9 end, '{}',
           case when is_weighed then 'Carrier ' || lorry % ${CARRIERS}::int end, n::text, ''
    from (
      select n, at, (${lorries.map(String)}::int[])[1 + n * 7919::bigint % ${Math.max(1, lorries.length)}::int] as lorry,
             1 + n % ${stations}::int as station, announced, flag, confirmed,
             (select min(id) from app_user where username like 'officer %') + n % ${OFFICERS}::int as officer,
             case when kind < 0.85 then 'preselected' when kind < 0.95 then 'random' else 'reference' end as selection,
             stopped < 0.9 or announced >= 0.9 as is_stopped,
             (stopped < 0.9 or announced >= 0.9) and weighed < 0.93 as is_weighed
      from (
        select n, ${until}::timestamptz - make_interval(secs => ${days}::int * 86400 * random()) as at,
               random() as announced, random() as stopped, random() as weighed, random() as kind, random() as flag,
               random() as confirmed
        from generate_series(1, ${inspections}::int) n
      ) r
      order by at
    ) s`)
  // Gross weight, two single axles, and a group of three axles with these.
  await session.execute(sql`
    insert into inspection_figure (
      inspection_id, at, location_id, officer_id, lane_number, selection, was_flagged, was_announced, was_stopped,
      is_weighed, is_confirmed, shift_start, unweighed, has_pairs, criteria, wim, scale, exclusions
    )
    select ${FIGURE}, i.weighing is not null,
           case when i.weighing is null then '{}' else '{1,3,3,2,4,4,4}'::smallint[] end,
           case when i.weighing is null then '{}' else array[40800, 7100, 11300, 22400, 7300, 7600, 7500] end,
           case when i.weighing is null then '{}' else
             array[40000, 7000, 11000, 22000, 7200, 7400, 7400] || '{}'::int[] end,
           case when i.weighing is null then '{}' else '{0,0,0,0,0,0,0}'::smallint[] end
    from inspection i order by i.id`)
  // A load that differs, so that no lane has s = 0.
  await session.execute(sql`
    update inspection_figure set wim[1] = 38000 + (inspection_id * 7919 % 5000)::int where has_pairs`)
  await session.execute(sql`
    insert into inspection_mark (location_id, month)
    select distinct location_id, date_trunc('month', at at time zone 'Europe/Warsaw')::date from inspection_figure`)
  session.release()
  await deriveInspectionMonths(db)
  await db.execute(sql`vacuum analyze inspection, inspection_figure, inspection_month, inspection_difference_month`)
}
