import type { Language } from '@rogatka/contract/languages.ts'
import type { Sql } from './database.ts'
import type { Mailer, Message } from './mail.ts'

/** What is to be told to whom. Details never hold a secret: whoever composes the text adds it then. */
export type Notice = { kind: string; recipient: string; language: Language; details: Record<string, unknown> }

/** Turns a notice into its text when it leaves; null when there is nothing to say any more. */
export type Compose = (sql: Sql, notice: Notice, now: Date) => Promise<Message | null>

/** The job that delivers one message of the outbox. */
export const DELIVER = 'deliver-message'

const addJob = (sql: Sql, id: number) => sql`
  select graphile_worker.add_job(${DELIVER}, json_build_object('id', ${id}::bigint),
                                 job_key := ${`${DELIVER}:${id}`}, max_attempts := 25)`

/** Puts a message into the outbox, in the transaction that causes it: neither stands without the other. */
export async function putInOutbox(sql: Sql, notice: Notice, now: Date): Promise<void> {
  const { kind, recipient, language, details } = notice
  const [row] = await sql<{ id: number }[]>`
    insert into outbox (created_at, kind, recipient, language, details)
    values (${now}, ${kind}, ${recipient}, ${language}, ${sql.json(details as never)})
    returning id`
  await addJob(sql, row?.id as number)
}

/**
 * Sends one message of the outbox. Without a mailer it stays there, for administrators to see and for a later
 * start that has one; a failure is thrown after it is noted, so that the queue tries again with growing pauses.
 */
export async function deliver(
  sql: Sql,
  id: number,
  { mailer, composers, now }: { mailer: Mailer; composers: Record<string, Compose>; now: Date },
): Promise<void> {
  if (!mailer.canSend) return
  const [notice] = await sql<Notice[]>`
    select kind, recipient, language, details from outbox where id = ${id} and sent_at is null`
  const compose = notice && composers[notice.kind]
  if (!compose) return
  try {
    const message = await compose(sql, notice, now)
    if (message) await mailer.send(message)
    await sql`update outbox set sent_at = ${now}, attempts = attempts + 1, last_error = null where id = ${id}`
  } catch (error) {
    const reason = (error as Error).message.slice(0, 300)
    await sql`update outbox set attempts = attempts + 1, last_error = ${reason} where id = ${id}`
    throw error
  }
}

/** Asks again for what was never sent, such as what waited for a mail server to be named; a job that waits stays one. */
export async function deliverUnsent(sql: Sql): Promise<void> {
  const unsent = await sql<{ id: number }[]>`
    select o.id from outbox o
    where o.sent_at is null and not exists (
      select from graphile_worker.jobs j where j.key = ${`${DELIVER}:`} || o.id
    )
    order by o.id limit 1000`
  for (const { id } of unsent) await addJob(sql, id)
}
