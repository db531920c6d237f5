import type { Webhook } from '@rogatka/contract/webhooks.ts'
import * as endpoints from '@rogatka/contract/webhooks.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { canReadEvent, webhookError } from '@rogatka/domain/webhooks/grants.ts'
import type { z } from 'zod'
import { audit } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { type ById, type Changer, createGrantedRows } from '../core/granted-rows.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { insertTestEvent } from '../core/webhook-events.ts'
import { requireLocations } from '../locations/public-api.ts'
import { changeAccounts } from '../roles/public-api.ts'
import { createAddressCheck } from './addresses.ts'
import {
  type DeliveryCounts,
  deliveryCounts,
  insertReplay,
  insertTest,
  latestDeliveries,
  retryPending,
} from './delivery-queries.ts'
import { RETENTION_DAYS } from './maintenance.ts'
import {
  insertWebhook,
  lockWebhook,
  markDeleted,
  nextWebhookId,
  notifySender,
  setPaused,
  setResumed,
  setSecret,
  updateWebhook,
  type WebhookRow,
  type WebhookValues,
  webhookById,
  webhooks,
} from './queries.ts'
import { encryptSecret, secretsOf } from './secrets.ts'
import { hasRefusedAddress } from './send.ts'
import { eventIdOf, newWebhookSecret } from './signature.ts'

/** How long a former secret signs, too. */
const ROTATION_MS = DAY_MS

type Body = z.output<typeof endpoints.addWebhook.body>

function stateOf(row: WebhookRow, secretKey: Buffer | null, now: Date): Webhook['state'] {
  if (row.endedAt) return 'ended'
  if (row.pausedAt) return row.pausedBy === null ? 'stopped' : 'paused'
  return secretKey && secretsOf(secretKey, row, now).length > 0 ? 'active' : 'unreadable'
}

/** An address as others than its managers read it: some receivers expect a secret in the query. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

type Viewer = { permissions: readonly string[]; secretKey: Buffer | null; now: Date }

function toWebhook(row: WebhookRow, counts: readonly DeliveryCounts[], { permissions, secretKey, now }: Viewer) {
  const { id, name, url, events, locationIds, ctg8p1, minExcess, plates, version } = row
  const { lastDeliveredAt, lastError, lastStatus } = row
  const { pending = 0, pendingSince = null, failed = 0 } = counts.find(({ webhookId }) => webhookId === id) ?? {}
  const manageable = webhookError(permissions, row) === null
  const previousSecretUntil = row.previousUntil && row.previousUntil > now ? row.previousUntil : null
  return {
    url: manageable ? url : withoutQuery(url),
    ...{ id, name, events, locationIds, ctg8p1, minExcess, plates, version },
    ...{ pending, pendingSince, failed, lastDeliveredAt, lastError, lastStatus, previousSecretUntil },
    state: stateOf(row, secretKey, now),
    created: { at: row.createdAt, by: row.createdBy },
    manageable,
  } satisfies Webhook
}

/** The fields of a subscription kept in the audit log. */
const auditedFields = ({ name, url, events, locationIds, ctg8p1, minExcess, plates }: WebhookValues) => ({
  name,
  address: withoutQuery(url),
  events,
  locations: locationIds,
  ctg8p1,
  minExcess,
  withPlates: plates,
})

/** Refuses a subscription to what the caller may not read. */
function checkRights({ permissions }: Pick<Changer, 'permissions'>, sent: Pick<WebhookRow, 'events' | 'plates'>): void {
  const error = webhookError(permissions, sent)
  if (error) throw new Refusal(error, 403, error === 'anonymization-stays' ? 'plates' : 'events')
}

const checkValues = async (db: Database, body: Body): Promise<WebhookValues> => ({
  ...body,
  events: endpoints.webhookEvents.filter((event) => body.events.includes(event)),
  locationIds: body.locationIds && (await requireLocations(db, body.locationIds)),
})

