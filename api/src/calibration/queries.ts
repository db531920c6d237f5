import { SAMPLE } from '@rogatka/domain/calibration/sample.ts'
import { GENERAL_FIRST_AXLE, type LoadSums, REFERENCE_VEHICLES } from '@rogatka/domain/calibration/statistics.ts'
import { axleFieldIndex } from '@rogatka/domain/vehicle/pack.ts'
import { toBits } from '@rogatka/domain/vehicle/violations.ts'
import type { Database } from '../core/database.ts'
import { join, sql } from '../core/statement.ts'

type Range = { locations: readonly number[]; from: Date; to: Date }

/** The vehicles of [from, to) that tell of their scale, with the load of the first axle: the rules of `isInSample`. */
function sampled({ locations, from, to }: Range) {
  const [left, right] = [
    sql`d.axles[${axleFieldIndex(1, 'left')}::int]`,
    sql`d.axles[${axleFieldIndex(1, 'right')}::int]`,
  ]
  const gaps = SAMPLE.gaps.map(([least, most], index) => {
    const gap = sql`d.axles[${axleFieldIndex(index + 2, 'gap')}::int]`
    return sql`and ${gap} >= ${least} and ${gap} <= ${most}`
  })
  // Each vehicle is looked for by what is in its thin row first; a weight that was not measured is negative.
  return sql`
    select v.location_id, v.lane_number, v.created_at, v.id, ${left} + ${right} as load
    from vehicle v
    join vehicle_detail d
      on d.location_id = v.location_id and d.created_at = v.created_at and d.id = v.id
      and d.created_at >= ${from}::timestamptz and d.created_at < ${to}::timestamptz
    where v.location_id = any(${locations.map(String)}::int[]) and v.created_at >= ${from}::timestamptz and v.created_at < ${to}::timestamptz
      and v.ctg323 = ${SAMPLE.ctg323} and v.number_of_axles = ${SAMPLE.axles}
      and v.violations & ${toBits({ overlane: true })}::int = 0
      and v.speed >= ${SAMPLE.speed[0]} and v.speed <= ${SAMPLE.speed[1]}
      and v.total_load >= ${SAMPLE.totalLoad[0]} and v.total_load <= ${SAMPLE.totalLoad[1]}
      ${join(gaps, '\n      ')}
      and least(${left}, ${right}) >= 0
      and ${left} + ${right} >= ${SAMPLE.firstAxle[0]} and ${left} + ${right} <= ${SAMPLE.firstAxle[1]}
      and 100 * abs(${left} - ${right}) < ${SAMPLE.imbalance}::int * greatest(${left}, ${right})`
}

/** The sums of `Loads` over rows with a load. */
const sums = sql`
  count(*)::int as vehicles, sum(load - ${GENERAL_FIRST_AXLE}::int)::bigint as sum,
  sum((load - ${GENERAL_FIRST_AXLE}::int)::bigint * (load - ${GENERAL_FIRST_AXLE}::int))::bigint as squares`

type LoadsOfLane = LoadSums & { locationId: number; laneNumber: number; period: number }

/** First axles by location, lane and period; `starts` are those of the periods, the last of which ends at `to`. */
export const firstAxles = (db: Database, locations: readonly number[], starts: readonly Date[], to: Date) =>
  db.query<LoadsOfLane>(sql`
  with sampled as (${sampled({ locations, from: starts[0] ?? to, to })})
  select location_id as "locationId", lane_number as "laneNumber",
         width_bucket(created_at, ${starts.map((start) => start.toISOString())}::timestamptz[]) - 1 as period,
         ${sums}
  from sampled
  group by location_id, lane_number, period`)

/** The last calibration of a lane, and its reference when there is one. */
export type Finish = {
  locationId: number
  laneNumber: number
  finishedAt: Date
  finishedBy: string
  reference: LoadSums | null
}

/** The last calibration of each lane of these locations that was finished before an instant. */
export async function lastFinishes(db: Database, locations: readonly number[], before: Date): Promise<Finish[]> {
  const rows = await db.query<
    Omit<Finish, 'reference'> & { vehicles: number | null; sum: number; squares: number }
  >(sql`
    select distinct on (f.location_id, f.lane_number)
           f.location_id as "locationId", f.lane_number as "laneNumber", f.finished_at as "finishedAt",
           f.username as "finishedBy", r.vehicles,
           r.load_sum - ${GENERAL_FIRST_AXLE}::bigint * r.vehicles as sum,
           r.load_square_sum - 2 * ${GENERAL_FIRST_AXLE}::bigint * r.load_sum
             + ${GENERAL_FIRST_AXLE ** 2}::bigint * r.vehicles as squares
    from calibration_finish f
    left join calibration_reference r using (location_id, lane_number, finished_at)
    where f.location_id = any(${locations.map(String)}::int[]) and f.finished_at < ${before}::timestamptz and f.revoked_at is null
    order by f.location_id, f.lane_number, f.finished_at desc`)
  return rows.map(({ vehicles, sum, squares, ...finish }) => ({
    ...finish,
    reference: vehicles === null ? null : { vehicles, sum, squares },
  }))
}

/** A moment at which lanes of a location were calibrated. */
export type Calibrated = { locationId: number; finishedAt: Date }

/** Calibrations finished since an instant of which some lane has no reference yet. */
export const withoutReference = (db: Database, since: Date) =>
  db.query<Calibrated>(sql`
  select distinct f.location_id as "locationId", f.finished_at as "finishedAt"
  from calibration_finish f
  left join calibration_reference r using (location_id, lane_number, finished_at)
  where f.finished_at >= ${since}::timestamptz and f.revoked_at is null and r.vehicles is null`)

/**
 * Makes the references of a calibration from the vehicles that passed next, up to `to`, for those lanes of which there
 * are enough. A reference that stands is left as it is.
 */
export const freezeReferences = (db: Database, { locationId, finishedAt }: Calibrated, to: Date) =>
  db.query(sql`
  with sampled as (${sampled({ locations: [locationId], from: finishedAt, to })}),
  ranked as (
    select s.location_id, s.lane_number, s.load,
           row_number() over (partition by s.lane_number order by s.created_at, s.id) as place
    from sampled s
    join calibration_finish f
      on f.location_id = s.location_id and f.lane_number = s.lane_number and f.finished_at = ${finishedAt}::timestamptz
      and f.revoked_at is null
  )
  insert into calibration_reference (location_id, lane_number, finished_at, vehicles, load_sum, load_square_sum)
  select location_id, lane_number, ${finishedAt}::timestamptz, count(*), sum(load), sum(load::bigint * load)
  from ranked
  where place <= ${REFERENCE_VEHICLES}
  group by location_id, lane_number
  having count(*) = ${REFERENCE_VEHICLES}
  on conflict (location_id, lane_number, finished_at) do nothing`)

/** When each of these locations was calibrated, the first time first. */
export const finishTimes = (db: Database, locations: readonly number[]) =>
  db.query<Calibrated>(sql`
  select distinct location_id as "locationId", finished_at as "finishedAt"
  from calibration_finish
  where location_id = any(${locations.map(String)}::int[])
  order by location_id, finished_at`)
