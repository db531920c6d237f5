import type { Database } from '../core/database.ts'
import { raw, sql } from '../core/statement.ts'
import { type InspectionRow, selectInspections } from './queries.ts'

/** The inspections announced, taken over, closed, withdrawn or passed by in [from, to), oldest first. */
export function shiftInspections(db: Database, { from, to }: { from: Date; to: Date }): Promise<InspectionRow[]> {
  const isIn = (step: string) => sql`${raw(step)} >= ${from}::timestamptz and ${raw(step)} < ${to}::timestamptz`
  return db.query<InspectionRow>(sql`
  ${selectInspections}
  where ${isIn('i.announced_at')} or ${isIn('i.taken_over_at')} or ${isIn('i.closed_at')}
     or ${isIn('i.withdrawn_at')} or ${isIn('i.passed_by_at')}
  order by i.announced_at, i.id`)
}