/** Registers the routes of subscriptions to webhooks. Rights to them: domain/webhooks/grants.ts. */
export function webhooksRoutes(api: Api): void {
  const { secretKey, webhookAllow } = api.config
  const isAllowed = createAddressCheck(webhookAllow)
  const checkAddress = (url: string): void => {
    if (hasRefusedAddress(url, isAllowed)) throw new Refusal('webhook-address-refused', 422, 'url')
  }
  const requireKey = (): Buffer => {
    if (!secretKey) throw new Refusal('webhook-secrets-cannot-be-kept', 422)
    return secretKey
  }

  route(api, endpoints.listWebhooks, async ({ db, session, now }) => {
    const all = await webhooks(db)
    const counts = await deliveryCounts(
      db,
      all.map(({ id }) => id),
    )
    return all.map((row) => toWebhook(row, counts, { permissions: session.permissions, secretKey, now }))
  })

  const rows = createGrantedRows<WebhookRow, Webhook>({
    ...{ noun: 'webhook', byId: webhookById, lock: lockWebhook, checkRights, notifyChange: notifySender },
    runChange: (session, work) => changeAccounts(api, session, ['Exchange'], work, []),
    toWire: async (db, row, { permissions }, now) =>
      toWebhook(row, await deliveryCounts(db, [row.id]), { permissions, secretKey, now }),
  })

  const readOne = async (db: Database, id: number, permissions: readonly string[], now: Date): Promise<Webhook> =>
    toWebhook(await rows.find(db, id), await deliveryCounts(db, [id]), { permissions, secretKey, now })

  route(api, endpoints.readWebhook, ({ db, params, session, now }) => readOne(db, params.id, session.permissions, now))

  route(api, endpoints.deliveries, async ({ db, session, params }) => {
    checkRights(session, await rows.find(db, params.id))
    // The subscription may have had other events before.
    const readable = endpoints.webhookEvents.filter((event) => canReadEvent(session.permissions, event))
    const latest = await latestDeliveries(db, params.id, readable, endpoints.MAX_DELIVERIES)
    return latest.map(({ eventId, hasTimeInId, locationId, nextAt, ...row }) => ({
      ...row,
      eventId: eventIdOf({ eventId, hasTimeInId, createdAt: row.at }),
      locationId: locationId || null,
      nextAt: row.state === 'pending' ? nextAt : null,
    }))
  })

  route(api, endpoints.addWebhook, (call) => {
    const { now, session, body } = call
    const [key, secret] = [requireKey(), newWebhookSecret()]
    const work = async (db: Database, caller: Changer) => {
      checkRights(caller, body)
      checkAddress(body.url)
      const values = await checkValues(db, body)
      if ((await webhooks(db)).length >= endpoints.MAX_WEBHOOKS) throw new Refusal('too-many-webhooks', 422)
      const id = await nextWebhookId(db)
      const row = { ...values, id, secret: encryptSecret(key, secret, id), createdBy: session.username }
      await insertWebhook(db, row, now)
      await audit(db, call, { action: 'webhook-added', subject: values.name, after: auditedFields(values) })
      return { webhook: await readOne(db, id, caller.permissions, now), secret }
    }
    return changeAccounts(api, session, ['Exchange'], work, [])
  })

  /** Changes a subscription in a transaction, after which the leader continues. */
  const changeOne = async <T>(
    call: ById,
    apply: (db: Database, before: WebhookRow, caller: Changer) => Promise<T>,
  ): Promise<Webhook> => {
    const { changed } = await rows.changeOne(call, async (db, caller) =>
      apply(db, await rows.lockManageable(db, caller, call.params.id), caller),
    )
    return changed
  }

  route(api, endpoints.changeWebhook, async (call) => {
    const { version, ...body } = call.body
    const webhook = await changeOne(call, async (db, before, caller) => {
      checkRights(caller, body)
      rows.checkVersion(before, version)
      if (body.url !== before.url) checkAddress(body.url)
      const values = await checkValues(db, body)
      await updateWebhook(db, before.id, values)
      if (values.url !== before.url) await retryPending(db, before.id, call.now)
      const [was, is] = [auditedFields(before), auditedFields(values)]
      await audit(db, call, { action: 'webhook-changed', subject: values.name, before: was, after: is })
    })
    return webhook
  })

  route(api, endpoints.removeWebhook, async (call) => {
    const { session, params } = call
    const work = async (db: Database) => {
      // Whoever manages webhooks may end what they may not read.
      const before = await rows.lock(db, params.id)
      await markDeleted(db, before.id, call.now)
      await notifySender(db)
      await audit(db, call, { action: 'webhook-deleted', subject: before.name, before: auditedFields(before) })
    }
    await changeAccounts(api, session, ['Exchange'], work, [])
  })

  route(api, endpoints.rotateSecret, async (call) => {
    const [key, secret] = [requireKey(), newWebhookSecret()]
    const webhook = await changeOne(call, async (db, { id, name }) => {
      await setSecret(db, id, encryptSecret(key, secret, id), new Date(call.now.getTime() + ROTATION_MS))
      await audit(db, call, { action: 'webhook-secret-renewed', subject: name })
    })
    return { webhook, secret }
  })

  route(api, endpoints.pauseWebhook, async (call) => {
    const webhook = await changeOne(call, async (db, { id, name, pausedAt }) => {
      if (pausedAt) return
      await setPaused(db, id, call.session.username, call.now)
      await audit(db, call, { action: 'webhook-paused', subject: name })
    })
    return webhook
  })

  route(api, endpoints.resumeWebhook, async (call) => {
    const webhook = await changeOne(call, async (db, { id, name }) => {
      await setResumed(db, id, call.now)
      await audit(db, call, { action: 'webhook-resumed', subject: name })
    })
    return webhook
  })

  route(api, endpoints.testWebhook, async (call) => {
    const webhook = await changeOne(call, async (db, { id, name }) => {
      await insertTest(db, id, await insertTestEvent(db, endpoints.TEST_EVENT, call.now), call.now)
      await audit(db, call, { action: 'webhook-tested', subject: name })
    })
    return webhook
  })

  route(api, endpoints.replayWebhook, async (call) => {
    const { body, now, db } = call
    const oldest = new Date(now.getTime() - RETENTION_DAYS * DAY_MS)
    const range = { from: body.from > oldest ? body.from : oldest, until: body.until ?? now }
    if (range.from >= range.until) throw new Refusal('start-after-end', 422, 'from')
    const webhook = await changeOne(call, (db, { name }) =>
      audit(db, call, { action: 'webhook-replayed', subject: name, after: { from: range.from, to: range.until } }),
    )
    // In a transaction of its own: it may insert many rows, and nobody should wait for it.
    const events = await insertReplay(db, webhook.id, range, now)
    await notifySender(db)
    return { events }
  })
}
