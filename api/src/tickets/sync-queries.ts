import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import { recordServiceFailure } from '../core/outbox.ts'
import { sql } from '../core/statement.ts'
import { toSendCondition } from './service-file-queries.ts'

/** A message unsent for this long is abandoned and replaced. */
const ABANDONED_AFTER_MS = 3 * DAY_MS

/** Whether a message is pending that was enqueued since then; null: at any time. */
const isPending = (kind: string, now: Date, since = sql`null::timestamptz`) => sql`
  exists (
    select from outbox o
    where o.sent_at is null and o.kind = ${kind} and o.details ->> 'id' = x.id::text
      and o.created_at > ${new Date(now.getTime() - ABANDONED_AFTER_MS)}::timestamptz
      and (${since} is null or o.created_at >= ${since})
  )`

/**
 * Tickets of the organization with an unpushed version or unsent files and no pending message newer than the files.
 * `file`: number of the last of these files; 0: none.
 */
export const ticketsToPush = (db: Database, organization: string | null, now: Date) =>
  db.query<{ id: number; number: string; version: number; file: number }>(sql`
  select x.id, x.number || '/' || x.year as number, x.version, coalesce(f.file, 0) as file
  from ticket x
  join ticket_service s on s.ticket_id = x.id
  left join (
    select ticket_id, max(number)::int as file, max(created_at) as added_at from ticket_attachment
    where ${toSendCondition(now)} group by ticket_id
  ) f on f.ticket_id = x.id
  where (s.pushed_version < x.version or f.file is not null)
    and (x.organization_id is null or x.organization_id = (select id from organization where name = ${organization ?? ''}))
    and not ${isPending('ticket-push', now, sql`f.added_at`)}
  order by x.id limit 500`)

/** Users with the ticket flag but without a token. */
export const accountsToCreate = (db: Database, now: Date) =>
  db.query<{ id: number; email: string }>(sql`
  select x.id, x.email
  from app_user x
  left join ticket_account a on a.user_id = x.id and a.token_secret is not null
  where x.ticket and x.enabled and x.deleted_at is null and x.email is not null and a.user_id is null
    and not ${isPending('ticket-account', now)}
  order by x.id limit 500`)

/** Shows failed pulls to administrators until one succeeds. */
export const recordPullFailure = (db: Database, failure: string | null, now: Date) =>
  recordServiceFailure(db, { kind: 'ticket-pull', service: 'Zammad' }, failure, now)
