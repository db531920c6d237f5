import { MIN_DENSITY_SPEED } from '@rogatka/domain/statistics/ranges.ts'
import { raw, type Statement, sql } from '../core/statement.ts'

/*
 * Parts of the statement that stores vehicles. `vehicles` names a CTE with their columns; parts write the rows in the
 * order of their keys, so that two batches never wait for each other in a cycle.
 */

/** Adds vehicles to the hourly roll-up, or to that of days whose vehicles are never stored. */
export const countHours = (
  vehicles: Statement,
  table: 'traffic_hour' | 'figure_hour' = 'traffic_hour',
): Statement => sql`
  insert into ${raw(table)} as h (
    location_id, hour, lane_number, ctg8p1, violations, speed_range, overspeed_range, vehicles,
    speeds, speed_sum, speed_min, speed_max, slowness_sum, loads, load_sum, load_min, load_max
  )
  select location_id, date_trunc('hour', created_at, 'UTC'), lane_number, ctg8p1, violations, speed_range,
         overspeed_range, count(*), count(*) filter (where speed > 0), coalesce(sum(speed), 0),
         min(speed) filter (where speed > 0), max(speed) filter (where speed > 0),
         coalesce(sum(round(1000000.0 / greatest(speed, ${MIN_DENSITY_SPEED}::int))) filter (where speed > 0), 0),
         count(total_load), coalesce(sum(total_load), 0), min(total_load), max(total_load)
  from ${vehicles}
  group by 1, 2, 3, 4, 5, 6, 7
  order by 1, 2, 3, 4, 5, 6, 7
  on conflict (location_id, hour, lane_number, ctg8p1, violations, speed_range, overspeed_range) do update set
    vehicles = h.vehicles + excluded.vehicles,
    speeds = h.speeds + excluded.speeds,
    speed_sum = h.speed_sum + excluded.speed_sum,
    speed_min = least(h.speed_min, excluded.speed_min),
    speed_max = greatest(h.speed_max, excluded.speed_max),
    slowness_sum = h.slowness_sum + excluded.slowness_sum,
    loads = h.loads + excluded.loads,
    load_sum = h.load_sum + excluded.load_sum,
    load_min = least(h.load_min, excluded.load_min),
    load_max = greatest(h.load_max, excluded.load_max)`

/** Marks the days of vehicles as dirty: their daily and monthly roll-ups are derived again. */
export const markDays = (vehicles: Statement): Statement => sql`
  insert into traffic_mark (location_id, day)
  select distinct location_id, (created_at at time zone 'Europe/Warsaw')::date from ${vehicles}`
