import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { report as activityReport } from '@rogatka/contract/activity.ts'
import { check } from '@rogatka/contract/current.ts'
import { type Endpoint, rateClasses } from '@rogatka/contract/endpoint.ts'
import { post, putImage } from '@rogatka/contract/ingest.ts'
import { list as locations } from '@rogatka/contract/locations.ts'
import { login, logout, ping, setPassword } from '@rogatka/contract/session.ts'
import { add as addTicket } from '@rogatka/contract/tickets.ts'
import { bulkDelete } from '@rogatka/contract/users.ts'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import type { Config } from '../config.ts'
import { type Client, PASSWORD, type TestApi, testApi } from '../testing/test-api.ts'
import { sql } from './statement.ts'

test('errors before a route is reached have the documented format', async () => {
  const api = await testApi()
  const http = api.app.api.http
  const ask = async (options: InjectOptions) => {
    const answer = await http.inject(options)
    return { status: answer.statusCode, errors: answer.json(), id: answer.headers['x-request-id'] }
  }
  const post = (payload: string | Buffer, type = 'application/json') =>
    ask({ method: 'POST', url: '/api/v1/login', payload, headers: { 'content-type': type } })

  const answers = {
    400: await post('{ not json'),
    404: await ask({ method: 'GET', url: '/api/v1/nothing-here' }),
    413: await post(JSON.stringify({ username: 'x'.repeat(2_000_000) })),
    415: await post('username=admin', 'text/plain'),
  }
  const addresses = [
    [400, await ask({ method: 'GET', url: '/api/v1/users/%' })],
    [404, await ask({ method: 'GET', url: `/api/v1/reports/${'x'.repeat(300)}` })],
  ] as const
  for (const [status, answer] of [...Object.entries(answers), ...addresses]) {
    expect(answer.status).toBe(Number(status))
    expect(answer.errors).toEqual([
      { path: null, code: expect.any(String), userMessage: expect.stringMatching(/^\p{L}/u) },
    ])
    expect(answer.id).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('a request that cannot be parsed gets an error in the documented format', async () => {
  const { http } = (await testApi()).app.api
  const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
  const ask = async (request: string) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(request))
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    return { status: head.split(' ')[1], length: /^content-length: (\d+)$/im.exec(head)?.[1], body }
  }
  const requests = {
    '431 too-large': `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    '400 bad-request': 'nonsense\r\n\r\n',
  }
  for (const [expected, request] of Object.entries(requests)) {
    const { status, length, body } = await ask(request)
    const errors = JSON.parse(body)
    expect(errors).toEqual([{ path: null, code: expect.any(String), userMessage: expect.stringMatching(/^\p{L}/u) }])
    expect(`${status} ${errors[0].code}`).toBe(expected)
    expect(Number(length)).toBe(Buffer.byteLength(body))
  }
})

test('an unexpected error reveals no internals', async () => {
  const api = await testApi()
  await api.db.execute(sql`alter table login_failure rename to something_else`)
  const { status, errors } = await api.anyone.call(login, { body: { username: 'a', password: 'b' } })
  expect(status).toBe(500)
  expect(errors).toEqual([{ path: null, code: 'internal-error', userMessage: expect.not.stringContaining('login') }])
})

test('returns 503 while the database is unavailable, and recovers', async () => {
  const api = await testApi()
  const user = await api.as('Stat')
  const attempt = () => api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })
  const bringBack = await api.loseDatabase()

  const away = await attempt()
  expect([away.status, away.errors[0]?.code]).toEqual([503, 'unavailable'])
  expect((await api.app.api.http.inject('/readyz')).statusCode).toBe(503)
  // An outage must not look like a wrong station key or an ended session.
  expect((await api.client(user.token).call(ping)).status).toBe(503)

  await bringBack()
  await expect.poll(async () => (await attempt()).status).toBe(200)
})

test('serves OpenAPI with the access of every endpoint, and a page for it', async () => {
  const api = await testApi()
  const http = api.app.api.http
  const { paths } = (await http.inject('/api/v1/openapi.json')).json()
  expect(paths['/api/v1/login'].post.description).toBe('Access: public')
  expect(paths['/api/v1/current-vehicles/check'].get.description).toBe('Access: CurrentMeasurements, devices, systems')
  expect((await http.inject('/api/docs/')).statusCode).toBe(200)
})

test('serves health, readiness and metrics', async () => {
  const api = await testApi()
  const http = api.app.api.http
  expect((await http.inject('/healthz')).statusCode).toBe(200)
  await expect.poll(async () => (await http.inject('/readyz')).statusCode).toBe(200)
  expect((await http.inject('/metrics')).body).toContain('http_request_duration_seconds_bucket')
})

test('serves metrics under their literal path only, so that a percent-encoded one passes no rule of a proxy', async () => {
  const api = await testApi()
  const status = async (url: string) => (await api.app.api.http.inject(url)).statusCode
  expect(await status('/metrics?name[]=rogatka_ready')).toBe(200)
  for (const url of ['/%6detrics', '/metric%73', '/%6Detrics?x=/metrics']) expect(await status(url), url).toBe(404)
})

test('refuses requests above a rate limit, by address or user, with Retry-After', async () => {
  const api = await testApi()
  const [one, other] = [await api.withPermissions(['ROLE_20']), await api.withPermissions(['ROLE_20'])]
  const order = (caller: Client) =>
    caller.call(activityReport, { query: { dateTimeStart: '2026-10-20T00:00Z', dateTimeEnd: '2026-10-20T00:00Z' } })
  for (let i = 0; i < rateClasses.report.max; i++) expect((await order(one)).status).toBe(400)
  const refused = await order(one)
  expect([refused.status, refused.errors[0]?.code]).toEqual([429, 'too-many-requests'])
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(rateClasses.report.seconds)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await order(other)).status).not.toBe(429)

  const guess = (i: number) =>
    api.anyone.call(setPassword, { body: { email: 'a@example.org', token: `guess-${i}`, password: '' } })
  for (let i = 0; i < rateClasses['sign-in'].max; i++) expect((await guess(i)).status).toBe(400)
  expect((await guess(-1)).status).toBe(429)
  // One rate class for all sign-in endpoints of an address; existing sessions are not affected.
  expect((await api.anyone.call(login, { body: { username: 'a', password: 'b' } })).status).toBe(429)
  expect((await one.call(ping)).status).toBe(204)
})

test('takes the client address only from a trusted proxy, as its last entry', async () => {
  const failed = async (trustProxy: Config['trustProxy']) => {
    const api = await testApi({ trustProxy })
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9', 'x-forwarded-proto': 'https' }
    const { status, headers: answered } = await api.anyone.call(login, {
      body: { username: 'a', password: 'b' },
      headers,
    })
    expect(status).toBe(401)
    const [row] = await api.db.query<{ ip: string }>(sql`select ip from login_failure`)
    return [row?.ip, answered['strict-transport-security']]
  }
  const overTls = 'max-age=31536000; includeSubDomains'
  expect(await failed(true)).toEqual(['203.0.113.9', overTls])
  expect(await failed(['127.0.0.1'])).toEqual(['203.0.113.9', overTls])
  expect(await failed(['192.0.2.7'])).toEqual(['127.0.0.1', undefined])
  expect(await failed(false)).toEqual(['127.0.0.1', undefined])
})

test('logs a refusal with address, user and reason, but without credentials', async () => {
  const api = await testApi({ logLevel: 'info' })
  const user = await api.as('Stat')
  const guess = { username: 'guessed-name', password: 'guessed-word' }
  expect((await api.anyone.call(login, { body: guess })).status).toBe(401)
  expect((await user.call(bulkDelete, { body: [1] })).status).toBe(403)
  const lines = api.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'refused')
  expect(lines).toMatchObject([
    { ip: '127.0.0.1', method: 'POST', url: '/api/v1/login', status: 401, code: 'wrong-username-or-password' },
    { ip: '127.0.0.1', url: '/api/v1/users/bulk-delete', status: 403, code: 'forbidden', userId: user.userId },
  ])
  expect(JSON.stringify(lines)).not.toContain('guessed')
})

test('refuses a body above the limit of its route', async () => {
  const api = await testApi()
  const station = await api.station()
  const json = { 'content-type': 'application/json' }
  const long = (bytes: number) => `["${'x'.repeat(bytes)}"]`
  const user = await api.withPermissions(['ROLE_7', 'ROLE_20'])
  const MB = 1024 * 1024
  const picture = (bytes: number) =>
    station.call(putImage, {
      params: { sequence: 1, type: 'front' },
      query: { createdAt: '2026-10-20T07:59:58.000Z' },
      payload: Buffer.alloc(bytes),
      headers: { 'content-type': 'image/jpeg' },
    })
  expect((await user.call(bulkDelete, { payload: long(MB), headers: json })).status).toBe(413)
  expect((await user.call(bulkDelete, { payload: long(MB - 100), headers: json })).status).toBe(400)
  expect((await station.call(post, { payload: long(8 * MB), headers: json })).status).toBe(413)
  expect((await station.call(post, { payload: long(2 * MB), headers: json })).status).not.toBe(413)
  expect((await picture(2 * MB + 1)).status).toBe(413)
  expect((await picture(2 * MB)).status).not.toBe(413)
})

test('limits JSON of unauthenticated callers, of tickets, and its depth', async () => {
  const api = await testApi()
  const user = await api.withPermissions(['ROLE_7', 'ROLE_38', 'ROLE_20'])
  const json = { 'content-type': 'application/json' }
  const status = async (caller: Client, endpoint: Endpoint, payload: string) =>
    (await caller.call(endpoint, { payload, headers: json })).status
  const credentials = (length: number) => JSON.stringify({ username: 'x'.repeat(length - 30), password: 'y' })
  expect(credentials(4_096)).toHaveLength(4_096)
  expect(await status(api.anyone, login, credentials(4_096))).not.toBe(413)
  expect(await status(api.anyone, login, credentials(4_097))).toBe(413)

  const MB = 1024 * 1024
  const ticket = (bytes: number) => JSON.stringify({ description: 'x'.repeat(bytes) })
  expect(await status(user, addTicket, ticket(MB - 100))).toBe(400)
  expect(await status(user, addTicket, ticket(MB))).toBe(413)
  // Without the limit the process was blocked for 1.5 to 11 s.
  expect(await status(user, addTicket, '['.repeat(MB))).toBe(400)

  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const codeOf = async (depth: number) =>
    (await user.call(bulkDelete, { payload: nested(depth), headers: json })).errors[0]?.code
  expect([await codeOf(32), await codeOf(33)]).toEqual(['invalid-number', 'bad-request'])
})

test('counts requests of an address, known paths or not, but no health checks', async () => {
  const http = (await testApi({ requestsPerMinute: 3 })).app.api.http
  const status = async (url: string) => (await http.inject(url)).statusCode
  expect([await status('/api/v1/build'), await status('/api/v1/nothing-here'), await status('/robots.txt')]).toEqual([
    200, 404, 200,
  ])
  expect([await status('/healthz'), await status('/api/v1/build'), await status('/healthz')]).toEqual([200, 429, 200])
})

test('an address above its request limit is refused before authentication', async () => {
  const http = (await testApi({ requestsPerMinute: 1 })).app.api.http
  await http.inject('/api/v1/build')
  const refused = await http.inject('/api/v1/users/self')
  expect([refused.statusCode, refused.json()[0].code]).toEqual([429, 'too-many-requests'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const neighbour = { remoteAddress: '192.0.2.7', url: '/api/v1/users/self' }
  expect((await http.inject(neighbour)).statusCode).toBe(401)
})

test('REQUESTS_PER_MINUTE applies per session and station key, and per address without a valid one', async () => {
  const api = await testApi({ requestsPerMinute: 5 })
  const [one, two] = [await api.as('Stat'), await api.as('Stat')]
  const station = await api.station()
  const statuses = async (caller: Client, endpoint: Endpoint, times: number) => {
    const found: number[] = []
    for (let time = 0; time < times; time++) found.push((await caller.call(endpoint)).status)
    return found
  }
  // The first request of each token is not known yet, and counts for the address.
  for (const user of [one, two]) expect(await statuses(user, ping, 7)).toEqual([...Array(6).fill(204), 429])
  expect(await statuses(station, post, 7)).toEqual([...Array(6).fill(400), 429])
  // Three of the five are used; two remain for invented tokens, whichever they are.
  for (const token of ['a', 'b']) expect((await api.client(token).call(ping)).status).toBe(401)
  // Then a tenth of the limit is looked up.
  expect((await api.client('c').call(ping)).status).toBe(401)
  expect((await api.client('d').call(ping)).status).toBe(429)
})

test('limits count the requests of all processes, whichever responds', async () => {
  const one = await testApi({ requestsPerMinute: 50 })
  const two = await testApi({ requestsPerMinute: 50 }, one)
  const [user, other] = [await one.as('Stat'), await one.as('Stat')]
  const statuses = async (api: TestApi, token: string | undefined, times: number) => {
    const client = api.client(token as string)
    const found: number[] = []
    for (let time = 0; time < times; time++) found.push((await client.call(ping)).status)
    return found
  }
  // The first request of a token is not known yet, and counts for the address.
  for (const api of [one, two]) for (const { token } of [user, other]) await statuses(api, token, 1)
  expect(await statuses(one, user.token, 40)).not.toContain(429)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await statuses(two, user.token, 12)).toEqual([...Array(10).fill(204), 429, 429])
  expect(await statuses(two, other.token, 12)).not.toContain(429)

  for (const api of [one, two]) api.clock.now = new Date(api.clock.now.getTime() + 60_000)
  expect(await statuses(two, user.token, 12)).not.toContain(429)
})

test('ADDRESS_REQUESTS_PER_MINUTE limits all sessions and stations of an address together', async () => {
  const api = await testApi({ addressRequestsPerMinute: 12 })
  const [user, station] = [await api.as('Stat'), await api.station()]
  const statuses: number[] = []
  for (let time = 0; time < 7; time++) statuses.push((await user.call(ping)).status, (await station.call(post)).status)
  expect(statuses.indexOf(429)).toBe(12)
  const neighbour = { remoteAddress: '192.0.2.7', url: '/api/v1/build' }
  expect((await api.app.api.http.inject(neighbour)).statusCode).toBe(200)
})

test('a token that is no longer valid counts against its address again', async () => {
  const api = await testApi({ requestsPerMinute: 5 })
  const users = [await api.as('Stat'), await api.as('Stat'), await api.as('Stat')]
  const statuses = async (endpoint: Endpoint) => {
    const found: number[] = []
    for (const user of users) found.push((await user.call(endpoint)).status)
    return found
  }
  // Three of the five of the address, as the tokens are not known yet.
  expect(await statuses(ping)).toEqual([204, 204, 204])
  expect(await statuses(logout)).toEqual([204, 204, 204])
  expect(await statuses(ping)).toEqual([401, 401, 401])
  // Two are left to the address, and one lookup.
  expect(await statuses(ping)).toEqual([401, 401, 401])
  expect(await statuses(ping)).toEqual([429, 429, 429])
})

test('a session is looked up also if its neighbours have used up the limit of their address', async () => {
  const api = await testApi({ requestsPerMinute: 20 })
  const [first, second] = [await api.as('Stat'), await api.as('Stat')]
  const build = async () => (await api.app.api.http.inject('/api/v1/build')).statusCode
  for (let time = 0; time < 20; time++) await build()
  expect(await build()).toBe(429)
  // Two tokens of an address are looked up in a minute; a valid one then has its own limit.
  expect((await first.call(ping)).status).toBe(204)
  expect((await api.client('invented').call(ping)).status).toBe(401)
  expect((await api.client('invented').call(ping)).status).toBe(429)
  expect((await first.call(ping)).status).toBe(204)
  expect((await second.call(ping)).status).toBe(429)
  api.clock.now = new Date(api.clock.now.getTime() + 60_000)
  expect((await second.call(ping)).status).toBe(204)
})

test('robots.txt disallows crawlers', async () => {
  const api = await testApi()
  const { headers, body } = await api.app.api.http.inject('/robots.txt')
  expect(headers['content-type']).toContain('text/plain')
  expect(body).toBe('User-agent: *\nDisallow: /\n')
})

test('sends Cache-Control: no-store', async () => {
  const api = await testApi()
  expect((await api.app.api.http.inject('/api/v1/build')).headers['cache-control']).toBe('no-store')
})

test('clears the browser cache when a session ends, but not for requests without a token', async () => {
  const api = await testApi()
  const user = await api.as('Stat')
  const cleared = ({ status, headers }: { status: number; headers: Record<string, unknown> }) => [
    status,
    headers['clear-site-data'],
  ]
  expect(cleared(await user.call(ping))).toEqual([204, undefined])
  expect(cleared(await user.call(logout))).toEqual([204, '"cache"'])
  expect(cleared(await user.call(ping))).toEqual([401, '"cache"'])
  expect(cleared(await user.call(logout))).toEqual([401, '"cache"'])
  // Another site can cause requests without a token, but not with one.
  expect(cleared(await api.anyone.call(ping))).toEqual([401, undefined])
})

test('every response has a unique request ID', async () => {
  const api = await testApi()
  const [one, other] = await Promise.all([1, 2].map(() => api.app.api.http.inject('/api/v1/build')))
  expect(one?.headers['x-request-id']).toBeDefined()
  expect(one?.headers['x-request-id']).not.toBe(other?.headers['x-request-id'])
})

test('JSON responses of the API have only the headers that protect them', async () => {
  const user = await (await testApi()).as('CurrentMeasurements')
  const names = ['cache-control', 'connection', 'content-length', 'content-type', 'date']
  const protection = ['x-content-type-options', 'x-request-id']
  for (const endpoint of [check, locations]) {
    const { headers } = await user.call(endpoint)
    expect(Object.keys(headers).sort()).toEqual([...names, ...protection])
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
  }
})

test('sends security headers with pages, files and unknown paths', async () => {
  const api = await testApi()
  for (const url of ['/', '/api/v1/reports/nothing', '/api/v1/nothing-here', '/api/docs/', '/healthz', '/metrics']) {
    const { headers } = await api.app.api.http.inject(url)
    expect(headers, url).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'origin-agent-cluster': '?1',
      'x-dns-prefetch-control': 'off',
      'x-download-options': 'noopen',
      'x-permitted-cross-domain-policies': 'none',
      'x-xss-protection': '0',
    })
    const scripts = /script-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]
    expect(scripts, url).toBe("'self'")
    expect(headers['x-powered-by'], url).toBeUndefined()
  }
  const { headers } = await api.app.api.http.inject('/healthz')
  expect(headers['content-security-policy']).toContain("script-src 'self'")
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['content-security-policy']).toContain("default-src 'self'")
  expect(headers['content-security-policy']).toContain("script-src-attr 'none'")
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('stays ready after the database closes the idle connection of the check', async () => {
  const { app, db } = await testApi()
  const readiness = async () => (await app.api.http.inject('/readyz')).statusCode
  await expect.poll(readiness).toBe(200)
  const closed = await db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'select 1' and pid <> pg_backend_pid()`)
  expect(closed.length).toBeGreaterThan(0)
  await sleep(200)
  expect(await readiness()).toBe(200)
})
