import type { ShiftTicket } from '@rogatka/contract/shifts.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'
import { organizationCondition } from './queries.ts'

/** The tickets of the organization that were reported or closed in [from, to), oldest first. */
export const shiftTickets = (db: Database, organization: string | null, { from, to }: { from: Date; to: Date }) =>
  db.query<ShiftTicket>(sql`
  select t.id, t.number || '/' || t.year as number, t.title, t.status, t.created_at as "createdAt",
         t.closed_at as "closedAt",
         case when l.id is not null then json_build_object('id', l.id, 'shortName', l.short_name) end as location
  from ticket t left join location l on l.id = t.location_id
  where ${organizationCondition(organization)}
    and (t.created_at >= ${from}::timestamptz and t.created_at < ${to}::timestamptz
      or t.closed_at >= ${from}::timestamptz and t.closed_at < ${to}::timestamptz)
  order by t.created_at, t.id`)
