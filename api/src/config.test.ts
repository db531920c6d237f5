import { createHmac } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { createServer as createTlsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detail, plates, search as searchArchive } from '@rogatka/contract/archive.ts'
import { verifyDocument } from '@rogatka/contract/evidence.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { read as readInspection } from '@rogatka/contract/inspections.ts'
import { ownSessions, updatePassword } from '@rogatka/contract/preferences.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { build, login, ping, resetPassword } from '@rogatka/contract/session.ts'
import { loginWithProvider, startProviderLogin } from '@rogatka/contract/session-providers.ts'
import * as tickets from '@rogatka/contract/tickets.ts'
import { availabilityReport } from '@rogatka/contract/tickets-health.ts'
import { readPurpose } from '@rogatka/contract/trail.ts'
import { addContact, addPlate } from '@rogatka/contract/wanted.ts'
import { addWebhook, deliveries, testWebhook } from '@rogatka/contract/webhooks.ts'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig, variables } from './config.ts'
import { freePort } from './core/free-port.ts'
import { sql } from './core/statement.ts'
import { startTelemetry } from './core/telemetry.ts'
import { signingSettings, verifySignature } from './evidence/testing.ts'
import { startAuthority } from './evidence/testing-authority.ts'
import { P12_PASSWORD } from './evidence/testing-certificates.ts'
import { car, jpeg, send, sendImage } from './ingest/testing.ts'
import { inspectionScene, open } from './inspections/testing.ts'
import { connectStation } from './mqtt/testing.ts'
import { extractPages, fetchReport } from './reports/testing.ts'
import { startCollector } from './testing/collector.ts'
import { answerOf, CLIENT_ID, CLIENT_SECRET, startTestProvider } from './testing/oidc-provider.ts'
import { otherOwnAddress } from './testing/own-address.ts'
import { selfSigned } from './testing/self-signed.ts'
import { listenUntilFinished, startMailServer, startService } from './testing/services.ts'
import { eventually, PASSWORD, type TestApi, testApi } from './testing/test-api.ts'
import { processVariables, replicaVariables, testVariables, type VariableEffect } from './testing/variables.ts'
import { createFakeZammad } from './tickets/testing-zammad.ts'
import { startReceiver } from './webhooks/testing.ts'

/* The observable effect of every environment variable. Those that need a separate process are in start.test.ts. */

const REPORT = { description: 'Nie działa waga', reporterName: 'Anna Nowak', reporterEmail: 'anna@example.org' }
const JSON_TYPE = { 'content-type': 'application/json' }

const root = join(import.meta.dirname, '../..')

type Env = Record<string, string>

/** The server with only these environment variables. */
const configured = (env: Env, share?: Parameters<typeof testApi>[1]) =>
  testApi({ ...readConfig({ LOG_LEVEL: 'silent', ...env }), demo: false }, share)

const createFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-config-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A portal with a file of one provider, `{file}` in the variables. */
async function withProvider(env: Env, issuer = 'https://id.zdw.example') {
  const file = join(await createFolder(), 'providers.json')
  await writeFile(
    file,
    JSON.stringify([{ id: 'zdw', label: 'ZDW', issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }]),
  )
  return configured({ OIDC_ROLE_MAP: 'wim=waga', ...filled(env, 'file', file) })
}

/** The same with a provider that works, where anna belongs to the group wim. */
async function startedProvider(env: Env) {
  const provider = await startTestProvider('http://127.0.0.1:8080/login/callback/zdw')
  onTestFinished(() => void provider.server.close())
  provider.accounts.set('anna', { groups: ['wim'] })
  const api = await withProvider({ OIDC_PROVIDERS: '{file}', ...env }, provider.issuer)
  await api.db.execute(sql`insert into role (name, permissions) values ('Waga', '{ROLE_1}')`)
  const params = { provider: 'zdw' }
  const start = async () => {
    const { address, transaction } = (await api.anyone.call(startProviderLogin, { params })).body
    const signIn = async () =>
      api.anyone.call(loginWithProvider, { params, body: { transaction, answer: await answerOf(address, 'anna') } })
    return { address, signIn }
  }
  return { api, provider, start }
}

/** The permission of a user of the provider, or why there is none. */
async function roleThroughProvider(env: Env) {
  const { api, start } = await startedProvider(env)
  const result = await (await start()).signIn()
  if (result.status !== 200) return result.errors[0]?.code
  return (await api.client(result.body.token).call(readSelf)).body.permissions[0]
}

/** Requests a reset mail for a user with this address. */
async function requestReset(api: TestApi) {
  const user = await api.as('Stat')
  await api.db.execute(sql`update app_user set email = 'anna@example.org' where id = ${user.userId}`)
  expect((await api.anyone.call(resetPassword, { body: { email: 'anna@example.org' } })).status).toBe(204)
  await api.runJobs()
}

const SECRET_KEY = '0f'.repeat(32)
const NOW = Date.parse('2026-10-20T08:00:00Z')
const daysBefore = (count: number) => new Date(NOW - count * 86_400_000).toISOString()

/** Replaces a placeholder in braces by an address or folder of the test. */
const filled = (env: Env, name: string, text: string): Env =>
  Object.fromEntries(Object.entries(env).map(([key, value]) => [key, value.replace(`{${name}}`, text)]))

