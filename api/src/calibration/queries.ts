import { REFERENCE_VEHICLES } from '@rogatka/contract/calibration.ts'
import { SAMPLE } from '@rogatka/domain/calibration/sample.ts'
import { GENERAL_FIRST_AXLE, type LoadSums } from '@rogatka/domain/calibration/statistics.ts'
import { axleFieldIndex } from '@rogatka/domain/vehicle/pack.ts'
import { toBits } from '@rogatka/domain/vehicle/violations.ts'
import type { Database } from '../core/database.ts'
import { join, type Statement, sql } from '../core/statement.ts'

type Range = { isSelected: Statement; from: Statement; to: Statement }

const at = (time: Date) => sql`${time}::timestamptz`
const isAtLocations = (locations: readonly number[]) => sql`v.location_id = any(${locations.map(String)}::int[])`

/** The sampled vehicles of [from, to) with the load of their first axle, by the rules of `isInSample`; `isSelected` of `v`. */
function selectSample({ isSelected, from, to }: Range) {
  const [left, right] = [
    sql`d.axles[${axleFieldIndex(1, 'left')}::int]`,
    sql`d.axles[${axleFieldIndex(1, 'right')}::int]`,
  ]
  const gaps = SAMPLE.gaps.map(([min, max], index) => {
    const gap = sql`d.axles[${axleFieldIndex(index + 2, 'gap')}::int]`
    return sql`and ${gap} >= ${min} and ${gap} <= ${max}`
  })
  // Filters by columns of the vehicle row first; an unmeasured weight is negative.
  return sql`
    select v.location_id, v.lane_number, v.created_at, v.id, ${left} + ${right} as load
    from vehicle v
    join vehicle_detail d
      on d.location_id = v.location_id and d.created_at = v.created_at and d.id = v.id
      and d.created_at >= ${from} and d.created_at < ${to}
    where ${isSelected} and v.created_at >= ${from} and v.created_at < ${to}
      and v.ctg323 = ${SAMPLE.ctg323} and v.number_of_axles = ${SAMPLE.axles}
      and v.violations & ${toBits({ overlane: true })}::int = 0
      and v.speed >= ${SAMPLE.speed[0]} and v.speed <= ${SAMPLE.speed[1]}
      and v.total_load >= ${SAMPLE.totalLoad[0]} and v.total_load <= ${SAMPLE.totalLoad[1]}
      ${join(gaps, '\n      ')}
      and least(${left}, ${right}) >= 0
      and ${left} + ${right} >= ${SAMPLE.firstAxle[0]} and ${left} + ${right} <= ${SAMPLE.firstAxle[1]}
      and 100 * abs(${left} - ${right}) < ${SAMPLE.imbalance}::int * greatest(${left}, ${right})`
}

/** The `LoadSums` of rows with a load. */
const sums = sql`
  count(*)::int as vehicles, sum(load - ${GENERAL_FIRST_AXLE}::int)::bigint as sum,
  sum((load - ${GENERAL_FIRST_AXLE}::int)::bigint * (load - ${GENERAL_FIRST_AXLE}::int))::bigint as squares`

type LoadsOfLane = LoadSums & { locationId: number; laneNumber: number; period: number }

/**
 * First axle loads by location, lane and period; `starts` are the starts of the periods, the last of which ends at
 * `to`.
 */
export const firstAxles = (db: Database, locations: readonly number[], starts: readonly Date[], to: Date) =>
  db.query<LoadsOfLane>(sql`
  with sampled as (${selectSample({ isSelected: isAtLocations(locations), from: at(starts[0] ?? to), to: at(to) })})
  select location_id as "locationId", lane_number as "laneNumber",
         width_bucket(created_at, ${starts.map((start) => start.toISOString())}::timestamptz[]) - 1 as period,
         ${sums}
  from sampled
  group by location_id, lane_number, period`)

/** First axle loads of each of these lanes in [its `since`, to); only lanes with vehicles. */
export async function firstAxlesSince(
  db: Database,
  lanes: readonly { locationId: number; laneNumber: number; since: Date }[],
  to: Date,
) {
  const from = new Date(Math.min(+to, ...lanes.map(({ since }) => +since)))
  const isSelected = isAtLocations([...new Set(lanes.map(({ locationId }) => locationId))])
  return db.query<Omit<LoadsOfLane, 'period'>>(sql`
  with sampled as (${selectSample({ isSelected, from: at(from), to: at(to) })})
  select s.location_id as "locationId", s.lane_number as "laneNumber", ${sums}
  from sampled s
  join unnest(${lanes.map(({ locationId }) => String(locationId))}::int[],
              ${lanes.map(({ laneNumber }) => String(laneNumber))}::smallint[],
              ${lanes.map(({ since }) => since.toISOString())}::timestamptz[]) as l (location_id, lane_number, since)
    on l.location_id = s.location_id and l.lane_number = s.lane_number and s.created_at >= l.since
  group by s.location_id, s.lane_number`)
}

/** A calibration of a lane, and its reference if created. */
export type Finish = {
  locationId: number
  laneNumber: number
  finishedAt: Date
  enteredAt: Date
  finishedBy: string
  reference: LoadSums | null
}

/**
 * The valid calibrations of each lane of these locations that are in force in [from, to): those of the range and the
 * last one before it. Oldest first.
 */
