import type { FastifyRequest } from 'fastify'
import type { Database } from './database.ts'
import type { Session } from './sessions.ts'
import { json, sql } from './statement.ts'

/** Who asks, for the line that the audit log keeps. */
export type Actor = { session: Session; request: Pick<FastifyRequest, 'ip'>; now: Date }

/**
 * What was done to what, with the state before and after; neither may hold a secret. `ticketId` where it is a ticket,
 * whose number others have too.
 */
type NewAuditEntry = { action: string; subject: string; before?: unknown; after?: unknown; ticketId?: number }

/** Appends to the audit log; call it in the transaction of the change, so that neither stands without the other. */
export const audit = (db: Database, { session, request, now }: Actor, deed: NewAuditEntry) =>
  auditWithoutSession(db, { userId: session.userId, ip: request.ip, now }, deed)

/** Appends one line for each of many deeds of one request, in one statement. */
export const auditAll = (db: Database, { session, request, now }: Actor, deeds: readonly NewAuditEntry[]) => {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  return db.execute(sql`
    insert into audit (at, user_id, ip, action, subject, before, after)
    select ${now}::timestamptz, ${session.userId}::int, ${request.ip}::text, d.action, d.subject, d.before::jsonb, d.after::jsonb
    from unnest(
      ${deeds.map(({ action }) => action)}::text[], ${deeds.map(({ subject }) => subject)}::text[],
      ${deeds.map(({ before }) => json(before))}::text[], ${deeds.map(({ after }) => json(after))}::text[]
    ) as d (action, subject, before, after)`)
}

/** The same of what is done without a session: by the token of a mail, or by a command of whoever runs the portal. */
export const auditWithoutSession = (
  db: Database,
  { userId, ip, now }: { userId: number | null; ip: string | null; now: Date },
  { action, subject, before, after, ticketId }: NewAuditEntry,
) =>
  db.execute(sql`
  insert into audit (at, user_id, ip, action, subject, before, after, ticket_id)
  values (${now}::timestamptz, ${userId}, ${ip}, ${action}, ${subject},
          ${before === undefined ? null : json(before)}, ${after === undefined ? null : json(after)},
          ${ticketId ?? null})`)

/** Appends what the portal itself did. */
export const auditAsSystem = (db: Database, now: Date, deed: NewAuditEntry) =>
  auditWithoutSession(db, { userId: null, ip: null, now }, deed)
