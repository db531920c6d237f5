import type { Webhook } from '@rogatka/contract/webhooks.ts'
import * as endpoints from '@rogatka/contract/webhooks.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { webhookError } from '@rogatka/domain/webhooks/grants.ts'
import { wantsEvent } from '@rogatka/domain/webhooks/match.ts'
import type { z } from 'zod'
import { audit } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import { eventsBetween, insertTestEvent } from '../core/webhook-events.ts'
import { requireLocations } from '../locations/public-api.ts'
import { type Caller, changeAccounts } from '../roles/public-api.ts'
import { type DeliverySummary, deliverySummaries, insertDeliveries, latestDeliveries } from './delivery-queries.ts'
import {
  deleteWebhook,
  insertWebhook,
  lockWebhook,
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
import { encryptSecret } from './secrets.ts'
import { eventIdOf, newWebhookSecret } from './signature.ts'

/** How long a former secret signs, too. */
const ROTATION_MS = 24 * HOUR_MS
/** Events of a replay that are read at a time. */
const REPLAY_BATCH = 1_000

type Body = z.output<typeof endpoints.addWebhook.body>
type ById = Pick<Call<typeof endpoints.pauseWebhook>, 'session' | 'params' | 'now' | 'request'>

const stateOf = ({ endedAt, pausedAt, pausedBy }: WebhookRow): Webhook['state'] => {
  if (endedAt) return 'ended'
  return pausedAt === null ? 'active' : pausedBy === null ? 'stopped' : 'paused'
}

function toWebhook(row: WebhookRow, permissions: readonly string[], summaries: readonly DeliverySummary[], now: Date) {
  const { id, name, url, events, locationIds, ctg8p1, minExcess, plates, version } = row
  const {
    pending = 0,
    failed = 0,
    lastDeliveredAt = null,
    lastError = null,
  } = summaries.find(({ webhookId }) => webhookId === id) ?? {}
  const previousSecretUntil = row.previousUntil && row.previousUntil > now ? row.previousUntil : null
  return {
    ...{ id, name, url, events, locationIds, ctg8p1, minExcess, plates, version },
    ...{ pending, failed, lastDeliveredAt, lastError, previousSecretUntil },
    state: stateOf(row),
    created: { at: row.createdAt, by: row.createdBy },
    manageable: webhookError(permissions, row) === null,
  } satisfies Webhook
}

/** The fields of a subscription kept in the audit log. */
const auditedFields = ({ name, url, events, locationIds, ctg8p1, minExcess, plates }: WebhookValues) => ({
  name,
  address: url,
  events,
  locations: locationIds,
  ctg8p1,
  minExcess,
  withPlates: plates,
})

/** Refuses a subscription to what the caller may not read. */
function checkRights({ permissions }: Pick<Caller, 'permissions'>, sent: Pick<WebhookRow, 'events' | 'plates'>): void {
  const error = webhookError(permissions, sent)
  if (error) throw new Refusal(error, 403, error === 'anonymization-stays' ? 'plates' : 'events')
}

async function lockManageable(db: Database, caller: Caller, id: number): Promise<WebhookRow> {
  const row = await lockWebhook(db, id)
  if (!row) throw new Refusal('webhook-not-found', 404)
  checkRights(caller, row)
  return row
}

const checkValues = async (db: Database, body: Body): Promise<WebhookValues> => ({
  ...body,
  events: endpoints.webhookEvents.filter((event) => body.events.includes(event)),
  locationIds: body.locationIds && (await requireLocations(db, body.locationIds)),
})

/** Registers the routes of subscriptions to webhooks. Rights to them: domain/webhooks/grants.ts. */
export function webhooksRoutes(api: Api): void {
  const { secretKey } = api.config
  const requireKey = (): Buffer => {
    if (!secretKey) throw new Refusal('webhook-secrets-cannot-be-kept', 422)
    return secretKey
  }

  route(api, endpoints.listWebhooks, async ({ db, session, now }) => {
    const [rows, summaries] = await Promise.all([webhooks(db), deliverySummaries(db)])
    return rows.map((row) => toWebhook(row, session.permissions, summaries, now))
  })

  const readOne = async (db: Database, id: number, permissions: readonly string[], now: Date): Promise<Webhook> => {
    const row = await webhookById(db, id)
    if (!row) throw new Refusal('webhook-not-found', 404)
    return toWebhook(row, permissions, await deliverySummaries(db), now)
  }

  route(api, endpoints.readWebhook, ({ db, params, session, now }) => readOne(db, params.id, session.permissions, now))

  route(api, endpoints.deliveries, async ({ db, params }) => {
    if (!(await webhookById(db, params.id))) throw new Refusal('webhook-not-found', 404)
    const rows = await latestDeliveries(db, params.id, endpoints.MAX_DELIVERIES)
    return rows.map(({ eventId, locationId, nextAt, ...row }) => ({
      ...row,
      eventId: eventIdOf(eventId),
      locationId: locationId || null,
      nextAt: row.state === 'pending' ? nextAt : null,
    }))
  })

  route(api, endpoints.addWebhook, (call) => {
    const { now, session, body } = call
    const [key, secret] = [requireKey(), newWebhookSecret()]
    const work = async (db: Database, caller: Caller) => {
      checkRights(caller, body)
      const values = await checkValues(db, body)
      const id = await nextWebhookId(db)
      const row = { ...values, id, secret: encryptSecret(key, secret, id), createdBy: session.username }
      await insertWebhook(db, row, now)
      await audit(db, call, { action: 'webhook-added', subject: values.name, after: auditedFields(values) })
      return { webhook: await readOne(db, id, caller.permissions, now), secret }
    }
    return changeAccounts(api, session, ['Exchange'], work, [])
  })

  /** Changes a subscription in a transaction, after which the leader continues. */
  const changeOne = <T>(
    { session, params, now }: ById,
    apply: (db: Database, before: WebhookRow, caller: Caller) => Promise<T>,
  ): Promise<{ webhook: Webhook; result: T }> =>
    changeAccounts(
      api,
      session,
      ['Exchange'],
      async (db, caller) => {
        const result = await apply(db, await lockManageable(db, caller, params.id), caller)
        await notifySender(db)
        return { webhook: await readOne(db, params.id, caller.permissions, now), result }
      },
      [],
    )

  route(api, endpoints.changeWebhook, async (call) => {
    const { version, ...body } = call.body
    const { webhook } = await changeOne(call, async (db, before, caller) => {
      checkRights(caller, body)
      if (version !== undefined && version !== before.version) throw new Refusal('changed-meanwhile', 409)
      const values = await checkValues(db, body)
      await updateWebhook(db, before.id, values)
      const [was, is] = [auditedFields(before), auditedFields(values)]
      await audit(db, call, { action: 'webhook-changed', subject: values.name, before: was, after: is })
    })
    return webhook
  })

  route(api, endpoints.removeWebhook, async (call) => {
    const { session, params } = call
    const work = async (db: Database) => {
      // Whoever manages webhooks may end what they may not read.
      const before = await lockWebhook(db, params.id)
      if (!before) throw new Refusal('webhook-not-found', 404)
      await deleteWebhook(db, before.id)
      await audit(db, call, { action: 'webhook-deleted', subject: before.name, before: auditedFields(before) })
    }
    await changeAccounts(api, session, ['Exchange'], work, [])
  })

  route(api, endpoints.rotateSecret, async (call) => {
    const [key, secret] = [requireKey(), newWebhookSecret()]
    const { webhook } = await changeOne(call, async (db, { id, name }) => {
      await setSecret(db, id, encryptSecret(key, secret, id), new Date(call.now.getTime() + ROTATION_MS))
      await audit(db, call, { action: 'webhook-secret-renewed', subject: name })
    })
    return { webhook, secret }
  })

  route(api, endpoints.pauseWebhook, async (call) => {
    const { webhook } = await changeOne(call, async (db, { id, name, pausedAt }) => {
      if (pausedAt) return
      await setPaused(db, id, call.session.username, call.now)
      await audit(db, call, { action: 'webhook-paused', subject: name })
    })
    return webhook
  })

  route(api, endpoints.resumeWebhook, async (call) => {
    const { webhook } = await changeOne(call, async (db, { id, name }) => {
      await setResumed(db, id, call.now)
      await audit(db, call, { action: 'webhook-resumed', subject: name })
    })
    return webhook
  })

  route(api, endpoints.testWebhook, async (call) => {
    const { webhook } = await changeOne(call, async (db, { id }) => {
      const event = await insertTestEvent(db, endpoints.TEST_EVENT, call.now)
      await insertDeliveries(db, [{ webhookId: id, event }], call.now)
    })
    return webhook
  })

  route(api, endpoints.replayWebhook, async (call) => {
    const { from, until } = call.body
    const range = { from, until: until ?? call.now }
    if (range.from >= range.until) throw new Refusal('start-after-end', 422, 'from')
    const { result } = await changeOne(call, async (db, row) => {
      let count = 0
      for (let after = 0, isMore = true; isMore; ) {
        const events = await eventsBetween(db, range, after, REPLAY_BATCH)
        const wanted = events.filter((event) => wantsEvent(row, event)).map((event) => ({ webhookId: row.id, event }))
        if (wanted.length > 0) await insertDeliveries(db, wanted, call.now)
        count += wanted.length
        after = events.at(-1)?.position ?? after
        isMore = events.length === REPLAY_BATCH
      }
      const after = { from: range.from, to: range.until, totalCount: count }
      await audit(db, call, { action: 'webhook-replayed', subject: row.name, after })
      return count
    })
    return { events: result }
  })
}
