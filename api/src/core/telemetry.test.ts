import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { permissionsOf, rights } from '@rogatka/contract/access.ts'
import { report } from '@rogatka/contract/archive.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post } from '@rogatka/contract/ingest.ts'
import { list as listLocations } from '@rogatka/contract/locations.ts'
import { login, resetPassword } from '@rogatka/contract/session.ts'
import { addPlate } from '@rogatka/contract/wanted.ts'
import { addWebhook } from '@rogatka/contract/webhooks.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import type { InjectOptions } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../config.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { connectStation, publishVehicles } from '../mqtt/testing.ts'
import { type CollectedSpan, startCollector } from '../testing/collector.ts'
import { inject } from '../testing/inject.ts'
import { listOperations, randomRequest } from '../testing/requests.ts'
import { startService } from '../testing/services.ts'
import { startProcess, workersOf } from '../testing/start-process.ts'
import { eventually, PASSWORD, testApi } from '../testing/test-api.ts'
import { startReceiver } from '../webhooks/testing.ts'
import { streamFromSnapshot } from './cursor.ts'
import { freePort } from './free-port.ts'
import { activeSpan, rootSpan } from './spans.ts'
import { sql } from './statement.ts'
import { parseTraceparent, startTelemetry } from './telemetry.ts'

/** Faster than in production. */
const TIMING = { delayMs: 50, timeoutMs: 300 }

type Settings = Partial<Config> & { otlpEndpoint: string }

/** A portal in this process that sends traces; `stop` sends what is left. */
async function tracedPortal(settings: Settings) {
  const api = await testApi({ tracesPercent: 100, ...settings })
  const warnings: unknown[] = []
  const log = { warn: (...entry: unknown[]) => void warnings.push(entry) }
  const { stop } = await startTelemetry(api.app.api.config, log as never, TIMING)
  onTestFinished(stop)
  return { api, stop, warnings }
}

const one = (spans: readonly CollectedSpan[], name: string | RegExp): CollectedSpan => {
  const found = spans.filter((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)))
  expect(found, spans.map((span) => span.name).join(', ')).toHaveLength(1)
  return found[0] as CollectedSpan
}
const childrenOf = (spans: readonly CollectedSpan[], { spanId }: CollectedSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === spanId)

const POST = `POST ${API_BASE}${post.path}`

test('a request is a span with its statements, of reading, writing and reports alike', async () => {
  const collector = await startCollector()
  const { api, stop } = await tracedPortal({ otlpEndpoint: `${collector.url}/`, serviceName: 'waga' })
  const [station, user] = [await api.station(), await api.as('ArchiveMeasurements')]
  await send(station, [car(1)])
  await user.call(listLocations)
  const range = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }
  const { body } = await user.call(report, { query: { locations: ['7'], ...range, reportType: 'csv' } as never })
  const headers = { authorization: `Bearer ${user.token}` }
  const url = API_BASE + (body as { link: string }).link
  const file = await inject(api.app.api.http, { method: 'GET', url, headers })
  expect(file.statusCode).toBe(200)
  await stop()

  const spans = collector.spans()
  const request = one(spans, POST)
  expect(request).toMatchObject({ kind: 2, status: { code: 0 } })
  expect(request.parentSpanId).toBeUndefined()
  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': API_BASE + post.path,
    'http.response.status_code': 200,
    'rogatka.request_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(request.resource).toMatchObject({ 'service.name': 'waga', 'service.version': expect.any(String) })
  expect(Object.keys(request.resource).toSorted()).toEqual(['service.instance.id', 'service.name', 'service.version'])
  // The key is looked up before the body is read, the vehicles are stored after it.
  const group = one(childrenOf(spans, request), 'group commit')
  const byRequest = childrenOf(spans, request).map(({ attributes }) => String(attributes['db.query.text']))
  expect(byRequest).toContainEqual(expect.stringContaining('from station_key'))
  const stored = childrenOf(spans, group)
  expect(stored.map(({ name }) => name)).toEqual(expect.arrayContaining(['begin', 'commit']))
  const insert = stored.find(({ attributes }) => /insert into vehicle\b/.test(String(attributes['db.query.text'])))
  expect(insert).toMatchObject({ kind: 3, traceId: request.traceId })
  expect(insert?.attributes['db.system.name']).toBe('postgresql')
  expect(insert?.attributes['db.query.text']).toMatch(/\$\d/)
  for (const span of spans) expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))

  const read = one(spans, `GET ${API_BASE}${listLocations.path}`)
  expect(childrenOf(spans, read)).not.toEqual([])
  // Rows of a report are read while it is sent.
  const download = one(spans, /^GET .*\/reports\/:/)
  expect(childrenOf(spans, download).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['begin', 'declare', 'fetch']),
  )
  // Statements without a request, such as those of leaders, are not traced.
  const ids = new Set(spans.map(({ spanId }) => spanId))
  for (const { name, parentSpanId } of spans)
    if (parentSpanId === undefined) expect(name).toMatch(/^(GET|POST) /)
    else expect(ids).toContain(parentSpanId)
})

