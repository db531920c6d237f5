import type { Language } from '@rogatka/contract/languages.ts'
import { DAY_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { clockFrom } from './clock.ts'
import type { Database } from './database.ts'
import { deleteInBatches } from './delete-batches.ts'
import type { Lane } from './jobs.ts'
import type { Mailer, Message } from './mail.ts'
import { json, sql } from './statement.ts'

/** A message to a person or service. Details never hold a secret: `compose` adds it when sending. */
export type Notification = {
  kind: string
  recipient: string
  language: Language
  details: Record<string, unknown>
  /** Deduplication key, if there may be only one such message. */
  once?: string
  /** Not sent before this time. */
  notBefore?: Date | null
}

/** Composes the message when it is sent; null if it is obsolete. */
export type Compose = (db: Database, notification: Notification, now: Date) => Promise<Message | null>

/** How notifications of a kind are composed and sent. */
export type OutboxChannel = { compose: Compose; mailer: Mailer }

/** Lanes of messages. */
type MessageLane = Exclude<Lane, 'long' | 'stamps'>

/** Name of the job that delivers one message. */
export const DELIVER = 'deliver-message'
/** Names of the jobs that deliver a message, by lane. */
export const DELIVER_JOBS: Record<MessageLane, string> = {
  mail: DELIVER,
  sms: 'deliver-sms',
  tickets: 'deliver-ticket',
}

const laneOf = (kind: string): MessageLane =>
  kind.endsWith('-sms') ? 'sms' : kind.startsWith('ticket-') ? 'tickets' : 'mail'

/** Lease of a message, longer than any attempt: after it, its sender has died. */
export const LEASE_MS = 90_000
/** Maximum back-off: that of the queue grows to hours, too long for a recovered server. */
const MAX_RETRY_DELAY = '5 minutes'
/** Failing messages are not retried after this time. */
export const MAX_AGE_MS = 3 * DAY_MS

const addJob = (db: Database, { id, kind }: { id: number; kind: string }, at: Date | null = null) =>
  db.query(sql`
  select graphile_worker.add_job(${DELIVER_JOBS[laneOf(kind)]}, json_build_object('id', ${id}::bigint), run_at := ${at}::timestamptz,
                                 job_key := ${`${DELIVER}:${id}`}, max_attempts := 25)`)

/**
 * Enqueues a message; call it in the transaction of its cause, to be atomic with it. Does nothing if a message with the
 * same `once` exists.
 */
export async function enqueueMessage(db: Database, notification: Notification, now: Date): Promise<void> {
  const { kind, recipient, language, details, once = null, notBefore = null } = notification
  const [row] = await db.query<{ id: number }>(sql`
    insert into outbox (created_at, kind, recipient, language, details, once, not_before)
    values (${now}::timestamptz, ${kind}, ${recipient}, ${language}, ${json(details)}, ${once}, ${notBefore}::timestamptz)
    on conflict (once) where once is not null do nothing
    returning id`)
  if (row) await addJob(db, { id: row.id, kind }, notBefore)
}

/** Messages of some kinds whose details have this value under a key. */
export type MessageFilter = { kinds: readonly string[]; key: string; value: string }

/**
 * Updates recipient and kind of the unsent messages about something, except those being sent now or no longer retried.
 */
export const readdressMessages = (
  db: Database,
  { kinds, key, value }: MessageFilter,
  { recipient, kind }: Pick<Notification, 'recipient' | 'kind'>,
  now: Date,
) =>
  db.execute(sql`
  update outbox set recipient = ${recipient}, kind = ${kind}
  where kind = any(${[...kinds]}) and details ->> ${key} = ${value} and sent_at is null
    and (leased_until is null or leased_until <= ${now}::timestamptz)
    and (attempts = 0 or created_at > ${new Date(now.getTime() - MAX_AGE_MS)}::timestamptz)`)

/**
 * Keeps one unsent message of a kind while a service fails, shown to administrators; it is never delivered. `failure`
 * null: marks it as sent.
 */
export async function recordServiceFailure(
  db: Database,
  { kind, service }: { kind: string; service: string },
  failure: string | null,
  now: Date,
): Promise<void> {
  if (failure === null) {
    await db.execute(
      sql`update outbox set sent_at = ${now}::timestamptz, last_error = null where kind = ${kind} and sent_at is null`,
    )
    return
  }
  const reason = failure.slice(0, 300)
  const updated = await db.execute(sql`
    update outbox set attempts = attempts + 1, last_error = ${reason} where kind = ${kind} and sent_at is null`)
  if (updated === 0)
    await db.execute(sql`
      insert into outbox (created_at, kind, recipient, language, attempts, last_error)
      values (${now}::timestamptz, ${kind}, ${service}, 'pl', 1, ${reason})`)
}

/**
 * Sends one message of the outbox. Without a channel it stays there, visible to administrators, until one is
 * configured. A failure is recorded and thrown, so that the queue retries it with back-off. A lease keeps other
 * processes from sending it too. Only if a process dies between the receiver's response and its record is a message
 * sent again, with the same idempotency key.
 */
export async function deliver(
  db: Database,
  id: number,
  { channels, now }: { channels: Record<string, OutboxChannel>; now: Date },
): Promise<void> {
  const clock = clockFrom(now)
  const kinds = sendableKinds(channels)
  const [notification] = await db.query<Notification & { createdAt: Date }>(sql`
    update outbox set leased_until = ${new Date(now.getTime() + LEASE_MS)}::timestamptz
    where id = ${id} and sent_at is null and kind = any(${kinds})
      and (leased_until is null or leased_until <= ${now}::timestamptz) and (not_before is null or not_before <= ${now}::timestamptz)
    returning kind, recipient, language, details, created_at as "createdAt"`)
  const channel = notification && channels[notification.kind]
  if (!channel) return
  try {
    const message = await channel.compose(db, notification, clock())
    if (message) await channel.mailer.send({ ...message, key: `rogatka-${id}-${notification.createdAt.getTime()}` })
    await db.execute(sql`
      update outbox
      set sent_at = ${clock()}::timestamptz, attempts = attempts + 1, last_error = null, leased_until = null,
          dropped = ${message === null}::boolean, recipient = ${message?.to ?? notification.recipient}
      where id = ${id}`)
  } catch (error) {
    const reason = (error as Error).message.slice(0, 300)
    await db.execute(sql`
      update outbox set attempts = attempts + 1, last_error = ${reason}, leased_until = null where id = ${id}`)
    throw error
  }
}

const sendableKinds = (channels: Record<string, OutboxChannel>) =>
  Object.entries(channels).flatMap(([kind, { mailer }]) => (mailer.canSend ? [kind] : []))

/**
 * Enqueues unsent messages again: those waiting for a channel, with an expired lease, or with too long a back-off. A
 * job that is already due stays.
 */
export async function deliverUnsent(
  db: Database,
  { channels, now }: { channels: Record<string, OutboxChannel>; now: Date },
): Promise<void> {
  const unsent = await db.query<{ id: number; kind: string }>(sql`
    select o.id, o.kind from outbox o
    where o.sent_at is null and o.kind = any(${sendableKinds(channels)})
      and (o.not_before is null or o.not_before <= ${now}::timestamptz) and (o.leased_until is null or o.leased_until <= ${now}::timestamptz)
      and (o.attempts = 0 or o.created_at > ${new Date(now.getTime() - MAX_AGE_MS)}::timestamptz)
      and not exists (
        select from graphile_worker.jobs j
        where j.key = ${`${DELIVER}:`} || o.id and j.attempts < j.max_attempts
          and case when j.locked_at is null then j.run_at <= now() + ${MAX_RETRY_DELAY}::interval
                   else j.locked_at > now() - ${`${LEASE_MS} ms`}::interval end
      )
    order by o.id limit 1000`)
  for (const message of unsent) await addJob(db, message)
}

/**
 * Takes mails and text messages that wait out of the outbox: in a restored database they may have been sent since the
 * backup. They stay in the list, with the reason. Changes of tickets stay, too, as their synchronisation adds them again.
 * Returns their number.
 */
export const settleUnsent = (db: Database, now: Date): Promise<number> =>
  db.execute(sql`
  update outbox
  set sent_at = ${now}::timestamptz, dropped = true, leased_until = null, last_error = 'not sent: settled after a restore'
  where sent_at is null and kind not like 'ticket-%'`)

/** A message that has failed for this long is stuck. */
const STUCK_MS = 10 * MINUTE_MS

/** Number of messages whose sending has failed for a while, and is still retried. */
export async function countStuck(db: Database, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from outbox
    where sent_at is null and attempts > 0
      and created_at > ${new Date(now.getTime() - MAX_AGE_MS)}::timestamptz
      and created_at <= ${new Date(now.getTime() - STUCK_MS)}::timestamptz`)
  return row?.count ?? 0
}

/** Age of the oldest message whose sending has failed and is still retried, in seconds; 0: there is none. */
export async function oldestFailing(db: Database, now: Date): Promise<number> {
  const [row] = await db.query<{ seconds: number | null }>(sql`
    select extract(epoch from ${now}::timestamptz - min(created_at))::float8 as seconds from outbox
    where sent_at is null and attempts > 0 and created_at > ${new Date(now.getTime() - MAX_AGE_MS)}::timestamptz`)
  return Math.max(0, row?.seconds ?? 0)
}

/** Retention of messages after they were sent, and of others after their creation. */
const SETTLED_MS = 90 * DAY_MS

/** Deletes old messages that were sent, have failed, or were never tried, as they have no channel: nobody needs them now. */
export function deleteSettledMessages(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - SETTLED_MS)
  return deleteInBatches((limit) =>
    db.execute(sql`
      delete from outbox where id in (
        select id from outbox
        where created_at < ${before}::timestamptz and (sent_at is null or sent_at < ${before}::timestamptz)
        order by id limit ${limit})`),
  )
}
