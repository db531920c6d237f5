import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addWebhook, deliveries, testWebhook } from '@rogatka/contract/webhooks.ts'
import { expect } from 'vitest'
import { readConfig } from '../../config.ts'
import { freePort } from '../../core/free-port.ts'
import { connectStation } from '../../mqtt/testing.ts'
import { createFakeZammad } from '../../tickets/testing-zammad.ts'
import { startReceiver } from '../../webhooks/testing.ts'
import { otherOwnAddress } from '../own-address.ts'
import { selfSigned } from '../self-signed.ts'
import { startService } from '../services.ts'
import { eventually } from '../test-api.ts'
import { addTicket, configured, createFolder, type Env, filled, NOW, SECRET_KEY } from './configured.ts'
import type { VariableEffect } from './effects.ts'

/** What became of a webhook to a receiver on this machine, and of its test event. `{ca}`: the file with its certificate. */
async function webhookResult(env: Env): Promise<string> {
  const receiver = await startReceiver()
  const ca = join(await createFolder(), 'ca.pem')
  await writeFile(ca, receiver.cert)
  const api = await configured({ ...filled(env, 'ca', ca), SECRET_KEY })
  const by = await api.as('Exchange', 'Vms')
  const filters = { locationIds: null, ctg8p1: null, minExcess: null, plates: false }
  const added = await by.call(addWebhook, {
    body: { ...filters, name: 'x', url: receiver.url, events: ['sign.changed'] },
  })
  if (added.status !== 200) return added.errors.map(({ code }) => code).join()
  const params = { id: added.body.webhook.id }
  await by.call(testWebhook, { params })
  return eventually(async () => {
    const [delivery] = (await by.call(deliveries, { params })).body
    expect(delivery?.attempts).toBe(1)
    return delivery?.lastError ?? `Status ${delivery?.lastStatus}`
  })
}

/** How a station is received by MQTT at an address: `TLS`, `plain` or `refused`. */
async function mqttKindAt(address: string, token: string | undefined, ca?: string): Promise<string> {
  const isReceived = (protocol: string) =>
    connectStation(`${protocol}://${address}`, token, ca ? { ca } : {}).then(
      () => true,
      () => false,
    )
  if (ca && (await isReceived('mqtts'))) return 'TLS'
  return (await isReceived('mqtt')) ? 'plain' : 'refused'
}

/** The same of a portal with these settings, or the error of the configuration. `{cert}`, `{key}`: files of a certificate. */
async function mqttResult(env: Env, host = '127.0.0.1'): Promise<string> {
  const folder = await createFolder()
  const { cert, key } = selfSigned()
  for (const [name, text] of Object.entries({ cert, key })) await writeFile(join(folder, name), text)
  const port = String(await freePort())
  const files = filled(filled(env, 'cert', join(folder, 'cert')), 'key', join(folder, 'key'))
  const settings = { MQTT_PORT: port, ...files }
  try {
    readConfig(settings)
  } catch (error) {
    return (error as Error).message.replace(/^Configuration: (\S+) .*$/, 'refused by $1')
  }
  const api = await configured(settings)
  return mqttKindAt(`${host}:${port}`, (await api.station()).token, cert)
}

/** The first request to a ticket service with these variables. */
async function firstRequest(env: Env) {
  const service = await startService((response) => response.setHeader('content-type', 'application/json').end('[]'))
  const settings: Env = { ZAMMAD_URL: 'http://{address}/', ZAMMAD_TOKEN: 'a:b', SECRET_KEY, ...env }
  if (!settings.ZAMMAD_URL) delete settings.ZAMMAD_TOKEN
  const api = await configured(filled(settings, 'address', service.address))
  await addTicket(api)
  await api.app.jobs.recurring.find(({ name }) => name === 'sync-tickets')?.work()
  return service.requests[0]
}

const authorizationOf = async (env: Env) => (await firstRequest(env))?.headers.authorization

