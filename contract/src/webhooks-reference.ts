import type { z } from 'zod'
import type { WireOf } from './endpoint.ts'
import { reference } from './reference.ts'
import * as webhooks from './webhooks.ts'

const webhookExample: z.input<typeof webhooks.webhook> = {
  name: 'GITD',
  url: 'https://127.0.0.1:41039/events',
  events: ['vehicle.overloaded'],
  locationIds: [7],
  ctg8p1: [3],
  minExcess: 10,
  plates: false,
  id: 1,
  state: 'active',
  created: { at: '2026-10-20T08:00:00.000Z', by: 'a.lipa' },
  previousSecretUntil: null,
  pending: 0,
  pendingSince: null,
  failed: 0,
  lastDeliveredAt: '2026-10-20T08:00:00.000Z',
  lastError: null,
  lastStatus: 204,
  manageable: true,
  version: 1,
}

const addWebhookExample: WireOf<typeof webhooks.addWebhook, 'response'> = {
  webhook: webhookExample,
  secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
}

export const webhooksReference = reference('Webhooks', webhooks, {
  addWebhook: {
    errors: {
      400: ['webhook-address-not-https'],
      403: ['anonymization-stays', 'right-not-held'],
      409: ['webhook-name-taken'],
      422: ['location-not-found', 'too-many-webhooks', 'webhook-address-refused', 'webhook-secrets-cannot-be-kept'],
    },
    body: {
      name: 'GITD',
      url: 'https://127.0.0.1:41039/events',
      events: ['vehicle.overloaded'],
      locationIds: [7],
      ctg8p1: [3],
      minExcess: 10,
      plates: false,
    },
    response: addWebhookExample,
  },
  changeWebhook: {
    errors: {
      400: ['webhook-address-not-https'],
      403: ['anonymization-stays', 'right-not-held'],
      404: ['webhook-not-found'],
      409: ['changed-meanwhile', 'webhook-name-taken'],
      422: ['location-not-found', 'webhook-address-refused'],
    },
    params: { id: 1 },
    body: {
      name: 'GITD',
      url: 'https://127.0.0.1:45057/events/new',
      events: ['vehicle.overloaded'],
      locationIds: null,
      ctg8p1: null,
      minExcess: null,
      plates: false,
    },
    response: webhookExample,
  },
  deliveries: {
    errors: { 403: ['right-not-held'], 404: ['webhook-not-found'] },
    params: { id: 1 },
    response: [
      {
        eventId: 'evt_000000000003_1792483200000',
        type: 'vehicle.overloaded',
        at: '2026-10-20T08:00:00.000Z',
        locationId: 9,
        state: 'pending',
        attempts: 1,
        lastAt: '2026-10-20T08:00:00.000Z',
        lastStatus: null,
        lastError: 'closed',
        nextAt: '2026-10-20T08:00:05.000Z',
      },
    ],
  },
  listWebhooks: { response: [webhookExample] },
  pauseWebhook: {
    errors: { 403: ['anonymization-stays', 'right-not-held'], 404: ['webhook-not-found'] },
    params: { id: 1 },
    response: webhookExample,
  },
  readWebhook: { errors: { 404: ['webhook-not-found'] }, params: { id: 1 }, response: webhookExample },
  removeWebhook: { errors: { 404: ['webhook-not-found'] }, params: { id: 1 } },
  replayWebhook: {
    errors: { 403: ['anonymization-stays', 'right-not-held'], 404: ['webhook-not-found'], 422: ['start-after-end'] },
    params: { id: 1 },
    body: { from: '2026-10-20T00:00:00Z', until: '2026-10-20T08:00:01.000Z' },
    response: { events: 1 },
  },
  resumeWebhook: {
    errors: { 403: ['anonymization-stays', 'right-not-held'], 404: ['webhook-not-found'] },
    params: { id: 1 },
    response: webhookExample,
  },
  rotateSecret: {
    errors: {
      403: ['anonymization-stays', 'right-not-held'],
      404: ['webhook-not-found'],
      422: ['webhook-secrets-cannot-be-kept'],
    },
    params: { id: 1 },
    response: addWebhookExample,
  },
  testWebhook: {
    errors: { 403: ['anonymization-stays', 'right-not-held'], 404: ['webhook-not-found'] },
    params: { id: 1 },
    response: webhookExample,
  },
})
