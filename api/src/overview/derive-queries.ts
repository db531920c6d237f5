import { type HourMark, hourMarks, inMarkedHour, markedHours } from '../archive/public-api.ts'
import type { Database } from '../core/database.ts'
import { LOCKS } from '../core/locks.ts'
import { type Statement, sql } from '../core/statement.ts'

/** Tries the advisory lock that serialises derivation over all processes; held until the transaction ends. */
export const tryLockQuarters = async (db: Database): Promise<boolean> => {
  const [lock] = await db.query<{ acquired: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCKS.quarters}) as acquired`,
  )
  return lock?.acquired ?? false
}

export const { markArrivals, takeMarks, pendingHours } = hourMarks({
  progress: sql`quarter_progress`,
  marks: sql`quarter_mark`,
})

/** More than the permissible mass of light vehicles, kg. */
const HEAVY_KG = 3_500

/** Of vehicles `v`: those weighed over 3.5 t. */
const isWeighed = sql`v.total_load > ${HEAVY_KG}`

/** Numbers of weighed vehicles over 3.5 t, and of these those with an exceeded load limit, of vehicles `v`. */
export const countWeighed = (condition: Statement = sql`true`): Statement => sql`
  (count(*) filter (where ${isWeighed} and ${condition}))::int as weighed,
  (count(*) filter (where ${isWeighed} and v.violations & 1 > 0 and ${condition}))::int as overloaded`

const quarterOfVehicle = sql`date_bin('15 minutes', v.created_at, '2000-01-01T00:00:00Z')`

/** Counts the quarters of these hours again from the vehicles. */
export async function countQuarters(db: Database, marks: readonly HourMark[]): Promise<void> {
  await db.execute(sql`
    delete from traffic_quarter q using ${markedHours(marks)} as m (location_id, hour)
    where q.location_id = m.location_id and q.quarter >= m.hour and q.quarter < m.hour + interval '1 hour'`)
  await db.execute(sql`
    insert into traffic_quarter (quarter, location_id, vehicles, weighed, overloaded)
    select ${quarterOfVehicle} as quarter, v.location_id, count(*)::int as vehicles, ${countWeighed()}
    from ${markedHours(marks)} as m (location_id, hour)
    join vehicle v on ${inMarkedHour(marks)}
    group by 1, 2`)
}

/** Deletes quarters and marks before an instant. */
export async function deleteQuartersBefore(db: Database, before: Date): Promise<void> {
  await db.execute(sql`delete from traffic_quarter where quarter < ${before}::timestamptz`)
  await db.execute(sql`delete from quarter_mark where hour < ${before}::timestamptz`)
}

/** The hour of the first stored vehicle; null without vehicles. */
export async function firstHour(db: Database): Promise<Date | null> {
  const [row] = await db.query<{ hour: Date | null }>(sql`
    select date_trunc('hour', min(created_at), 'UTC') as hour from vehicle`)
  return row?.hour ?? null
}

/** A quarter whose stored counts differ from the recounted ones; null: on one side only. */
export type QuarterDifference = {
  locationId: number
  quarter: Date
  stored: Record<string, unknown> | null
  recounted: Record<string, unknown> | null
}

/** Recounts the quarters since an instant from the vehicles. Skipped are hours that are not counted yet. */
export const quarterDifferences = (db: Database, since: Date) =>
  db.query<QuarterDifference>(sql`
  with recounted as (
    select ${quarterOfVehicle} as quarter, v.location_id, count(*)::int as vehicles, ${countWeighed()}
    from vehicle v where v.created_at >= ${since}::timestamptz
    group by 1, 2
  ), compared as (
    select quarter, location_id, to_jsonb(q) as stored, to_jsonb(r) as recounted
    from (select * from traffic_quarter where quarter >= ${since}::timestamptz) q
    full join recounted r using (quarter, location_id)
    where (q.vehicles, q.weighed, q.overloaded) is distinct from (r.vehicles, r.weighed, r.overloaded)
  )
  select c.location_id as "locationId", c.quarter, c.stored, c.recounted
  from compared c
  left join (${pendingHours}) p on p.location_id = c.location_id and p.hour = date_trunc('hour', c.quarter, 'UTC')
  where p.hour is null
  order by 2, 1`)