/** Effects of the variables of webhooks, MQTT and the ticket service. */
export const exchangeEffects: Record<string, VariableEffect> = {
  WEBHOOK_ALLOW: {
    title: 'permits webhooks to addresses that are not public',
    cases: [
      [undefined, 'webhook-address-refused'],
      ['10.0.0.0/8,::1', 'webhook-address-refused'],
      ['10.0.0.1, 127.0.0.0/8', 'Status 204'],
    ],
    observe: async (env) => webhookResult({ ...env, WEBHOOK_CA: '{ca}' }),
  },
  WEBHOOK_CA: {
    title: 'names a file with authorities of receivers of webhooks',
    cases: [
      [undefined, 'certificate'],
      ['{ca}', 'Status 204'],
    ],
    observe: async (env) => webhookResult({ ...env, WEBHOOK_ALLOW: '127.0.0.1' }),
  },
  MQTT_PORT: {
    title: 'sets the port for stations that send by MQTT',
    cases: [
      ['{one}', ['plain', 'refused']],
      ['{other}', ['refused', 'plain']],
    ],
    observe: async (env) => {
      const ports = [String(await freePort()), String(await freePort())]
      const [one = '', other = ''] = ports
      const api = await configured(filled(filled(env, 'one', one), 'other', other))
      const { token } = await api.station()
      return Promise.all(ports.map((port) => mqttKindAt(`127.0.0.1:${port}`, token)))
    },
  },
  MQTT_HOST: {
    title: 'sets the interfaces of the MQTT port; if absent, those of HOST',
    cases: [
      [undefined, 'refused'],
      ['0.0.0.0', 'plain'],
    ],
    observe: (env) => mqttResult({ HOST: '127.0.0.1', MQTT_PLAIN: 'true', ...env }, otherOwnAddress()),
  },
  MQTT_CERT: {
    title: 'names the file with the certificate of the MQTT port',
    cases: [
      [undefined, 'refused by MQTT_KEY'],
      ['{cert}', 'TLS'],
    ],
    observe: (env) => mqttResult({ MQTT_KEY: '{key}', ...env }),
  },
  MQTT_KEY: {
    title: 'names the file with the key of that certificate',
    cases: [
      [undefined, 'refused by MQTT_CERT'],
      ['{key}', 'TLS'],
    ],
    observe: (env) => mqttResult({ MQTT_CERT: '{cert}', ...env }),
  },
  MQTT_PLAIN: {
    title: 'permits MQTT without TLS on other than loopback addresses',
    cases: [
      [undefined, 'refused by MQTT_PORT'],
      ['true', 'plain'],
    ],
    observe: (env) => mqttResult({ MQTT_HOST: '0.0.0.0', ...env }),
  },
  ZAMMAD_URL: {
    title: 'receives tickets; if absent, none are sent',
    cases: [
      ['http://{address}/', true],
      ['', false],
    ],
    observe: async (env) => (await firstRequest(env))?.path.startsWith('/api/v1/') ?? false,
  },
  ZAMMAD_TOKEN: {
    title: 'is sent to the ticket service',
    cases: [
      ['a:b', 'Token token=a:b'],
      ['c', 'Token token=c'],
    ],
    observe: authorizationOf,
  },
  ZAMMAD_AUTH: {
    title: 'sets how the token is sent',
    cases: [
      [undefined, 'Token token=a:b'],
      ['bearer', 'Bearer a:b'],
      ['basic', `Basic ${Buffer.from('a:b').toString('base64')}`],
    ],
    observe: authorizationOf,
  },
  // The service has one group and refuses tickets of others.
  ZAMMAD_GROUP: {
    title: 'is the group of new tickets',
    cases: [
      ['Users', ['Users']],
      ['Drogi', []],
    ],
    observe: async (env) => {
      const zammad = await createFakeZammad({ now: new Date(NOW) })
      const { url, token } = zammad.settings
      const api = await configured({ ZAMMAD_URL: url, ZAMMAD_TOKEN: token, SECRET_KEY, ...env })
      await addTicket(api)
      await api.app.jobs.recurring.find(({ name }) => name === 'sync-tickets')?.work()
      await api.runJobs()
      return zammad.tickets.map(({ group }) => group)
    },
  },
}
