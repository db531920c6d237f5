import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Right } from '@rogatka/contract/access.ts'
import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { addWebhook, type WireNewWebhook } from '@rogatka/contract/webhooks.ts'
import { expect } from 'vitest'
import { car } from '../ingest/testing.ts'
import { type Client, testApi } from '../testing/test-api.ts'
import { type Answer, type ReceivedMessage, startReceiver } from './testing.ts'

/** A lorry whose second axle has `kg`: 15,000 is 17 % over the limit of 11.5 t even at the lower bound, 13,400 only 5 %. */
export const lorry = (sequence: number, kg = 15_000): WireMeasurement =>
  car(sequence, {
    ctg8p1: 3,
    axles: [
      { leftWeight: 3_500, rightWeight: 3_500, gap: 0 },
      { leftWeight: kg / 2, rightWeight: kg / 2, gap: 450 },
    ],
  })

export const MANAGER_RIGHTS: Right[] = ['Exchange', 'ArchiveMeasurements', 'BlackList', 'UserManagement']

/** A portal whose webhooks may reach the receiver, and a user who manages them. */
export async function portalWith(answer?: (message: ReceivedMessage) => Answer | Promise<Answer>, settings = {}) {
  const receiver = await startReceiver(answer)
  const webhookCa = join(tmpdir(), `rogatka-ca-${randomBytes(8).toString('hex')}.pem`)
  await writeFile(webhookCa, receiver.cert)
  const allowed = { webhookAllow: ['127.0.0.0/8'], webhookCa, secretKey: randomBytes(32), ...settings }
  const api = await testApi(allowed)
  const by = await api.as(...MANAGER_RIGHTS)
  const subscription: WireNewWebhook = {
    name: 'GITD',
    url: receiver.url,
    events: ['vehicle.overloaded'],
    locationIds: null,
    ctg8p1: null,
    minExcess: null,
    plates: false,
  }
  return { api, by, receiver, subscription, allowed }
}

export async function subscribe(by: Client, values: WireNewWebhook) {
  const { status, body } = await by.call(addWebhook, { body: values })
  expect(status).toBe(200)
  return { id: body.webhook.id, secret: body.secret }
}
