import type { auditActions } from '@rogatka/contract/activity.ts'
import type { FastifyRequest } from 'fastify'
import type { Database } from './database.ts'
import { queueLines } from './log-queue.ts'
import type { Session } from './sessions.ts'
import { sql } from './statement.ts'

/** The user, IP address and time of an audit entry. */
export type Actor = { session: Session; request: Pick<FastifyRequest, 'ip'>; now: Date }

/**
 * Action and subject, with the state before and after, neither of which may hold a secret. `ticketId` for tickets, as
 * their numbers are unique per organization only.
 */
export type NewAuditEntry = {
  action: (typeof auditActions)[number]
  subject: string
  before?: unknown
  after?: unknown
  ticketId?: number
}

type Origin = { userId: number | null; ip: string | null; now: Date }

const insertEntries = (db: Database, { userId, ip, now }: Origin, entries: readonly NewAuditEntry[]) => {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  return db.execute(sql`
    with entry as (
      insert into audit (at, user_id, ip, action, subject, before, after, ticket_id)
      select ${now}::timestamptz, ${userId}::int, ${ip}::text,
             e.action, e.subject, e.before::jsonb, e.after::jsonb, e.ticket_id
      from unnest(
        ${entries.map(({ action }) => action)}::text[], ${entries.map(({ subject }) => subject)}::text[],
        ${entries.map(({ before }) => json(before))}::text[], ${entries.map(({ after }) => json(after))}::text[],
        ${entries.map(({ ticketId }) => ticketId ?? null)}::int[]
      ) as e (action, subject, before, after, ticket_id)
      returning id, at
    )
    ${queueLines('audit', sql`entry`)}`)
}

/** Appends an audit entry. Call it in the transaction of the change, to be atomic with it. */
export const audit = (db: Database, { session, request, now }: Actor, entry: NewAuditEntry) =>
  session.system
    ? auditWithoutSession(db, { userId: null, ip: request.ip, now }, { ...entry, after: withSystem(session, entry) })
    : auditWithoutSession(db, { userId: session.userId, ip: request.ip, now }, entry)

/** What a system did has its name, as it has no user. */
const withSystem = ({ username }: Session, { after }: NewAuditEntry) => ({ ...(after as object), system: username })

/** Appends an entry for each of many changes of one request, in one statement. */
export const auditAll = (db: Database, { session, request, now }: Actor, entries: readonly NewAuditEntry[]) =>
  insertEntries(db, { userId: session.userId, ip: request.ip, now }, entries)

/** Appends an entry without a session: for a reset token or a management command. */
export const auditWithoutSession = (db: Database, origin: Origin, entry: NewAuditEntry) =>
  insertEntries(db, origin, [entry])

/** Appends an entry for an action of the portal itself, without user and IP address. */
export const auditAsSystem = (db: Database, now: Date, entry: NewAuditEntry) =>
  auditWithoutSession(db, { userId: null, ip: null, now }, entry)
