import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** Weeks that are copied at most. */
const WEEKS = 8

/**
 * Adds quarters of the weeks before those that are stored, in [from, to), at the same local times as in the week until
 * `until`: the mean of the quarter and its neighbours, with the scatter of independent arrivals (Poisson).
 * Existing quarters stay.
 */
export const addEarlierWeeks = (db: Database, { from, to, until }: { from: Date; to: Date; until: Date }) =>
  db.execute(sql`
  with smooth as (
    select location_id, quarter, avg(vehicles) over near as vehicles, avg(weighed) over near as weighed,
           avg(overloaded) over near as overloaded
    from traffic_quarter
    where quarter >= ${until}::timestamptz - interval '7 days' and quarter < ${until}::timestamptz
    window near as (partition by location_id order by quarter rows between 1 preceding and 1 following)
  ), earlier as (
    select (quarter at time zone 'Europe/Warsaw' - week * interval '7 days') at time zone 'Europe/Warsaw' as quarter,
           location_id, vehicles, weighed, overloaded
    from smooth, generate_series(1, ${WEEKS}) as week
  ), spread as (
    -- The sum of three uniform numbers has the standard deviation 0.5.
    select *, 2 * (random() + random() + random() - 1.5) as deviation from earlier
  )
  insert into traffic_quarter (quarter, location_id, vehicles, weighed, overloaded)
  select quarter, location_id, greatest(1, round(vehicles + deviation * sqrt(vehicles))),
         greatest(0, round(weighed + deviation * sqrt(weighed))), floor(overloaded + random())
  from spread
  where quarter >= ${from}::timestamptz and quarter < ${to}::timestamptz
  on conflict do nothing`)