/** What a collector receives of ten requests. `{collector}`: its address. */
async function tracesOf(env: Env) {
  const collector = await startCollector()
  const api = await configured(filled(env, 'collector', collector.url))
  const { stop } = await startTelemetry(api.app.api.config, api.app.api.http.log)
  onTestFinished(stop)
  for (let time = 0; time < 10; time++) expect((await api.anyone.call(build)).status).toBe(200)
  await stop()
  return collector.spans()
}

/** What became of the test event of a webhook to a receiver on this machine. `{ca}`: the file with its certificate. */
async function webhookResult(env: Env): Promise<string> {
  const receiver = await startReceiver()
  const ca = join(await createFolder(), 'ca.pem')
  await writeFile(ca, receiver.cert)
  const api = await configured({ ...filled(env, 'ca', ca), SECRET_KEY })
  const by = await api.as('Exchange', 'Vms')
  const filters = { locationIds: null, ctg8p1: null, minExcess: null, plates: false }
  const { body } = await by.call(addWebhook, {
    body: { ...filters, name: 'x', url: receiver.url, events: ['sign.changed'] },
  })
  const params = { id: body.webhook.id }
  await by.call(testWebhook, { params })
  return eventually(async () => {
    const [delivery] = (await by.call(deliveries, { params })).body
    expect(delivery?.attempts).toBe(1)
    return delivery?.lastError ?? `Status ${delivery?.lastStatus}`
  })
}

/**
 * Signer and number of certificates in the signature of a monthly report, or the error of the settings; null: it is not signed.
 * `{folder}`: with a store and its chain.
 */
async function signerOf(env: Env, others: Env) {
  const { folder } = await signingSettings()
  try {
    const api = await configured(filled({ ...others, ...env }, 'folder', folder))
    const user = await api.as('Tickets')
    const query = { year: 2026, month: 9, reportType: 'pdf' } as const
    const { body } = await user.call(availabilityReport, { query })
    const pdf = (await fetchReport(user, body)).bytes
    if (!pdf.includes('/ByteRange')) return null
    const { holds, signed } = await verifySignature(pdf)
    expect(holds).toBe(true)
    const text = (await extractPages(pdf)).join(' ').replace(/\s+/g, ' ')
    return [/Podpis elektroniczny (.*), certyfikat/.exec(text)?.[1], signed.certificates?.length]
  } catch (error) {
    return (error as Error).message
  }
}

