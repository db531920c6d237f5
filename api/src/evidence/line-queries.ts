import type { StoredValue } from '@rogatka/domain/evidence/canonical.ts'
import type { Database } from '../core/database.ts'
import type { LineKey } from '../core/log-queue.ts'
import { sql } from '../core/statement.ts'

/** A line of a log with what its seal covers, by field. */
export type LogLine = LineKey & { fields: Record<string, StoredValue> }

type AuditRow = LineKey & Record<string, StoredValue>

/** Audit entries of these ids, unordered; those that do not exist are missing. */
export async function auditLines(db: Database, keys: readonly LineKey[]): Promise<LogLine[]> {
  const rows = await db.query<AuditRow>(sql`
    select id, at, user_id as "userId", ip, action, subject, before, after, ticket_id as "ticketId"
    from audit where id = any(${keys.map(({ id }) => id)}::bigint[])`)
  return rows.map(({ id, ...fields }) => ({ id, at: fields.at, fields }))
}

/** Audit entries without a seal with an id in (from, until], by id. */
export const unsealedAudit = (
  db: Database,
  { from, until, limit }: { from: number; until: number | null; limit: number },
) =>
  db.query<LineKey>(sql`
  select a.id, a.at
  from audit a
  left join log_seal s on s.chain = 'audit' and s.source_id = a.id
  where a.id > ${from} ${until === null ? sql`` : sql`and a.id <= ${until}`} and s.seq is null
  order by a.id
  limit ${limit}`)

/** Audit entries with a subject. Reads the whole log, as it has no index on subjects. */
export const auditOfSubject = (db: Database, subject: string) =>
  db.query<LineKey>(sql`select id, at from audit where subject = ${subject} order by id`)
