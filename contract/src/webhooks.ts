import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { instant, queryId, requiredText } from './wire.ts'

/** Types of events. */
export const webhookEvents = [
  'vehicle.overloaded',
  'wanted.hit',
  'inspection.closed',
  'sign.changed',
  'station.health',
  'certificate.ending',
] as const
export type WebhookEventType = (typeof webhookEvents)[number]

/** Sent on request, to test a subscription. */
export const TEST_EVENT = 'webhook.test'

/** Secrets begin with this, as Standard Webhooks says; what follows is base64. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_'

const missing = ({ input }: { input?: unknown }) => (input == null ? 'required-parameter-missing' : 'invalid-value')

const address = z
  .string({ error: missing })
  .trim()
  .min(1, 'required-parameter-missing')
  .max(500, 'text-too-long')
  .refine((text) => isHttps(text), { message: 'webhook-address-not-https', when: ({ issues }) => issues.length === 0 })

function isHttps(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return protocol === 'https:' && username === '' && password === '' && hash === ''
}

const list = <T extends z.ZodType>(item: T, max: number) =>
  z.array(item, { error: missing }).min(1, 'required-parameter-missing').max(max, 'list-too-long')

/** Maximum number of subscriptions: silent receivers leave requests to the others. */
export const MAX_WEBHOOKS = 30

/** An event that waits longer is late: those who manage webhooks get a mail, and screens mark the subscription. */
export const MAX_WAIT_MINUTES = 15

/** What is sent, and where to. */
const subscription = {
  name: requiredText(60),
  url: address,
  events: list(z.enum(webhookEvents, 'unknown-option'), webhookEvents.length),
  /** Null: all stations, also events of none. */
  locationIds: list(z.int().positive(), 1_000).nullable(),
  /** Classes [8+1] of overloaded vehicles; null: all. */
  ctg8p1: list(z.int().min(0).max(99), 20).nullable(),
  /** The least excess of overloaded vehicles, in percent: of the worst of single axle, axle group and gross weight; null: any. */
  minExcess: z.number().min(0).max(1_000, 'value-too-large').nullable(),
  /** Events have plates and nationalities. */
  plates: z.boolean(),
}

const newWebhook = z.object(subscription)
export type WireNewWebhook = z.input<typeof newWebhook>

/**
 * `stopped`: by the portal, as nothing could be delivered; `ended`: the receiver said that it is gone (410); `unreadable`:
 * its secret cannot be decrypted, so nothing is sent.
 */
export const webhookStates = ['active', 'paused', 'stopped', 'ended', 'unreadable'] as const
export type WebhookState = (typeof webhookStates)[number]

/**
 * Why an attempt failed. `name-not-found`: also a name whose address is not allowed; `address-refused`: an address that is
 * not; `status`: a response other than 2xx.
 */
export const deliveryErrors = [
  'name-not-found',
  'address-refused',
  'not-reachable',
  'certificate',
  'timeout',
  'closed',
  'status',
] as const
export type DeliveryError = (typeof deliveryErrors)[number]

export const webhook = z.object({
  ...subscription,
  /** Without its query unless the caller may change it. */
  url: z.string(),
  id: z.int(),
  state: z.enum(webhookStates),
  created: z.object({ at: instant, by: z.string() }),
  /** Until when the former secret signs, too; null: there is none. */
  previousSecretUntil: instant.nullable(),
  /** Events that are not delivered yet, and those given up. */
  pending: z.int(),
  failed: z.int(),
  /** Since when the oldest of those waits that are not delivered; null: none. Those sent again wait since then. */
  pendingSince: instant.nullable(),
  /** The latest delivery; null: none. */
  lastDeliveredAt: instant.nullable(),
  /** Why the latest attempt failed; null: it did not. */
  lastError: z.enum(deliveryErrors).nullable(),
  /** Status of its response; null: none. */
  lastStatus: z.int().nullable(),
  /** The caller may read all that it sends, so may change it. */
  manageable: z.boolean(),
  /** Version for optimistic locking: must be sent with a change. */
  version: z.int(),
})
export type Webhook = z.output<typeof webhook>
export type WireWebhook = z.input<typeof webhook>