export async function finishesInForce(
  db: Database,
  locations: readonly number[],
  { from, to }: { from: Date; to: Date },
): Promise<Finish[]> {
  const rows = await db.query<
    Omit<Finish, 'reference'> & { vehicles: number | null; sum: number; squares: number }
  >(sql`
    select f.location_id as "locationId", f.lane_number as "laneNumber", f.finished_at as "finishedAt",
           f.entered_at as "enteredAt", f.username as "finishedBy", r.vehicles,
           r.load_sum - ${GENERAL_FIRST_AXLE}::bigint * r.vehicles as sum,
           r.load_square_sum - 2 * ${GENERAL_FIRST_AXLE}::bigint * r.load_sum
             + ${GENERAL_FIRST_AXLE ** 2}::bigint * r.vehicles as squares
    from (
      select location_id, lane_number, finished_at, entered_at, username,
             lead(finished_at) over (partition by location_id, lane_number order by finished_at) as next
      from calibration_finish
      where location_id = any(${locations.map(String)}::int[]) and finished_at < ${to}::timestamptz and revoked_at is null
    ) f
    left join calibration_reference r using (location_id, lane_number, finished_at)
    where f.finished_at >= ${from}::timestamptz or f.next is null or f.next > ${from}::timestamptz
    order by f.location_id, f.lane_number, f.finished_at`)
  return rows.map(({ vehicles, sum, squares, ...finish }) => ({
    ...finish,
    reference: vehicles === null ? null : { vehicles, sum, squares },
  }))
}

/** The last valid calibration before an instant of each lane of these locations. */
export const lastFinishes = (db: Database, locations: readonly number[], before: Date): Promise<Finish[]> =>
  finishesInForce(db, locations, { from: before, to: before })

/** A time at which lanes of a location were calibrated. */
export type CalibrationTime = { locationId: number; finishedAt: Date }

/** Calibrations finished since an instant with a lane without a reference. */
export const listWithoutReference = (db: Database, since: Date) =>
  db.query<CalibrationTime>(sql`
  select distinct f.location_id as "locationId", f.finished_at as "finishedAt"
  from calibration_finish f
  left join calibration_reference r using (location_id, lane_number, finished_at)
  where f.finished_at >= ${since}::timestamptz and f.revoked_at is null and r.vehicles is null`)

/** A calibration of a lane. */
export type LaneCalibration = CalibrationTime & { laneNumber: number }

/** Calibrations counted by one statement, in subqueries with bounds of their own, so that each reads its days only. */
const MAX_COUNTED = 50

/** The next valid calibration of each lane of a location after an instant; only lanes with one. */
export const nextFinishes = (db: Database, time: CalibrationTime) =>
  db.query<{ laneNumber: number; finishedAt: Date }>(sql`
  select lane_number as "laneNumber", next as "finishedAt" from ${selectNext(time)} n`)

const selectNext = ({ locationId, finishedAt }: CalibrationTime) => sql`(
  select location_id, lane_number, min(finished_at) as next
  from calibration_finish
  where location_id = ${locationId}::int and finished_at > ${finishedAt}::timestamptz and revoked_at is null
  group by location_id, lane_number)`

/** Sampled vehicles from a calibration on, of each lane up to its next one, or up to `to`. */
const selectReferenceSample = ({ locationId, finishedAt }: CalibrationTime, to: Date) => sql`
  select s.*
  from (${selectSample({ isSelected: isAtLocations([locationId]), from: at(finishedAt), to: at(to) })}) s
  left join ${selectNext({ locationId, finishedAt })} n
    on n.location_id = s.location_id and n.lane_number = s.lane_number
  where n.next is null or s.created_at < n.next`

/**
 * Sampled vehicles of each lane from a calibration up to `endOf` it or the next one of the lane, at most as many as a
 * reference needs; only lanes with some.
 */
export async function countSamples(
  db: Database,
  calibrated: readonly CalibrationTime[],
  endOf: (time: CalibrationTime) => Date,
): Promise<(LaneCalibration & { collected: number })[]> {
  const found: (LaneCalibration & { collected: number })[] = []
  for (let first = 0; first < calibrated.length; first += MAX_COUNTED) {
    const parts = calibrated.slice(first, first + MAX_COUNTED).map(
      (time) => sql`
      select location_id as "locationId", lane_number as "laneNumber", ${at(time.finishedAt)} as "finishedAt",
             least(count(*), ${REFERENCE_VEHICLES})::int as collected
      from (${selectReferenceSample(time, endOf(time))}) s
      group by location_id, lane_number`,
    )
    found.push(...(await db.query<LaneCalibration & { collected: number }>(join(parts, ' union all '))))
  }
  return found
}

/**
 * Creates the references of a calibration from the next vehicles up to `to` or the next calibration of the lane, for
 * lanes with enough of them. Existing references are unchanged.
 */
export const freezeReferences = (db: Database, { locationId, finishedAt }: CalibrationTime, to: Date) =>
  db.query(sql`
  with sampled as (${selectReferenceSample({ locationId, finishedAt }, to)}),
  ranked as (
    select s.location_id, s.lane_number, s.load,
           row_number() over (partition by s.lane_number order by s.created_at, s.id) as ordinal
    from sampled s
    join calibration_finish f
      on f.location_id = s.location_id and f.lane_number = s.lane_number and f.finished_at = ${finishedAt}::timestamptz
      and f.revoked_at is null
  )
  insert into calibration_reference (location_id, lane_number, finished_at, vehicles, load_sum, load_square_sum)
  select location_id, lane_number, ${finishedAt}::timestamptz, count(*), sum(load), sum(load::bigint * load)
  from ranked
  where ordinal <= ${REFERENCE_VEHICLES}
  group by location_id, lane_number
  having count(*) = ${REFERENCE_VEHICLES}
  on conflict (location_id, lane_number, finished_at) do nothing`)

/** The calibration times of these locations, oldest first. */
export const finishTimes = (db: Database, locations: readonly number[]) =>
  db.query<CalibrationTime>(sql`
  select distinct location_id as "locationId", finished_at as "finishedAt"
  from calibration_finish
  where location_id = any(${locations.map(String)}::int[])
  order by location_id, finished_at`)
