import type { FastifyRequest } from 'fastify'
import type { Database } from './database.ts'
import type { Session } from './sessions.ts'
import { json, sql } from './statement.ts'

/** The user, IP address and time of an audit entry. */
export type Actor = { session: Session; request: Pick<FastifyRequest, 'ip'>; now: Date }

/**
 * Action and subject, with the state before and after, neither of which may hold a secret. `ticketId` for tickets, as
 * their numbers are unique per organization only.
 */
type NewAuditEntry = { action: string; subject: string; before?: unknown; after?: unknown; ticketId?: number }

/** Appends an audit entry. Call it in the transaction of the change, to be atomic with it. */
export const audit = (db: Database, { session, request, now }: Actor, entry: NewAuditEntry) =>
  auditWithoutSession(db, { userId: session.userId, ip: request.ip, now }, entry)

/** Appends an entry for each of many changes of one request, in one statement. */
export const auditAll = (db: Database, { session, request, now }: Actor, entries: readonly NewAuditEntry[]) => {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  return db.execute(sql`
    insert into audit (at, user_id, ip, action, subject, before, after)
    select ${now}::timestamptz, ${session.userId}::int, ${request.ip}::text, d.action, d.subject, d.before::jsonb, d.after::jsonb
    from unnest(
      ${entries.map(({ action }) => action)}::text[], ${entries.map(({ subject }) => subject)}::text[],
      ${entries.map(({ before }) => json(before))}::text[], ${entries.map(({ after }) => json(after))}::text[]
    ) as d (action, subject, before, after)`)
}

/** Appends an entry without a session: for a reset token or a management command. */
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

/** Appends an entry for an action of the portal itself, without user and IP address. */
export const auditAsSystem = (db: Database, now: Date, entry: NewAuditEntry) =>
  auditWithoutSession(db, { userId: null, ip: null, now }, entry)
