import { hash } from 'node:crypto'
import { TEST_EVENT } from '@rogatka/contract/webhooks.ts'
import { nextAttemptAt } from '@rogatka/domain/webhooks/schedule.ts'
import type { FastifyBaseLogger } from 'fastify'
import { auditAsSystem } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { deleteInBatches } from '../core/delete-batches.ts'
import { type Leadership, runAsLeader } from '../core/leader.ts'
import { LOCKS } from '../core/locks.ts'
import { type Look, type LookSource, shownOf } from '../core/look.ts'
import { rootSpan } from '../core/spans.ts'
import type { Trail } from '../core/trail.ts'
import { takeNewEvents, WEBHOOK_CHANNEL } from '../core/webhook-events.ts'
import { composeBody } from './compose.ts'
import {
  allHeads,
  type DueDelivery,
  deleteDeliveries,
  dueDelivery,
  findHead,
  type Head,
  insertNewDeliveries,
  recordAttempt,
} from './delivery-queries.ts'
import { INACTIVE_MAIL, notifyManagers } from './messages.ts'
import {
  CHANGED,
  deletedWebhooks,
  deleteWebhook,
  notifySender,
  setInactive,
  setLastAttempt,
  type WebhookRow,
  webhookById,
} from './queries.ts'
import { secretsOf } from './secrets.ts'
import { DeliveryFailure, type WebhookSender } from './send.ts'
import { eventIdOf, signedHeaders } from './signature.ts'

/** For retries that are due, and notifications that were lost. */
const TICK_MS = 1_000
/** After so many ticks all that waits is read again. */
const READ_TICKS = 60
/** Events that are matched at a time. */
const BATCH_SIZE = 1_000
/** Concurrent requests to one receiver, to one that did not answer the latest one, and to all. */
const CONCURRENCY = { perWebhook: 4, silent: 1, total: 32 }
/** After a fault of the portal itself a station is not tried for this time. */
const HOLD_MS = 2_000
const GONE = 410