/** The state of the time stamp of a signed report, or the error of the settings. `{authority}`, `{ca}`: of one with its root. */
async function stampOf(env: Env, others: Env): Promise<string> {
  const { evidence } = await signingSettings()
  const { url, ca } = await startAuthority(() => new Date(NOW))
  try {
    const named = Object.entries({ authority: url, ca, other: evidence.chain })
    const settings = named.reduce((env, [name, text]) => filled(env, name, text), { ...others, ...env })
    const api = await configured({ ...settings, EVIDENCE_P12: evidence.p12, EVIDENCE_P12_PASSWORD: P12_PASSWORD })
    const user = await api.as('Tickets')
    const query = { year: 2026, month: 9, reportType: 'pdf' } as const
    const { bytes } = await fetchReport(user, (await user.call(availabilityReport, { query })).body)
    const headers = { 'content-type': 'application/octet-stream' }
    return (await user.call(verifyDocument, { payload: bytes, headers })).body.stamp
  } catch (error) {
    return (error as Error).message
  }
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

const shownToAll = async (env: Env) => (await (await configured(env)).anyone.call(build)).body

async function addTicket(api: TestApi) {
  const user = await api.as('Tickets')
  await user.call(tickets.add, { payload: JSON.stringify(REPORT), headers: JSON_TYPE })
  return user
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

/** Whether vehicles and images of these ages are accepted. */
async function takenOfAge(env: Env, daysOld: readonly number[]) {
  const api = await configured({ DATA_DIR: await createFolder(), DISK_RESERVE_MB: '0', ...env })
  const station = await api.station()
  const cars = daysOld.map((days, index) => car(index + 1, { createdAt: daysBefore(days) }))
  const { body } = await send(station, cars)
  const images: number[] = []
  for (const one of cars) images.push((await sendImage(station, one, 'front', await jpeg())).status)
  return { accepted: body.accepted, images }
}

/** The bounds of the partition of the first vehicle, from the catalogue. */
const boundsOf = async (api: TestApi) => {
  const [row] = await api.db.query<{ bounds: string }>(sql`
    select pg_get_expr(relpartbound, oid) as bounds from pg_class
    where oid = (select tableoid from vehicle order by created_at limit 1)`)
  return Array.from(row?.bounds.matchAll(/\d{4}-\d\d-\d\d/g) ?? [], ([day]) => day)
}

/** The base of the link in the reset mail. */
async function linkIn(api: TestApi) {
  await requestReset(api)
  return /^(http\S*?)reset-password/m.exec(api.sent[0]?.text ?? '')?.[1]
}

/** For each variable of the server: values and their observable effects. */
const differences: Record<string, VariableEffect> = {
  DATA_DIR: {
    title: 'stores the images',
    cases: [
      ['{folder}/one', ['one']],
      ['{folder}/other', ['other']],
    ],
    observe: async (env) => {
      const folder = await createFolder()
      const station = await (await configured({ DISK_RESERVE_MB: '0', ...filled(env, 'folder', folder) })).station()
      await send(station, [car(1)])
      expect((await sendImage(station, car(1), 'front', await jpeg())).status).toBe(204)
      const [image] = (await readdir(folder, { recursive: true })).filter((name) => /-[0-9a-f]{16}\.jpg$/.test(name))
      expect(await readFile(join(folder, image ?? ''))).toEqual(await jpeg())
      return readdir(folder)
    },
  },
  S3_URL: {
    title: 'stores the images in S3',
    cases: [
      [undefined, []],
      ['http://key:secret@{address}/bucket-7?region=eu-test-7', ['/bucket-7/images/2026-10']],
    ],
    observe: async (env) => {
      const store = await startService()
      const settings = { DATA_DIR: await createFolder(), DISK_RESERVE_MB: '0' }
      const station = await (await configured({ ...settings, ...filled(env, 'address', store.address) })).station()
      await send(station, [car(1)])
      expect((await sendImage(station, car(1), 'front', await jpeg())).status).toBe(204)
      const put = store.requests.filter(({ method }) => method === 'PUT')
      return put.slice(0, 1).map(({ path }) => path.slice(0, '/bucket-7/images/2026-10'.length))
    },
  },
  // Without DATABASE_URL the embedded database is on the same disk, so measurements are refused, too.
  DISK_RESERVE_MB: {
    title: 'reserves free disk space, and 0 none',
    cases: [
      ['{twice}', [503, 503]],
      ['{half}', [200, 204]],
      ['0', [200, 204]],
    ],
    observe: async (env) => {
      const folder = await createFolder()
      const { bavail, bsize } = await statfs(folder)
      const free = Math.floor((bavail * bsize) / 1024 ** 2)
      const settings = filled(filled(env, 'twice', String(free * 2)), 'half', String(Math.floor(free / 2)))
      const station = await (await configured({ DATA_DIR: folder, ...settings })).station()
      const measured = await send(station, [car(1)])
      return [measured.status, (await sendImage(station, car(1), 'front', await jpeg())).status]
    },
  },
  BUILD_CODE: {
    title: 'sets the public build variant',
    cases: [
      [undefined, 'ZG201025'],
      ['SG010126', 'SG010126'],
    ],
    observe: async (env) => (await shownToAll(env)).buildCode,
  },
  OWNER_COMPANY: {
    title: 'sets the public owner and issuer of reports',
    cases: ['Zarząd Dróg w Łomży', 'GDDKiA'].map((owner) => [owner, [owner, true]]),
    observe: async (env) => {
      const { OWNER_COMPANY = '' } = env
      const api = await configured(env)
      const user = await addTicket(api)
      const ordered = await user.call(tickets.report, { query: { year: 2026, month: 10 } })
      const pages = await extractPages((await fetchReport(user, ordered.body)).bytes)
      return [(await api.anyone.call(build)).body.ownerCompany, pages.join(' ').includes(OWNER_COMPANY)]
    },
  },
  LEGACY_URL: {
    title: 'sets the link to the old system',
    cases: [
      [undefined, null],
      ['https://old.example/wim', 'https://old.example/wim'],
    ],
    observe: async (env) => (await shownToAll(env)).legacyUrl,
  },
  SOURCE_URL: {
    title: 'sets the link to the source code',
    cases: [
      [undefined, 'https://github.com/rogatka/rogatka'],
      ['https://git.example/wim', 'https://git.example/wim'],
    ],
    observe: async (env) => (await shownToAll(env)).sourceUrl,
  },
  SMTP_URL: {
    title: 'receives mail',
    cases: [
      ['smtp://{one}', [true, false]],
      ['smtp://{other}', [false, true]],
    ],
    observe: async (env) => {
      const [one, other] = [await startMailServer(), await startMailServer()]
      await requestReset(await configured(filled(filled(env, 'one', one.address), 'other', other.address)))
      return [one, other].map(({ lines }) => lines.includes('RCPT TO:<anna@example.org>'))
    },
  },
  MAIL_FROM: {
    title: 'sets the sender of mail',
    cases: [
      [undefined, ['MAIL FROM:<rogatka@localhost>', 'From: Rogatka <rogatka@localhost>']],
      ['Waga <wim@road.example>', ['MAIL FROM:<wim@road.example>', 'From: Waga <wim@road.example>']],
    ],
    observe: async (env) => {
      const server = await startMailServer()
      await requestReset(await configured({ SMTP_URL: `smtp://${server.address}`, ...env }))
      return server.lines.filter((line) => /^(MAIL FROM|From: )/.test(line))
    },
  },
  EVIDENCE_COPY: {
    title: 'receives the ends of all chains, in a folder or by PUT; if absent, they stay in the database',
    cases: [
      [undefined, [[], []]],
      ['{folder}/copies', [['anchor-000001.txt'], []]],
      ['http://{address}/anchors', [[], ['PUT /anchors/anchor-000001.txt']]],
    ],
    observe: async (env) => {
      const [folder, archive] = [await createFolder(), await startService()]
      const api = await configured(filled(filled(env, 'folder', folder), 'address', archive.address))
      await api.db.execute(sql`
        insert into log_seal (chain, seq, source_id, source_at, hash) values ('audit', 1, 1, now(), sha256('a'))`)
      await api.app.jobs.recurring.find(({ name }) => name === 'anchor-chains')?.work()
      const files = await readdir(join(folder, 'copies')).catch(() => [])
      return [files, archive.requests.map(({ method, path }) => `${method} ${path}`)]
    },
  },
  SMS_WEBHOOK_URL: {
    title: 'receives text messages with basic authentication; if absent, they stay in the outbox',
    cases: [
      [undefined, [1, []]],
      ['http://user:p%40ss@{address}/sms?to=all', [0, [['POST', '/sms?to=all', 'user:p@ss', '+48600100200']]]],
    ],
    observe: async (env) => {
      const gateway = await startService()
      const api = await configured(filled(env, 'address', gateway.address))
      const owner = await api.as('WantedList')
      await owner.call(addPlate, { body: { plateLpr: 'WPR 8K47M', typeOfList: 0, description: 'x' } })
      await owner.call(addContact, { body: { contact: '600100200', typeOfContact: 1, description: 'x' } })
      await send(await api.station(), [car(1, { plateLpr: 'WPR 8K47M' })])
      await api.runJobs()
      const waiting = await api.db.query(sql`select id from outbox where sent_at is null`)
      const received = gateway.requests.map(({ method, path, headers, body }) => {
        const user = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString()
        return [method, path, user, JSON.parse(body).to]
      })
      return [waiting.length, received]
    },
  },
  PUBLIC_URL: {
    title: 'is the base of links in mail',
    cases: [
      [undefined, 'http://127.0.0.1:8080/'],
      ['https://wim.example/portal/', 'https://wim.example/portal/'],
    ],
    observe: async (env) => linkIn(await configured(env)),
  },
  ORGANIZATION: {
    title: 'limits tickets to one organization; if absent, all are shown',
    cases: [
      ['Zarząd Dróg A', 1],
      ['Zarząd Dróg B', 0],
      [undefined, 1],
    ],
    observe: async (env) => {
      const one = await configured({ ORGANIZATION: 'Zarząd Dróg A' })
      const { token } = await addTicket(one)
      const other = await configured(env, one)
      const listed = await other.client(token).call(tickets.list, { query: { year: 2026, month: 10 } })
      return listed.body.content.length
    },
  },
  WEBHOOK_ALLOW: {
    title: 'permits webhooks to addresses that are not public',
    cases: [
      [undefined, 'address-refused'],
      ['10.0.0.0/8,::1', 'address-refused'],
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
  SECRET_KEY: {
    title: 'encrypts tokens of the ticket service; if absent, none is stored',
    cases: [
      [undefined, ['tokens-cannot-be-kept', 0]],
      [SECRET_KEY, [null, 1]],
    ],
    observe: async (env) => {
      const body = { token: 'token-of-anna', email: 'anna@example.org' }
      const api = await configured(env)
      const { errors } = await (await api.as('Tickets')).call(tickets.saveToken, { body })
      const rows = await api.db.query(sql`select * from ticket_account`)
      expect(JSON.stringify(rows)).not.toContain(body.token)
      return [errors[0]?.code ?? null, rows.length]
    },
  },
  TRAIL_KEY: {
    title: 'is the key of the HMACs of plates in the access trail; if absent, the database has one',
    cases: [
      [undefined, [16, false]],
      [SECRET_KEY, [16, true]],
    ],
    observe: async (env) => {
      const api = await configured(env)
      await send(await api.station(), [car(1, { plateLpr: 'WX 12345' })])
      const user = await api.as('ArchiveMeasurements')
      const query = { locationId: 7, createdAt: car(1).createdAt }
      await user.call(detail, { params: { id: vehicleId(7, 1) }, query })
      const [line] = await api.db.query<{ mac: Buffer }>(sql`select shown[1] as mac from access_trail`)
      const expected = createHmac('sha256', Buffer.from(SECRET_KEY, 'hex')).update('WX12345').digest()
      return [line?.mac.length, line?.mac.equals(expected.subarray(0, 16))]
    },
  },
  PURPOSES: {
    title: 'asks for a purpose before a search by plate',
    cases: [
      [undefined, [false, 200]],
      ['off', [false, 200]],
      ['required', [true, 422]],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const user = await api.as('ArchiveMeasurements')
      const { status } = await user.call(plates, { query: { beginning: 'wx' } })
      return [(await user.call(readPurpose)).body.required, status]
    },
  },
  // 51.00 t of 40 t on a lane of class B+(7): 51,000 / 1.07 = 47,664 kg is certain, which is 19.2 % over; measured 27.5 %.
  OVERLOAD_BASIS: {
    title: 'sets the weight that is compared with the limit',
    cases: [
      [undefined, 19.2],
      ['minimum', 19.2],
      ['measured', 27.5],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const axle = (weight: number, gap: number) => ({ leftWeight: weight / 2, rightWeight: weight / 2, gap })
      const axles = [axle(7_000, 0), axle(11_000, 374), axle(11_000, 562), axle(11_000, 131), axle(11_000, 131)]
      await send(await api.station(), [car(1, { ctg8p1: 9, axles })])
      const user = await api.as('ArchiveMeasurements')
      const query = { locationId: 7, createdAt: car(1).createdAt }
      return (await user.call(detail, { params: { id: vehicleId(7, 1) }, query })).body.overloadTL
    },
  },
  PARTITIONS: {
    title: 'sets how much time a new partition holds',
    cases: [
      [undefined, ['2026-10-01', '2026-11-01']],
      ['month', ['2026-10-01', '2026-11-01']],
      ['week', ['2026-10-19', '2026-10-26']],
    ],
    observe: async (env) => {
      const api = await configured(env)
      await send(await api.station(), [car(1)])
      return boundsOf(api)
    },
  },
  RETENTION_DAYS: {
    title: 'limits the age of accepted vehicles and images',
    cases: [
      [undefined, { accepted: 4, images: [204, 204, 204, 422, 422] }],
      ['30', { accepted: 2, images: [204, 204, 422, 422, 422] }],
      ['5', { accepted: 1, images: [204, 422, 422, 422, 422] }],
    ],
    observe: async (env) => takenOfAge(env, [4, 29, 89, 729, 731]),
  },
  IMAGE_RETENTION_DAYS: {
    title: 'limits the age of accepted images, and is public',
    cases: [
      [undefined, [90, { accepted: 4, images: [204, 204, 204, 422] }]],
      ['10', [10, { accepted: 4, images: [204, 422, 422, 422] }]],
    ],
    observe: async (env) => [(await shownToAll(env)).imageRetentionDays, await takenOfAge(env, [9, 11, 89, 91])],
  },
  INSPECTION_RETENTION_DAYS: {
    title: 'limits how long closed inspections are kept, and ended ones if it is shorter than a year',
    cases: [
      [undefined, ['closed 1824', 'withdrawn 364']],
      ['40', ['closed 39', 'passedBy 39']],
    ],
    observe: async (env) => {
      const api = await configured(env)
      await api.station()
      const ages = env.INSPECTION_RETENTION_DAYS
        ? { closed: [39, 41], withdrawn: [41], passedBy: [39] }
        : { closed: [1_824, 1_826], withdrawn: [364, 366], passedBy: [366] }
      const [user] = [await api.as('Inspections')]
      for (const [state, days] of Object.entries(ages))
        for (const age of days)
          await api.db.execute(sql`
            insert into inspection (code, year, sequence, state, selection, location_id, announced_at, announced_by, passes_at,
                                    closed_at, withdrawn_at, passed_by_at, shift_day, shift_start, idempotency_key, request_digest)
            values (${state}, 2020, ${age}, ${state}, 'random', 7, '2019-01-01', ${user.userId}, '2019-01-01',
                    ${daysBefore(age)}, ${daysBefore(age)}, ${daysBefore(age)}, '2019-01-01', '06:00', ${`${state}${age}`}, '')`)
      await api.app.jobs.recurring.find(({ name }) => name === 'delete-inspections')?.work()
      const kept = await api.db.query<{ kept: string }>(
        sql`select state || ' ' || sequence as kept from inspection order by state, sequence`,
      )
      return kept.map(({ kept }) => kept)
    },
  },
  PLATE_IN_ADDRESS: {
    title: 'refuses plates in addresses',
    cases: [
      [undefined, [200, null]],
      ['refused', [400, 'plate-in-address']],
    ],
    observe: async (env) => {
      const user = await (await configured(env)).as('ArchiveMeasurements')
      const query = { dateTimeStart: daysBefore(1), dateTimeEnd: daysBefore(0), locations: 7 }
      const { status, errors } = await user.call(searchArchive, { query: { ...query, plateLpr: 'GR7K201' } })
      return [status, errors[0]?.code ?? null]
    },
  },
  SHIFT_STARTS: {
    title: 'divides the day into shifts, in Polish time',
    cases: [
      [undefined, { day: '2026-10-20', start: '06:00' }],
      ['10:00, 20:00', { day: '2026-10-20', start: '10:00' }],
      ['10:01,20:00', { day: '2026-10-19', start: '20:00' }],
    ],
    observe: async (env) => {
      const api = await configured(env)
      await inspectionScene(api, 1)
      const officer = await api.as('Inspections')
      const { id } = await open(officer, 1)
      return (await officer.call(readInspection, { params: { id } })).body.shift
    },
  },
  ACTIVITY_RETENTION_DAYS: {
    title: 'limits how long the history keeps ended visits',
    cases: [
      [undefined, [39, 41, 729, null]],
      ['40', [39, null]],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const began = daysBefore(732)
      for (const ended of [39, 41, 729, 731, null])
        await api.db.execute(sql`insert into activity (user_id, event_type, created_at, login_at, logout_at)
                      values (1, 1, ${began}, ${began}, ${ended === null ? null : daysBefore(ended)})`)
      await api.app.jobs.recurring.find(({ name }) => name === 'delete-old-history')?.work()
      const kept = await api.db.query<{ ended: Date | null }>(sql`select logout_at as ended from activity order by id`)
      return kept.map(({ ended }) => ended && (NOW - ended.getTime()) / 86_400_000)
    },
  },
  EVIDENCE_P12: {
    title: 'names the file with key and certificate by which documents are signed',
    cases: [
      [undefined, null],
      ['{folder}/evidence.p12', ['Zarząd Dróg Testowych', 1]],
    ],
    observe: (env) => signerOf(env, env.EVIDENCE_P12 ? { EVIDENCE_P12_PASSWORD: P12_PASSWORD } : {}),
  },
  EVIDENCE_P12_PASSWORD: {
    title: 'decrypts that file',
    cases: [
      [undefined, 'Configuration: EVIDENCE_P12 needs EVIDENCE_P12_PASSWORD too'],
      ['other', 'EVIDENCE_P12: the file is damaged, or EVIDENCE_P12_PASSWORD is wrong'],
      [P12_PASSWORD, ['Zarząd Dróg Testowych', 1]],
    ],
    observe: (env) => signerOf(env, { EVIDENCE_P12: '{folder}/evidence.p12' }),
  },
  EVIDENCE_CHAIN: {
    title: 'names a file with issuers of that certificate, which signatures contain',
    cases: [
      [undefined, ['Zarząd Dróg Testowych', 1]],
      ['{folder}/chain.pem', ['Zarząd Dróg Testowych', 2]],
    ],
    observe: (env) => signerOf(env, { EVIDENCE_P12: '{folder}/evidence.p12', EVIDENCE_P12_PASSWORD: P12_PASSWORD }),
  },
  TSA_URLS: {
    title: 'names the authorities that stamp signatures',
    cases: [
      [undefined, 'none'],
      ['{authority}', 'valid'],
    ],
    observe: (env) => stampOf(env, env.TSA_URLS ? { TSA_CA: '{ca}' } : {}),
  },
  TSA_CA: {
    title: 'names the file with the roots of these authorities',
    cases: [
      [undefined, 'Configuration: TSA_URLS needs TSA_CA too'],
      ['{ca}', 'valid'],
      ['{other}', 'pending'],
    ],
    observe: (env) => stampOf(env, { TSA_URLS: '{authority}' }),
  },
  BREACHED_PASSWORDS: {
    title: 'refuses passwords of a file of SHA-1; if absent, only common ones, and all while it cannot be read',
    cases: [
      [undefined, [204, 422]],
      ['{file}', [422, 422]],
      ['{file}.missing', [503, 422]],
    ],
    observe: async (env) => {
      const file = join(await createFolder(), 'pwned.txt')
      // printf Kx7-mP2_qR9-vT | sha1sum
      await writeFile(file, '414A0A9F19039B77175F6023FD44FF48C2D6DFC4:3\r\n')
      const api = await configured(filled(env, 'file', file))
      const user = await api.as('PasswordChange')
      const change = async (newPassword: string) =>
        (await user.call(updatePassword, { body: { password: PASSWORD, newPassword } })).status
      return [await change('Kx7-mP2_qR9-vT'), await change('Password1')]
    },
  },
  SECOND_FACTOR: {
    title: 'requires a second factor of administrators or of all; if absent, of none in a demo',
    cases: [
      [undefined, [false, false]],
      ['off', [false, false]],
      ['admins', [true, false]],
      ['all', [true, true]],
    ],
    observe: async (env) => {
      const api = await configured({ SECRET_KEY, ...env })
      const users = [await api.as('UsersAdmin'), await api.as('Stat')]
      return Promise.all(users.map(async ({ call }) => (await call(readSelf)).body.mustSetUpFactor))
    },
  },
  OIDC_PROVIDERS: {
    title: 'names the file of providers on the login page; if absent, there are none',
    cases: [
      [undefined, []],
      ['{file}', [{ id: 'zdw', label: 'ZDW' }]],
      ['{file}.missing', 'Configuration: OIDC_PROVIDERS'],
    ],
    observe: async (env) => {
      try {
        return (await (await withProvider(env)).anyone.call(build)).body.providers
      } catch (error) {
        return (error as Error).message.slice(0, 29)
      }
    },
  },
  OIDC_ROLE_CLAIM: {
    title: 'names the claim with the groups of users, unless the provider does',
    cases: [
      [undefined, 'ROLE_1'],
      ['email', 'no-role'],
      ['preferred_username', 'no-role'],
    ],
    observe: (env) => roleThroughProvider(env),
  },
  OIDC_ROLE_MAP: {
    title: 'gives roles to groups, unless the provider does',
    cases: [
      ['wim=waga', 'ROLE_1'],
      ['staff=waga', 'no-role'],
    ],
    observe: (env) => roleThroughProvider(env),
  },
  OIDC_MFA_ACR: {
    title: 'names values of acr that stand for a second factor, unless the provider does',
    cases: [
      [undefined, [null, null]],
      ['silver gold', ['provider', 'silver gold']],
    ],
    observe: async (env) => {
      const { api, provider, start } = await startedProvider(env)
      provider.accounts.set('anna', { groups: ['wim'], claims: { acr: 'gold' } })
      const { address, signIn } = await start()
      const token = (await signIn()).body.token
      const [session] = (await api.client(token).call(ownSessions)).body
      return [session?.factor, new URL(address).searchParams.get('acr_values')]
    },
  },
  OIDC_CA: {
    title: 'names further authorities of providers',
    cases: [
      [undefined, 'provider-certificate'],
      ['{ca}', 'provider-answer-unreadable'],
    ],
    observe: async (env) => {
      const { key, cert } = selfSigned()
      const port = await listenUntilFinished(createTlsServer({ key, cert }, (_request, response) => response.end()))
      const ca = join(await createFolder(), 'ca.pem')
      await writeFile(ca, cert)
      const api = await withProvider(
        { OIDC_PROVIDERS: '{file}', ...filled(env, 'ca', ca) },
        `https://127.0.0.1:${port}`,
      )
      return (await api.anyone.call(startProviderLogin, { params: { provider: 'zdw' } })).errors[0]?.code
    },
  },
  PASSWORD_MIN_LENGTH: {
    title: 'sets the minimum length of new passwords, and is public',
    cases: [
      [undefined, [6, ['newPassword', 204]]],
      ['10', [10, ['newPassword', 'newPassword']]],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const user = await api.as('PasswordChange')
      const change = async (characters: number) => {
        const newPassword = 'Kx7-mP2_qR9-vT'.slice(0, characters)
        const { errors, status } = await user.call(updatePassword, { body: { password: PASSWORD, newPassword } })
        return errors[0]?.path ?? status
      }
      return [(await api.anyone.call(build)).body.passwordMinLength, [await change(5), await change(9)]]
    },
  },
  REQUESTS_PER_MINUTE: {
    title: 'limits the requests of an address, and then lookups of tokens by a tenth of it',
    cases: [
      ['60', { answered: 60, lookedUp: 6 }],
      ['61', { answered: 61, lookedUp: 7 }],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const firstRefused = async (client: typeof api.anyone, times: number) => {
        const statuses: number[] = []
        for (let time = 0; time < times; time++) statuses.push((await client.call(ping)).status)
        return statuses.indexOf(429)
      }
      return {
        answered: await firstRefused(api.anyone, 62),
        lookedUp: await firstRefused(api.client('nobody'), 8),
      }
    },
  },
  ADDRESS_REQUESTS_PER_MINUTE: {
    title: 'limits all requests of an address together',
    cases: [
      ['60', 60],
      ['61', 61],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const user = await api.as('Stat')
      const statuses: number[] = []
      for (let time = 0; time < 63; time++) statuses.push((await user.call(ping)).status)
      return statuses.indexOf(429)
    },
  },
  ADDRESS_LOGIN_FAILURES: {
    title: 'limits the failed logins of an address',
    cases: [
      ['5', 5],
      ['6', 6],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const statuses: number[] = []
      for (let time = 0; time < 8; time++) {
        const body = { username: `guess${time}`, password: 'wrong' }
        statuses.push((await api.anyone.call(login, { body })).status)
      }
      return statuses.indexOf(429)
    },
  },
  TRUST_PROXY: {
    title: 'sets the proxies trusted for the client address',
    cases: [
      [undefined, ['127.0.0.1']],
      ['true', ['203.0.113.9']],
      ['192.0.2.7, 127.0.0.0/8', ['203.0.113.9']],
      ['192.0.2.7', ['127.0.0.1']],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' }
      expect((await api.anyone.call(login, { body: { username: 'a', password: 'b' }, headers })).status).toBe(401)
      return (await api.db.query<{ ip: string }>(sql`select ip from login_failure`)).map(({ ip }) => ip)
    },
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    title: 'sends traces to a collector',
    cases: [
      [undefined, 0],
      ['{collector}', 10],
    ],
    observe: async (env) => (await tracesOf({ ...env, TRACES_PERCENT: '100' })).length,
  },
  OTEL_SERVICE_NAME: {
    title: 'names the portal in traces',
    cases: [
      [undefined, 'rogatka'],
      ['waga-wschód', 'waga-wschód'],
    ],
    observe: async (env) => {
      const [span] = await tracesOf({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: '{collector}', TRACES_PERCENT: '100' })
      return span?.resource['service.name']
    },
  },
  TRACES_PERCENT: {
    title: 'sets the share of traces',
    cases: [
      ['0', 0],
      ['100', 10],
    ],
    observe: async (env) => (await tracesOf({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: '{collector}' })).length,
  },
  LOG_LEVEL: {
    title: 'sets the log level: requests from debug, refusals from info',
    cases: [
      ['silent', { refused: false, requests: false }],
      ['error', { refused: false, requests: false }],
      ['info', { refused: true, requests: false }],
      ['debug', { refused: true, requests: true }],
    ],
    observe: async (env) => {
      const api = await configured(env)
      expect((await api.anyone.call(login, { body: { username: 'a', password: 'b' } })).status).toBe(401)
      await api.anyone.call(build)
      const lines = api.logged.map((line) => JSON.parse(line) as { msg: string; url?: string; req?: { url: string } })
      return {
        refused: lines.some(({ msg }) => msg === 'refused'),
        requests: lines.some(({ url, req }) => (url ?? req?.url)?.endsWith('/build')),
      }
    },
  },
}

testVariables(differences)

test('every environment variable is documented once and has a test of its effect', async () => {
  const documented = (await readFile(join(root, 'docs/operations.md'), 'utf8')).matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)
  expect(Array.from(documented, ([, name]) => name).sort()).toEqual([...variables].sort())
  expect([...Object.keys(differences), ...processVariables, ...replicaVariables].sort()).toEqual([...variables].sort())
})

test('treats empty variables as absent, and names all invalid ones in one line', () => {
  expect(readConfig({ PORT: '', LEGACY_URL: '' })).toEqual(readConfig({}))
  const wrong = { PORT: '65536', DEMO: 'yes', DATABASE_URL: 'mysql://x/y', PARTITIONS: 'day', SECRET_KEY: 'ab' }
  expect(() => readConfig(wrong)).toThrow(
    /^Configuration: PORT: .*; DATABASE_URL: .*; DEMO: .*; SECRET_KEY: .*; PARTITIONS: [^\n]*$/,
  )
})

test('S3_URL sets bucket and region of the images, and none is stored on disk', async () => {
  const folder = await createFolder()
  const store = await startService()
  const S3_URL = `http://key:secret@${store.address}/bucket-7?region=eu-test-7`
  const station = await (await configured({ DATA_DIR: folder, S3_URL })).station()
  await send(station, [car(1)])
  expect((await sendImage(station, car(1), 'front', await jpeg())).status).toBe(204)
  expect(await readdir(folder)).toEqual([])
  const [put] = store.requests.filter(({ method }) => method === 'PUT')
  expect(put?.path).toMatch(/^\/bucket-7\/images\/2026-10/)
  expect(put?.headers.authorization).toMatch(/Credential=key\/\d{8}\/eu-test-7\/s3\//)
  expect(put?.bytes.includes(await jpeg())).toBe(true)
})

test.each([
  ['DISK_RESERVE_MB', ' '],
  ['HEAP_MB', '127'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
  ['TRACES_PERCENT', '101'],
  ['PORT', ' '],
  ['PORT', '0x1f'],
  ['RETENTION_DAYS', '\t'],
  ['WEBHOOK_ALLOW', 'localhost'],
  ['PLATE_IN_ADDRESS', 'true'],
  ['SHIFT_STARTS', '6:00'],
  ['SHIFT_STARTS', '14:00,06:00'],
  ['SHIFT_STARTS', '06:00,06:00'],
  ['MQTT_PORT', '0'],
  ['MQTT_CERT', '/x'],
  ['MQTT_KEY', '/x'],
  ['EVIDENCE_P12_PASSWORD', 'x'],
  ['EVIDENCE_P12_PASSWORD', 'Straż'],
  ['EVIDENCE_CHAIN', '/x'],
  ['TSA_URLS', 'ftp://tsa.example'],
  ['TSA_CA', '/x'],
  ['ADMIN_PASSWORD', 'x'.repeat(201)],
  ['S3_URL', 'http://127.0.0.1:9'],
  ['S3_URL', 'http://key:secret@127.0.0.1:9/'],
  ['S3_URL', 'http://127.0.0.1:9/bucket'],
  ['SMTP_URL', 'smtp://'],
  ['MAIL_FROM', 'abc'],
  ['MAIL_FROM', 'Waga <wim>'],
  ['DATABASE_URL', 'postgres://'],
  ['DATABASE_READ_URL', 'https://db.example/rogatka'],
  ['DATABASE_READ_URL', 'postgres://db.example/rogatka'],
  ['DATABASE_READ_LAG_MS', '0'],
  ['PUBLIC_URL', 'https://x.example/a?b'],
  ['PUBLIC_URL', 'https://x.example/a#c'],
  ['ZAMMAD_URL', 'https://x.example/?a'],
  ['ZAMMAD_TOKEN', 'abc'],
])('%s=%j stops the start with a line that names the variable', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^Configuration: ${name}[: ][^\n]*$`))
})

test('accepts a sender without a name, and a database behind a socket', () => {
  expect(readConfig({ MAIL_FROM: 'wim@road.example' }).mailFrom).toBe('wim@road.example')
  const DATABASE_URL = 'postgres:///wim?host=/run/postgresql'
  expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
})

test('ZAMMAD_AUTH=basic needs a user and a password', () => {
  const env = { ZAMMAD_URL: 'https://tickets.example', SECRET_KEY, ZAMMAD_AUTH: 'basic' }
  expect(() => readConfig({ ...env, ZAMMAD_TOKEN: 'abc' })).toThrow(/^Configuration: ZAMMAD_TOKEN [^\n]*$/)
  expect(readConfig({ ...env, ZAMMAD_TOKEN: 'a:b' }).zammad?.auth).toBe('basic')
})

test.each(['LEGACY_URL', 'SOURCE_URL'])('%s must be a web address', (name) => {
  expect(() => readConfig({ [name]: 'javascript:alert(1)' })).toThrow(`Configuration: ${name}: `)
})

test('links in mails start with HOST and PORT without PUBLIC_URL', async () => {
  expect(await linkIn(await configured({ HOST: '10.0.0.5', PORT: '80' }))).toBe('http://10.0.0.5:80/')
})

test('ZAMMAD_URL needs ZAMMAD_TOKEN and SECRET_KEY', () => {
  expect(() => readConfig({ ZAMMAD_URL: 'https://tickets.example' })).toThrow(
    'Configuration: ZAMMAD_URL needs ZAMMAD_TOKEN and SECRET_KEY too',
  )
})