test('posts that are stored together share the span of the first one and are linked', async () => {
  const collector = await startCollector()
  const { api, stop } = await tracedPortal({ otlpEndpoint: collector.url })
  const station = await api.station()
  await send(station, [car(1)])
  await Promise.all(Array.from({ length: 20 }, (_, at) => send(station, [car(2 + at)])))
  await stop()
  const spans = collector.spans()
  const groups = spans.filter(({ name }) => name === 'group commit')
  const sizes = groups.map(({ attributes }) => Number(attributes['rogatka.group_size']))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(21)
  expect(groups.length).toBeLessThan(21)
  const requests = spans.filter(({ name }) => name === POST).map(({ spanId }) => spanId)
  const named = groups.flatMap(({ parentSpanId, links = [] }) => [parentSpanId, ...links.map(({ spanId }) => spanId)])
  expect(named.toSorted()).toEqual(requests.toSorted())
  for (const group of groups) expect(childrenOf(spans, group)).not.toEqual([])
})

test('jobs and webhooks are traces of their own, and the receiver gets the id of its trace', async () => {
  const collector = await startCollector()
  const receiver = await startReceiver()
  const webhookCa = join(tmpdir(), `rogatka-ca-${randomBytes(8).toString('hex')}.pem`)
  await writeFile(webhookCa, receiver.cert)
  const { api, stop } = await tracedPortal({
    otlpEndpoint: collector.url,
    webhookAllow: ['127.0.0.0/8'],
    webhookCa,
    secretKey: randomBytes(32),
  })
  const by = await api.as('Exchange', 'ArchiveMeasurements')
  const webhook = {
    name: 'GITD',
    url: receiver.url,
    events: ['vehicle.overloaded' as const],
    locationIds: null,
    ctg8p1: null,
    minExcess: null,
    plates: true,
  }
  expect((await by.call(addWebhook, { body: webhook })).status).toBe(200)
  const axle = { leftWeight: 9_000, rightWeight: 9_000, gap: 0 }
  await send(await api.station(), [car(1, { ctg8p1: 3, axles: [axle, { ...axle, gap: 450 }] })])
  await eventually(() => expect(receiver.received).toHaveLength(1))
  await api.db.execute(sql`update app_user set email = 'anna@example.org' where id = ${by.userId}`)
  expect((await api.anyone.call(resetPassword, { body: { email: 'anna@example.org' } })).status).toBe(204)
  await api.runJobs()
  expect(api.sent).toHaveLength(1)
  await stop()
  const spans = collector.spans()
  const attempt = one(spans, 'webhook attempt')
  expect(attempt.parentSpanId).toBeUndefined()
  const sent = one(childrenOf(spans, attempt), 'POST')
  expect(sent.attributes).toEqual({ 'http.request.method': 'POST', 'http.response.status_code': 204 })
  expect(receiver.received[0]?.headers.traceparent).toBe(`00-${sent.traceId}-${sent.spanId}-01`)
  expect(childrenOf(spans, attempt).length).toBeGreaterThan(1)
  const job = one(spans, /^job deliver/)
  expect(job.parentSpanId).toBeUndefined()
  expect(childrenOf(spans, job)).not.toEqual([])
})

/** All that spans may say of what they record. */
const ATTRIBUTES = [
  'db.query.text',
  'db.response.returned_rows',
  'db.system.name',
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'rogatka.group_size',
  'rogatka.job',
  'rogatka.request_id',
  'rogatka.spans_left_out',
  'rogatka.webhook_id',
]