export const deliveryStates = ['pending', 'done', 'failed'] as const

const delivery = z.object({
  /** The header `webhook-id`, which is the same at every attempt. */
  eventId: z.string(),
  type: z.string(),
  at: instant,
  /** Null: of no station. */
  locationId: z.int().nullable(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  lastAt: instant.nullable(),
  lastStatus: z.int().nullable(),
  lastError: z.enum(deliveryErrors).nullable(),
  /** When the next attempt is due; null: none is. */
  nextAt: instant.nullable(),
})
export type WireDelivery = z.input<typeof delivery>

/** The secret is in this response only. */
const withSecret = z.object({ webhook, secret: z.string() })

const byId = z.object({ id: queryId })

/** Deliveries of a list. */
export const MAX_DELIVERIES = 50

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/webhooks',
  access: 'Exchange',
  summary: 'Lists subscriptions to webhooks by name, with the state of their deliveries',
  response: z.array(webhook),
})

export const readWebhook = endpoint({
  method: 'GET',
  path: '/webhooks/:id',
  access: 'Exchange',
  summary: 'Returns a subscription',
  params: byId,
  response: webhook,
})

export const addWebhook = endpoint({
  method: 'POST',
  path: '/webhooks',
  access: 'Exchange',
  summary: 'Adds a subscription and returns its secret, once; it is sent no more than the caller may read',
  stepUp: 'recent',
  body: newWebhook,
  response: withSecret,
})

export const changeWebhook = endpoint({
  method: 'PUT',
  path: '/webhooks/:id',
  access: 'Exchange',
  summary: 'Changes a subscription; events that wait are sent to a new address at once',
  stepUp: 'recent',
  params: byId,
  body: newWebhook.extend({ version: z.int().optional() }),
  response: webhook,
})

export const removeWebhook = endpoint({
  method: 'DELETE',
  path: '/webhooks/:id',
  access: 'Exchange',
  summary: 'Deletes a subscription with its deliveries',
  stepUp: 'recent',
  params: byId,
})

export const rotateSecret = endpoint({
  method: 'POST',
  path: '/webhooks/:id/secret',
  access: 'Exchange',
  summary: 'Replaces the secret and returns the new one, once; the former signs, too, for 24 hours',
  stepUp: 'recent',
  params: byId,
  response: withSecret,
})

export const pauseWebhook = endpoint({
  method: 'POST',
  path: '/webhooks/:id/pause',
  access: 'Exchange',
  summary: 'Pauses the deliveries of a subscription; its events are kept',
  params: byId,
  response: webhook,
})

export const resumeWebhook = endpoint({
  method: 'POST',
  path: '/webhooks/:id/resume',
  access: 'Exchange',
  summary: 'Continues the deliveries of a subscription that was paused, stopped or ended, with a first attempt at once',
  stepUp: 'recent',
  params: byId,
  response: webhook,
})

export const testWebhook = endpoint({
  method: 'POST',
  path: '/webhooks/:id/test',
  access: 'Exchange',
  summary: 'Sends an event `webhook.test` to a subscription, once and outside the order',
  params: byId,
  response: webhook,
})

export const replayWebhook = endpoint({
  method: 'POST',
  path: '/webhooks/:id/replay',
  access: 'Exchange',
  summary: 'Sends all events of a range again, with the same ids, in their order; returns their number',
  stepUp: 'recent',
  params: byId,
  body: z.object({
    from: instant,
    /** Default: now. */
    until: instant.nullish(),
  }),
  response: z.object({ events: z.int() }),
})

export const deliveries = endpoint({
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  access: 'Exchange',
  summary: 'Lists the latest deliveries of a subscription whose events the caller may read, newest first',
  params: byId,
  response: z.array(delivery),
})
