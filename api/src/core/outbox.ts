import type { Language } from '@rogatka/contract/languages.ts'
import type { Database } from './database.ts'
import { deleteInBatches } from './delete-batches.ts'
import type { Lane } from './jobs.ts'
import type { Mailer, Message } from './mail.ts'
import { json, sql } from './statement.ts'

/** What is to be told to whom. Details never hold a secret: whoever composes the text adds it then. */
export type Notification = {
  kind: string
  recipient: string
  language: Language
  details: Record<string, unknown>
  /** What it is about, where there may be only one such message. */
  once?: string
  /** It waits until then. */
  notBefore?: Date | null
}

/** Turns a notice into its text when it leaves; null when there is nothing to say any more. */
export type Compose = (db: Database, notice: Notification, now: Date) => Promise<Message | null>

/** How notices of a kind become text, and by what they leave. */
export type OutboxChannel = { compose: Compose; through: Mailer }

/** The job that delivers one message of the outbox. */
export const DELIVER = 'deliver-message'
/** Its name in each lane. */
export const DELIVER_IN: Record<Lane, string> = { mail: DELIVER, sms: 'deliver-sms', tickets: 'deliver-ticket' }

const laneOf = (kind: string): Lane => (kind.endsWith('-sms') ? 'sms' : kind.startsWith('ticket-') ? 'tickets' : 'mail')

/** Longer than any attempt takes: whoever holds a message for so long has died with it. */
const LEASE_MS = 90_000
/** The queue's own pauses grow to hours; a server that is back should not wait for them. */
const MAX_RETRY_DELAY = '5 minutes'
/** A message that was refused for so long is not tried again. */
export const MAX_AGE_MS = 3 * 86_400_000

const addJob = (db: Database, { id, kind }: { id: number; kind: string }, at: Date | null = null) =>
  db.query(sql`
  select graphile_worker.add_job(${DELIVER_IN[laneOf(kind)]}, json_build_object('id', ${id}::bigint), run_at := ${at}::timestamptz,
                                 job_key := ${`${DELIVER}:${id}`}, max_attempts := 25)`)

/**
 * Puts a message into the outbox, in the transaction that causes it: neither stands without the other. What may be
 * there only once, and is, stays as it is.
 */
export async function enqueueMessage(db: Database, notice: Notification, now: Date): Promise<void> {
  const { kind, recipient, language, details, once = null, notBefore = null } = notice
  const [row] = await db.query<{ id: number }>(sql`
    insert into outbox (created_at, kind, recipient, language, details, once, not_before)
    values (${now}::timestamptz, ${kind}, ${recipient}, ${language}, ${json(details)}, ${once}, ${notBefore}::timestamptz)
    on conflict (once) where once is not null do nothing
    returning id`)
  if (row) await addJob(db, { id: row.id, kind }, notBefore)
}

/**
 * Sends one message of the outbox. Without something to send it by it stays there, for administrators to see and for
 * a later start that has it; a failure is thrown after it is noted, so that the queue tries again with growing pauses.
 *
 * Whoever sends it holds it for the while, so that it is not sent twice at once. Only a process that dies between the
 * receiver's yes and the note of it leaves a message that goes again: it then bears the same key, by which the receiver
 * knows it.
 */
export async function deliver(
  db: Database,
  id: number,
  { outgoing, now }: { outgoing: Record<string, OutboxChannel>; now: Date },
): Promise<void> {
  const able = ableKinds(outgoing)
  const [notice] = await db.query<Notification & { createdAt: Date }>(sql`
    update outbox set leased_until = ${new Date(now.getTime() + LEASE_MS)}::timestamptz
    where id = ${id} and sent_at is null and kind = any(${able})
      and (leased_until is null or leased_until <= ${now}::timestamptz) and (not_before is null or not_before <= ${now}::timestamptz)
    returning kind, recipient, language, details, created_at as "createdAt"`)
  const way = notice && outgoing[notice.kind]
  if (!way) return
  try {
    const message = await way.compose(db, notice, now)
    if (message) await way.through.send({ ...message, key: `rogatka-${id}-${notice.createdAt.getTime()}` })
    await db.execute(sql`
      update outbox
      set sent_at = ${now}::timestamptz, attempts = attempts + 1, last_error = null, leased_until = null,
          dropped = ${message === null}::boolean, recipient = ${message?.to ?? notice.recipient}
      where id = ${id}`)
  } catch (error) {
    const reason = (error as Error).message.slice(0, 300)
    await db.execute(sql`
      update outbox set attempts = attempts + 1, last_error = ${reason}, leased_until = null where id = ${id}`)
    throw error
  }
}

const ableKinds = (outgoing: Record<string, OutboxChannel>) =>
  Object.entries(outgoing).flatMap(([kind, { through }]) => (through.canSend ? [kind] : []))

/**
 * Asks again for what was never sent: what waited for a mail server to be named, what a dead process held, what would
 * pause for long. A job that waits its turn stays one.
 */
export async function deliverUnsent(
  db: Database,
  { outgoing, now }: { outgoing: Record<string, OutboxChannel>; now: Date },
): Promise<void> {
  const unsent = await db.query<{ id: number; kind: string }>(sql`
    select o.id, o.kind from outbox o
    where o.sent_at is null and o.kind = any(${ableKinds(outgoing)})
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

/** A settled message stays so long for administrators to look up. */
const SETTLED_MS = 90 * 86_400_000

/** Deletes messages that were sent, or given up, long ago. What was never tried still waits for a way to send it. */
export function deleteSettledMessages(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - SETTLED_MS)
  return deleteInBatches((limit) =>
    db.execute(sql`
      delete from outbox where id in (
        select id from outbox
        where created_at < ${before}::timestamptz and (sent_at < ${before}::timestamptz or (sent_at is null and attempts > 0))
        order by id limit ${limit})`),
  )
}