test('exported spans have no value of a request, an address, a token or an error', async () => {
  const collector = await startCollector()
  const { api, stop } = await tracedPortal({
    otlpEndpoint: collector.url,
    trustProxy: true,
    secretKey: randomBytes(32),
  })
  const station = await api.station()
  const plate = 'WPR8K47M'
  await send(station, [car(1, { plateLpr: plate })])
  await sendImage(station, car(1), 'front', await jpeg())
  const anonymising = permissionsOf('Anonymization')
  const all = rights.flatMap(permissionsOf).filter((permission) => !anonymising.includes(permission))
  let user = await api.withPermissions(all)
  const secrets = [
    plate,
    String(station.token),
    String(user.token),
    PASSWORD,
    '203.0.113.77',
    'Pociskowa',
    'tajne-zapytanie',
  ]
  const wanted = { plateLpr: plate, typeOfList: 0 as const, description: 'Pociskowa' }
  for (const _ of [1, 2]) expect((await user.call(addPlate, { body: wanted })).status).toBeGreaterThan(0)
  for (const username of [user.username, 'Pociskowa'])
    expect((await api.anyone.call(login, { body: { username, password: PASSWORD } })).status).toBeGreaterThan(0)
  expect((await api.anyone.call(resetPassword, { body: { email: 'anna@Pociskowa.example' } })).status).toBe(204)
  // The error of the database named the value.
  await expect(rootSpan('statement', {}, () => api.db.query(sql`select ${plate}::text::int`))).rejects.toThrow(
    'integer',
  )

  const random = seededRandom(7)
  const known = {
    plateLpr: [plate, `${plate.slice(0, 5)}*`],
    locationId: [7],
    locations: ['7'],
    createdAt: ['2026-10-20T07:59:58.000Z'],
    dateTimeStart: ['2026-10-20T00:00:00Z'],
    dateTimeEnd: ['2026-10-21T00:00:00Z'],
    description: ['Pociskowa'],
    name: ['Pociskowa'],
    password: [PASSWORD],
  }
  const statuses = new Map<number, number>()
  for (const operation of listOperations(api.app))
    for (const extra of ['', '&tajne-zapytanie=1']) {
      const { method, url, payload, headers } = randomRequest(operation, random, known, await jpeg())
      const token = String((operation.description === 'Access: station' ? station : user).token)
      const { statusCode } = await inject(api.app.api.http, {
        method: method.toUpperCase(),
        url: url + extra,
        headers: { ...headers, authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.77' },
        ...(payload !== undefined && { payload }),
      } as InjectOptions)
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
      // Some end the session or disable the user.
      if (statusCode === 401) user = await api.withPermissions(all)
      secrets.push(token)
      for (const part of url.split(/[/?&=]/)) {
        const text = decoded(part)
        // Times are of the test clock, and others are too short to be found by accident.
        if (/\d/.test(text) && text.length > 7 && !operation.path.includes(text)) secrets.push(text)
      }
    }
  const succeeded = (statuses.get(200) ?? 0) + (statuses.get(204) ?? 0)
  expect(succeeded, JSON.stringify([...statuses])).toBeGreaterThan(100)
  await api.runJobs()
  await stop()

  const spans = collector.spans()
  expect(spans.length).toBeGreaterThan(500)
  const exported = collector.text()
  expect(secrets.length).toBeGreaterThan(300)
  expect(secrets.filter((secret) => exported.includes(secret))).toEqual([])
  expect(/127\.0\.0\.1(?!:)|203\.0\.113/.exec(exported)).toBeNull()
  const names = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)))
  expect([...names].filter((name) => !ATTRIBUTES.includes(name))).toEqual([])
  for (const { status } of spans) expect(status.message).toBeUndefined()
  expect(one(spans, 'statement')).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': '22P02' } })
})

test('a message by MQTT is a span with the transaction that stored it, without its topic', async () => {
  const collector = await startCollector()
  const mqtt = { host: '127.0.0.1', port: await freePort(), certificate: null }
  const { api, stop } = await tracedPortal({ otlpEndpoint: collector.url, mqtt })
  const { token } = await api.station()
  const client = await connectStation(`mqtt://127.0.0.1:${mqtt.port}`, token)
  await publishVehicles(client, [car(1)])
  await stop()
  const message = one(collector.spans(), 'mqtt publish')
  expect([message.parentSpanId, message.attributes]).toEqual([undefined, {}])
  expect(childrenOf(collector.spans(), message).map(({ name }) => name)).toContain('group commit')
})

