import type { FastifyRequest } from 'fastify'
import type { Sql } from './database.ts'
import type { Session } from './sessions.ts'

/** Who asks, for the line that the audit log keeps. */
export type Actor = { session: Session; request: Pick<FastifyRequest, 'ip'>; now: Date }

/**
 * What was done to what, with the state before and after; neither may hold a secret. `ticketId` where it is a ticket,
 * whose number others have too.
 */
type Deed = { action: string; subject: string; before?: unknown; after?: unknown; ticketId?: number }

/** Appends to the audit log; call it in the transaction of the change, so that neither stands without the other. */
export const audit = (sql: Sql, { session, request, now }: Actor, deed: Deed) =>
  noteDeed(sql, { userId: session.userId, ip: request.ip, now }, deed)

/** Appends one line for each of many deeds of one request, in one statement. */
export const auditAll = (sql: Sql, { session, request, now }: Actor, deeds: readonly Deed[]) => {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  return sql`
    insert into audit (at, user_id, ip, action, subject, before, after)
    select ${now}::timestamptz, ${session.userId}::int, ${request.ip}::text, d.action, d.subject, d.before::jsonb, d.after::jsonb
    from unnest(
      ${deeds.map(({ action }) => action)}::text[], ${deeds.map(({ subject }) => subject)}::text[],
      ${deeds.map(({ before }) => json(before))}::text[], ${deeds.map(({ after }) => json(after))}::text[]
    ) as d (action, subject, before, after)`
}

/** The same of what is done without a session: by the token of a mail, or by a command of whoever runs the portal. */
export const noteDeed = (
  sql: Sql,
  { userId, ip, now }: { userId: number | null; ip: string | null; now: Date },
  { action, subject, before, after, ticketId }: Deed,
) => sql`
  insert into audit (at, user_id, ip, action, subject, before, after, ticket_id)
  values (${now}, ${userId}, ${ip}, ${action}, ${subject},
          ${before === undefined ? null : sql.json(before as never)}, ${after === undefined ? null : sql.json(after as never)},
          ${ticketId ?? null})`

/** Appends what the portal itself did. */
export const auditOfPortal = (sql: Sql, now: Date, deed: Deed) => noteDeed(sql, { userId: null, ip: null, now }, deed)
