import type { Database } from '../../core/database.ts'
import { openTransactions } from '../../core/distribution.ts'
import { type Statement, sql } from '../../core/statement.ts'

/** An hour of a station. */
export type HourMark = { locationId: number; hour: Date }

/**
 * Marks of hours whose vehicles a feature has to count again, in two tables of that feature: `progress`, with one row and
 * a column `through`, and `marks`, with the columns location_id and hour.
 */
export const hourMarks = ({ progress, marks }: { progress: Statement; marks: Statement }) => ({
  /** Marks the hours with vehicles of transactions since the last call. Calls must not overlap. */
  markArrivals: async (db: Database, isDistributed: boolean): Promise<void> => {
    const [state] = await db.query<{ through: number; unfinished: number }>(sql`
      -- After a restore into another cluster transactions are counted again: then everything is marked.
      select case when through <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint then through else 0 end as through,
             unfinished
      from ${progress}, (${openTransactions(isDistributed, { asksWorkers: true })}) now`)
    await db.execute(sql`
      insert into ${marks} (location_id, hour)
      select location_id, hour from arrival where written_by >= ${state?.through ?? 0}
      on conflict do nothing`)
    await db.execute(sql`update ${progress} set through = ${state?.unfinished ?? 0}`)
  },

  /** Removes and returns the oldest marks of hours that have ended. */
  takeMarks: (db: Database, now: Date, limit: number) =>
    db.query<HourMark>(sql`
    delete from ${marks} m
    using (
      select location_id, hour from ${marks} where hour <= ${now}::timestamptz - interval '1 hour'
      order by hour, location_id limit ${limit}
    ) d
    where m.location_id = d.location_id and m.hour = d.hour
    returning m.location_id as "locationId", m.hour`),

  /** The hours of stations that are not counted yet. */
  pendingHours: sql`
    select location_id, hour from ${marks}
    union
    select a.location_id, a.hour from arrival a, ${progress} p where a.written_by >= p.through`,
})

/** Condition on a vehicle `v` that joins it to a mark `m` of these hours. */
export function inMarkedHour(marks: readonly HourMark[]): Statement {
  const times = marks.map(({ hour }) => hour.getTime())
  // The bounds keep other partitions out of the plan.
  return sql`
    v.location_id = m.location_id and v.created_at >= m.hour and v.created_at < m.hour + interval '1 hour'
    and v.created_at >= ${new Date(Math.min(...times))}::timestamptz
    and v.created_at < ${new Date(Math.max(...times))}::timestamptz + interval '1 hour'`
}

/** Marks as a table with the columns location_id and hour. */
export const markedHours = (marks: readonly HourMark[]): Statement => sql`
  unnest(${marks.map(({ locationId }) => String(locationId))}::int[], ${marks.map(({ hour }) => hour)}::timestamptz[])`