/** Decoded if it is encoded correctly. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

/** The spans of requests to stations with a header, by its value. */
async function spansOfCallers(settings: Partial<Config>, headers: Record<string, string>[]) {
  const collector = await startCollector()
  const { api, stop } = await tracedPortal({ ...settings, otlpEndpoint: collector.url })
  const user = await api.as('ArchiveMeasurements')
  for (const sent of headers) await user.call(listLocations, { headers: sent })
  await stop()
  return collector.spans().filter(({ name }) => name.startsWith('GET '))
}

test('a share of 0 % samples nothing but what a trusted proxy has begun, and an untrusted caller decides nothing', async () => {
  const traceparent = `00-${TRACE}-${PARENT}-01`
  const forwarded = { 'x-forwarded-for': '192.0.2.1' }
  const headers: Record<string, string>[] = [{ ...forwarded, traceparent }, forwarded, { traceparent }]
  const trusted = await spansOfCallers({ tracesPercent: 0, trustProxy: true }, headers)
  expect(trusted.map(({ traceId, parentSpanId }) => [traceId, parentSpanId])).toEqual([[TRACE, PARENT]])
  expect(await spansOfCallers({ tracesPercent: 0 }, headers)).toEqual([])
  const own = await spansOfCallers({ tracesPercent: 100, trustProxy: ['10.0.0.0/8'] }, headers)
  expect(own).toHaveLength(3)
  for (const { traceId, parentSpanId } of own) expect([traceId === TRACE, parentSpanId]).toEqual([false, undefined])
  const unsampled = [{ ...forwarded, traceparent: `00-${TRACE}-${PARENT}-00` }]
  expect(await spansOfCallers({ tracesPercent: 100, trustProxy: true }, unsampled)).toEqual([])
})

test.each([
  [`00-${TRACE}-${PARENT}-01`, 1],
  [`00-${TRACE}-${PARENT}-03`, 1],
  [`00-${TRACE}-${PARENT}-00`, 0],
  // A later version may have more.
  [`cc-${TRACE}-${PARENT}-01-what-the-future-brings`, 1],
  [`00-${TRACE}-${PARENT}-01-x`, null],
  [`ff-${TRACE}-${PARENT}-01`, null],
  [`00-${'0'.repeat(32)}-${PARENT}-01`, null],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, null],
  [`00-${TRACE.toUpperCase()}-${PARENT}-01`, null],
  ['', null],
])('reads the header traceparent %s as W3C Trace Context says', (header, flags) => {
  expect(parseTraceparent(header)?.traceFlags ?? null).toBe(flags)
})

test('samples about the share of the settings, and of a trace all spans or none', async () => {
  const collector = await startCollector()
  const { api, stop } = await tracedPortal({ otlpEndpoint: collector.url, tracesPercent: 25 })
  const user = await api.as('ArchiveMeasurements')
  for (let time = 0; time < 200; time++) await user.call(listLocations)
  await stop()
  const spans = collector.spans()
  const requests = spans.filter(({ parentSpanId }) => parentSpanId === undefined)
  // 200 draws at 25 %: 50 ± 5 standard deviations of 6.1.
  expect(requests.length).toBeGreaterThan(20)
  expect(requests.length).toBeLessThan(80)
  for (const request of requests) expect(childrenOf(spans, request)).not.toEqual([])
})

test('a trace has at most 1,000 spans in a process and says how many were left out', async () => {
  const collector = await startCollector()
  const { api, stop } = await tracedPortal({ otlpEndpoint: collector.url })
  await rootSpan('job many', {}, async () => {
    for (let time = 0; time < 1_010; time++) await api.db.query(sql`select ${time}::int`)
  })
  await stop()
  const spans = collector.spans()
  expect(spans).toHaveLength(1_001)
  expect(one(spans, 'job many').attributes).toEqual({ 'rogatka.spans_left_out': 10 })
})

test('work that outlives its span belongs to none', async () => {
  const collector = await startCollector()
  const { api, stop } = await tracedPortal({ otlpEndpoint: collector.url })
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let late: Promise<unknown> | undefined
  await rootSpan('job short', {}, async () => {
    await api.db.query(sql`select 1`)
    late = ended.then(() => api.db.query(sql`select 2`))
  })
  end()
  await late
  await stop()
  const spans = collector.spans()
  expect(childrenOf(spans, one(spans, 'job short'))).toHaveLength(1)
  expect(spans).toHaveLength(2)
})