type Context = {
  db: Pool
  sender: WebhookSender
  secretKey: Buffer | null
  /** Access trail, which records the plates that are sent. */
  trail: Pick<Trail, 'recordVisit'>
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Matches events with the subscriptions and sends them, as leader: one process at a time, so that the events of a
 * station stay in order. What is to be sent is in the database, so that another process continues.
 */
export const runWebhooks = (context: Context): { stop: () => Promise<void> } =>
  runAsLeader(context.db, { lock: LOCKS.webhooks, channel: WEBHOOK_CHANNEL }, () => startSending(context))

function startSending({ db, sender, secretKey, trail, now, log }: Context): Leadership {
  const stopping = new AbortController()
  /** First pending deliveries by subscription and station; only `work` changes them, of which one runs at a time. */
  let heads = new Map<string, Head>()
  /** All heads have to be read again. */
  let isStale = true
  /** Subscriptions and stations whose head has to be read again. */
  const staleStations = new Map<string, Station>()
  /** Requests by subscription and station. */
  const running = new Map<string, { webhookId: number; done: Promise<void> }>()
  /** Subscriptions and stations that are not tried for a while. */
  const heldStations = new Set<string>()
  /** Subscriptions whose receiver did not answer the latest request. */
  const silent = new Set<number>()
  /** Subscriptions whose secret cannot be read, which were logged. */
  const unreadable = new Set<number>()
  let hasMoreWork = false
  let working: Promise<void> | undefined
  let deleting: Promise<void> | undefined

  /** Works now, or once more after the present run. */
  const wake = () => {
    if (stopping.signal.aborted) return
    if (working) {
      hasMoreWork = true
      return
    }
    working = work()
      .catch((error: unknown) => log.warn({ err: error }, 'webhooks: not sent, trying again'))
      .finally(() => {
        working = undefined
        if (hasMoreWork) {
          hasMoreWork = false
          wake()
        }
      })
  }

  async function work(): Promise<void> {
    const { count, stations } = await matchEvents(db, now())
    if (count === BATCH_SIZE) hasMoreWork = true
    for (const station of stations) if (!heads.has(keyOf(station))) staleStations.set(keyOf(station), station)
    if (isStale) await readHeads()
    else for (const [key, station] of [...staleStations]) await readHead(key, station)
    for (const head of roundRobin([...heads.values()].filter(({ nextAt }) => nextAt <= now()))) start(head)
    deleting ??= deleteRemoved()
      .catch((error: unknown) => log.warn({ err: error }, 'webhooks: not deleted, trying again'))
      .finally(() => {
        deleting = undefined
      })
  }

  async function readHeads(): Promise<void> {
    isStale = false
    staleStations.clear()
    try {
      heads = new Map((await allHeads(db)).map((head) => [keyOf(head), head]))
    } catch (error) {
      isStale = true
      throw error
    }
  }

  async function readHead(key: string, station: Station): Promise<void> {
    // Before the query: an attempt that ends meanwhile has to be read again.
    staleStations.delete(key)
    const head = await findHead(db, station).catch((error: unknown) => {
      staleStations.set(key, station)
      throw error
    })
    if (head) heads.set(key, head)
    else heads.delete(key)
  }

  /** Deletes subscriptions that were removed, once none of their requests is running; beside sending, as it may take long. */
  async function deleteRemoved(): Promise<void> {
    for (const { id } of await deletedWebhooks(db)) {
      if (running.values().some(({ webhookId }) => webhookId === id)) continue
      await deleteInBatches((limit) => (stopping.signal.aborted ? Promise.resolve(0) : deleteDeliveries(db, id, limit)))
      if (!stopping.signal.aborted) await deleteWebhook(db, id)
    }
  }

  function start(head: Head): void {
    if (stopping.signal.aborted) return
    const key = keyOf(head)
    const { webhookId } = head
    const ofWebhook = running.values().filter((it) => it.webhookId === webhookId)
    if (running.has(key) || heldStations.has(key) || running.size >= CONCURRENCY.total) return
    if (ofWebhook.toArray().length >= CONCURRENCY[silent.has(webhookId) ? 'silent' : 'perWebhook']) return
    const done = rootSpan('webhook attempt', { 'rogatka.webhook_id': webhookId }, () => attempt(head))
      .catch((error: unknown) => {
        log.warn({ err: error, webhookId }, 'webhooks: an attempt failed in the portal itself, trying again')
        hold(key)
      })
      .finally(() => {
        running.delete(key)
        staleStations.set(key, head)
        wake()
      })
    running.set(key, { webhookId, done })
  }

  function hold(key: string): void {
    heldStations.add(key)
    const release = () => {
      heldStations.delete(key)
      wake()
    }
    setTimeout(release, HOLD_MS).unref()
  }

  /** @throws on a fault of the portal, which is no failure of the receiver and not counted */
  async function attempt(head: Head): Promise<void> {
    const [webhook, due] = await Promise.all([webhookById(db, head.webhookId), dueDelivery(db, head, now())])
    if (!webhook || webhook.pausedAt || webhook.endedAt || !due) return
    const secrets = secretKey ? secretsOf(secretKey, webhook, now()) : []
    if (secrets.length === 0) {
      if (!unreadable.has(webhook.id)) log.warn({ webhookId: webhook.id }, 'webhooks: secret not readable, not sent')
      unreadable.add(webhook.id)
      hold(keyOf(head))
      return
    }
    unreadable.delete(webhook.id)
    const { body, plate } = await composeBody(db, due, webhook.plates)
    if (stopping.signal.aborted) return
    if (plate !== null) await trail.recordVisit(lookSourceOf(webhook), lookAtPlate(webhook, plate))
    const signed = signedHeaders(secrets, eventIdOf(due), now(), body)
    const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'Rogatka' }
    const result = await post(webhook, headers, body)
    // Stopped while sending: the next leader sends it again.
    if (stopping.signal.aborted && result.status === null) return
    if (result.status === null) silent.add(webhook.id)
    else silent.delete(webhook.id)
    await db.transaction((db) => record(db, webhook, due, result))
  }

  async function post({ id, url }: WebhookRow, headers: Record<string, string>, body: string): Promise<Result> {
    try {
      const status = await sender.post(url, headers, body, stopping.signal)
      return { status, error: status >= 200 && status < 300 ? null : 'status' }
    } catch (error) {
      if (!(error instanceof DeliveryFailure)) throw error
      // Only here: the reason may disclose internal addresses.
      if (!stopping.signal.aborted) log.warn({ err: error, webhookId: id }, 'webhooks: not delivered')
      return { status: null, error: error.code }
    }
  }

  /** Records the outcome of an attempt in one transaction with what follows from it for the subscription. */
  async function record(db: Database, webhook: WebhookRow, due: DueDelivery, { status, error }: Result): Promise<void> {
    const at = now()
    const deliveredAt = await setLastAttempt(db, webhook.id, { status, error }, at)
    const set = (state: 'pending' | 'done' | 'failed', nextAt: Date | null = null) =>
      recordAttempt(db, due, { state, status, error, nextAt }, at)
    if (error === null) return void (await set('done'))
    if (due.type === TEST_EVENT) return void (await set('failed'))
    if (status === GONE) {
      await set('pending', at)
      return makeInactive(db, webhook, 'ended', at)
    }
    const nextAt = nextAttemptAt(due.attempts + 1, at)
    if (nextAt) return void (await set('pending', nextAt))
    // If other events were delivered since the previous attempt, this one is refused; else the receiver does not respond.
    const isReceiving = deliveredAt !== null && due.lastAt !== null && deliveredAt >= due.lastAt
    await set(isReceiving ? 'failed' : 'pending', at)
    if (!isReceiving) await makeInactive(db, webhook, 'stopped', at)
  }

  async function makeInactive(db: Database, webhook: WebhookRow, to: 'stopped' | 'ended', at: Date): Promise<void> {
    if (!(await setInactive(db, webhook, to, at))) return
    await notifySender(db)
    const action = to === 'ended' ? 'webhook-ended' : 'webhook-paused'
    await auditAsSystem(db, at, { action, subject: webhook.name })
    await notifyManagers(db, INACTIVE_MAIL, webhook, at)
    log.warn({ webhookId: webhook.id }, `webhooks: subscription ${to}`)
  }

  let ticks = 0
  const tick = () => {
    ticks += 1
    if (ticks % READ_TICKS === 0) isStale = true
    wake()
  }
  const timer = setInterval(tick, TICK_MS).unref()
  wake()
  return {
    onNotify: (payload) => {
      if (payload === CHANGED) isStale = true
      wake()
    },
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await working
      await deleting
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

/** The receiver of a subscription, as the access trail knows it. */
function lookSourceOf({ id, name }: WebhookRow): LookSource {
  const key = `webhook ${id}`
  const session = {
    key,
    tokenHash: hash('sha256', key, 'buffer'),
    userId: -id,
    username: name,
    permissions: [],
    roleId: null,
    webhookId: id,
  }
  return { session, ip: null, endpoint: { method: 'POST', path: '/webhooks/:id' } }
}

const lookAtPlate = ({ id }: WebhookRow, plate: string): Look => ({
  kind: 'webhook',
  criteria: { webhookId: id },
  results: 1,
  shown: shownOf([plate]),
})

type Station = Pick<Head, 'webhookId' | 'locationId'>

const keyOf = ({ webhookId, locationId }: Station): string => `${webhookId}/${locationId}`

/** Orders heads round-robin by subscription: the first due one of each, then the second of each, and so on. */
function roundRobin(due: readonly Head[]): Head[] {
  const turns = new Map<number, number>()
  const ranked = due
    .toSorted((a, b) => +a.nextAt - +b.nextAt || a.position - b.position)
    .map((head) => {
      const turn = turns.get(head.webhookId) ?? 0
      turns.set(head.webhookId, turn + 1)
      return { head, turn }
    })
  return ranked.toSorted((a, b) => a.turn - b.turn).map(({ head }) => head)
}

type Result = { status: number | null; error: DeliveryFailure['code'] | null }

/** Creates the deliveries of new events to the subscriptions that match. `count`: number of events. */
async function matchEvents(db: Pool, now: Date): Promise<{ count: number; stations: Station[] }> {
  return db.transaction(async (db) => {
    const ids = await takeNewEvents(db, BATCH_SIZE)
    return { count: ids.length, stations: ids.length > 0 ? await insertNewDeliveries(db, ids, now) : [] }
  })
}
