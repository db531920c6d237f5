import { wantsEvent } from '@rogatka/domain/webhooks/match.ts'
import { nextAttemptAt } from '@rogatka/domain/webhooks/schedule.ts'
import type { FastifyBaseLogger } from 'fastify'
import { auditAsSystem } from '../core/audit.ts'
import type { Pool } from '../core/database.ts'
import { type Leadership, runAsLeader } from '../core/leader.ts'
import { LOCKS } from '../core/locks.ts'
import { takeNewEvents, WEBHOOK_CHANNEL } from '../core/webhook-events.ts'
import { composeBody } from './compose.ts'
import {
  type DueDelivery,
  dropPending,
  dueDeliveries,
  hasDeliveredSince,
  insertDeliveries,
  recordAttempt,
} from './delivery-queries.ts'
import { setEnded, setPaused, type WebhookRow, webhookById, webhooks } from './queries.ts'
import { secretsOf } from './secrets.ts'
import type { WebhookSender } from './send.ts'
import { eventIdOf, signedHeaders } from './signature.ts'

/** For retries that are due, and notifications that were lost. */
const TICK_MS = 1_000
/** Events that are matched at a time. */
const BATCH_SIZE = 1_000
/** Concurrent requests to one receiver, and to all: a slow one holds up no other. */
const CONCURRENCY = { perWebhook: 4, total: 32 }
const GONE = 410

type Context = {
  db: Pool
  sender: WebhookSender
  secretKey: Buffer | null
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Matches events with the subscriptions and sends them, as leader: one process at a time, so that the events of a
 * station stay in order. What is to be sent is in the database, so that another process continues.
 */
export const runWebhooks = (context: Context): { stop: () => Promise<void> } =>
  runAsLeader(context.db, { lock: LOCKS.webhooks, channel: WEBHOOK_CHANNEL }, () => startSending(context))

function startSending({ db, sender, secretKey, now, log }: Context): Leadership {
  const stopping = new AbortController()
  /** Requests by subscription and station. */
  const running = new Map<string, { webhookId: number; done: Promise<void> }>()
  let isAgain = false
  let working: Promise<void> | undefined

  /** Works now, or once more after the present run. */
  const wake = () => {
    if (stopping.signal.aborted) return
    if (working) {
      isAgain = true
      return
    }
    working = work()
      .catch((error: unknown) => log.warn({ err: error }, 'webhooks: not sent, trying again'))
      .finally(() => {
        working = undefined
        if (isAgain) {
          isAgain = false
          wake()
        }
      })
  }

  async function work(): Promise<void> {
    if ((await matchEvents(db, now())) === BATCH_SIZE) isAgain = true
    // The query may still return what is being recorded; a request that ends wakes once more.
    const busy = new Set(running.keys())
    for (const due of await dueDeliveries(db, now())) if (!busy.has(keyOf(due))) start(due)
  }

  function start(due: DueDelivery): void {
    const key = keyOf(due)
    const ofWebhook = running.values().filter(({ webhookId }) => webhookId === due.webhookId)
    if (running.has(key) || running.size >= CONCURRENCY.total) return
    if (ofWebhook.toArray().length >= CONCURRENCY.perWebhook) return
    const done = attempt(due)
      .catch((error: unknown) => log.warn({ err: error }, 'webhooks: an attempt was not recorded, trying again'))
      .finally(() => {
        running.delete(key)
        wake()
      })
    running.set(key, { webhookId: due.webhookId, done })
  }

  async function attempt(due: DueDelivery): Promise<void> {
    const webhook = await webhookById(db, due.webhookId)
    if (!webhook) return
    const result = await post(webhook, due).catch((error: unknown) => ({ status: null, error: reasonOf(error) }))
    // Stopped while sending: the next leader sends it again.
    if (stopping.signal.aborted && result.status === null) return
    await record(webhook, due, result)
  }

  async function post(webhook: WebhookRow, due: DueDelivery): Promise<{ status: number; error: string | null }> {
    const secrets = secretKey ? secretsOf(secretKey, webhook, now()) : []
    if (secrets.length === 0) throw new Error('The secret cannot be read: SECRET_KEY has changed')
    const body = await composeBody(db, due, webhook.plates)
    const signed = signedHeaders(secrets, eventIdOf(due.eventId), now(), body)
    const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'Rogatka' }
    const status = await sender.post(webhook.url, headers, body, stopping.signal)
    const isDone = status >= 200 && status < 300
    return { status, error: isDone ? null : `Status ${status}` }
  }

  async function record(webhook: WebhookRow, due: DueDelivery, { status, error }: Result): Promise<void> {
    const at = now()
    if (error === null) {
      await recordAttempt(db, due, { state: 'done', status, error, nextAt: null }, at)
      return
    }
    if (status === GONE) {
      await recordAttempt(db, due, { state: 'failed', status, error, nextAt: null }, at)
      await setEnded(db, webhook.id, at)
      await dropPending(db, webhook.id)
      return
    }
    const nextAt = nextAttemptAt(due.attempts + 1, at)
    if (nextAt) return void (await recordAttempt(db, due, { state: 'pending', status, error, nextAt }, at))
    // Where others arrived meanwhile, it is this event that is refused. Else the receiver is away, and nothing is lost.
    const isReceiving = await hasDeliveredSince(db, webhook.id, due.createdAt)
    await recordAttempt(db, due, { state: isReceiving ? 'failed' : 'pending', status, error, nextAt: at }, at)
    if (isReceiving) return
    await db.transaction(async (db) => {
      await setPaused(db, webhook.id, null, at)
      await auditAsSystem(db, at, { action: 'webhook-paused', subject: webhook.name })
    })
  }

  const timer = setInterval(wake, TICK_MS).unref()
  wake()
  return {
    onNotify: wake,
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await working
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

const keyOf = ({ webhookId, locationId }: DueDelivery): string => `${webhookId}/${locationId}`

type Result = { status: number | null; error: string | null }

/** What an administrator reads of a failure. */
const reasonOf = (error: unknown): string => (error as Error).message.slice(0, 300)

/** Turns new events into deliveries of the subscriptions that want them. Returns their number. */
async function matchEvents(db: Pool, now: Date): Promise<number> {
  return db.transaction(async (db) => {
    const events = await takeNewEvents(db, BATCH_SIZE)
    if (events.length === 0) return 0
    const subscriptions = (await webhooks(db)).filter(({ endedAt }) => endedAt === null)
    const wanted = events.flatMap((event) =>
      subscriptions.filter((it) => wantsEvent(it, event)).map(({ id }) => ({ webhookId: id, event })),
    )
    if (wanted.length > 0) await insertDeliveries(db, wanted, now)
    return events.length
  })
}