test('a cursor stays in its span while its consumer pauses elsewhere', async () => {
  const collector = await startCollector()
  const { api, stop } = await tracedPortal({ otlpEndpoint: collector.url })
  const rows = streamFromSnapshot(api.db, async function* (db) {
    for (let time = 0; time < 3; time++) yield await db.query(sql`select ${time}::int as n`)
  })
  await rootSpan('first', {}, async () => {
    await rows.next()
    await rootSpan('second', {}, async () => {
      await rows.next()
      expect(activeSpan()?.isRoot).toBe(true)
    })
    for await (const _ of rows);
  })
  await stop()
  const spans = collector.spans()
  // Nobody waits for its end.
  expect(childrenOf(spans, one(spans, 'first')).map(({ name }) => name)).toEqual([
    'begin',
    'select',
    'select',
    'select',
  ])
})

/** Requests and a stop of a portal whose collector is out of order; returns its warnings. */
async function withCollector(otlpEndpoint: string) {
  const { api, stop, warnings } = await tracedPortal({ otlpEndpoint })
  const user = await api.as('ArchiveMeasurements')
  const call = async () => expect((await user.call(listLocations)).status).toBe(200)
  return { call, stop, warnings, user, api }
}

test('an unavailable collector fails nothing, and is logged once a minute', async () => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as { port: number }
  await new Promise((resolve) => closed.close(resolve))
  const { call, stop, warnings } = await withCollector(`http://127.0.0.1:${port}`)
  for (let time = 0; time < 20; time++) await call()
  await eventually(() => expect(warnings).toHaveLength(1))
  await call()
  await stop()
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toEqual([
    { spans: expect.any(Number), reason: expect.stringContaining('ECONNREFUSED') },
    'telemetry: spans could not be sent',
  ])
})

test('a collector that refuses, or is slow, or silent, neither fails nor delays requests nor the stop', async () => {
  const refusing = await startService((response) => response.writeHead(400).end('no: WPR8K47M'))
  const refused = await withCollector(`http://${refusing.address}`)
  await refused.call()
  await refused.stop()
  await eventually(() => expect(refused.warnings).toHaveLength(1))
  expect(JSON.stringify(refused.warnings)).not.toContain('WPR')

  for (const respond of [
    (response: import('node:http').ServerResponse) => void setTimeout(() => response.end('{}'), 1_000),
    () => {},
  ]) {
    const collector = await startCollector(respond)
    const { call, stop } = await withCollector(collector.url)
    for (let time = 0; time < 50; time++) await call()
    await eventually(() => expect(collector.requests.length).toBeGreaterThan(0))
    await call()
    await stop()
    expect(activeSpan()).toBeUndefined()
    collector.hangUp()
  }
})

/** Names the modules of OpenTelemetry that a process loads, on standard error. */
const WATCH = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => {
  if (url.includes('@opentelemetry')) process.stderr.write('loaded: ' + url + '\\n')
  return next(url, context)
} })`

test('several processes send traces, also what is left when they stop, and load nothing while they are off', async () => {
  const api = await testApi()
  const collector = await startCollector()
  const env = { DATABASE_URL: api.url, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WATCH)}` }
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=waga' }
  const [off, portal] = await Promise.all([
    startProcess(env),
    startProcess({ ...env, ...endpoint, TRACES_PERCENT: '100', WORKERS: '2' }),
  ])
  expect(workersOf(portal.pid)).toHaveLength(2)
  for (let time = 0; time < 12; time++)
    for (const { address } of [off, portal]) {
      const answer = await fetch(`${address}${API_BASE}/build`, { headers: { connection: 'close' } })
      expect(answer.status).toBe(200)
    }
  expect(await portal.signIn(PASSWORD)).toBe(200)
  await portal.stop()
  // The API, which a library of metrics loads, does nothing by itself.
  expect(portal.output()).toMatch(/loaded: .*@opentelemetry\/sdk-trace/)
  expect(off.output()).not.toMatch(/loaded: .*@opentelemetry\/(?!api\/)/)
  const spans = collector.spans()
  const instances = new Set(spans.map(({ resource }) => resource['service.instance.id']))
  expect(instances.size).toBe(2)
  const signedIn = one(spans, `POST ${API_BASE}${login.path}`)
  expect(childrenOf(spans, signedIn).length).toBeGreaterThan(2)
  for (const { headers } of collector.requests) expect(headers['x-tenant']).toBe('waga')
})
