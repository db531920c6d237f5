import { login, ping } from '@rogatka/contract/session.ts'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { PASSWORD, testApi } from './testing.ts'

test('every refusal has the documented form, whatever goes wrong before a route is reached', async () => {
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

test('an unexpected error says nothing of the inside', async () => {
  const api = await testApi()
  await api.sql`alter table login_failure rename to something_else`
  const { status, errors } = await api.anyone.call(login, { body: { username: 'a', password: 'b' } })
  expect(status).toBe(500)
  expect(errors).toEqual([{ path: null, code: 'internal-error', userMessage: expect.not.stringContaining('login') }])
})

test('answers 503 while the database is away, and recovers by itself', async () => {
  const api = await testApi()
  const user = await api.as('Stat')
  const attempt = () => api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })
  const bringBack = await api.loseDatabase()

  const away = await attempt()
  expect([away.status, away.errors[0]?.code]).toEqual([503, 'unavailable'])
  expect((await api.app.api.http.inject('/readyz')).statusCode).toBe(503)
  // A station must not take an outage for a wrong key, nor a browser for a dead session.
  expect((await api.client(user.token).call(ping)).status).toBe(503)

  await bringBack()
  await expect.poll(async () => (await attempt()).status).toBe(200)
})

test('describes itself: every call with its access, and a page to read it', async () => {
  const api = await testApi()
  const http = api.app.api.http
  const { paths } = (await http.inject('/api/v1/openapi.json')).json()
  expect(paths['/api/v1/login'].post.description).toBe('Access: public')
  expect(paths['/api/v1/current-vehicles/check'].get.description).toBe('Access: CurrentMeasurements')
  expect((await http.inject('/api/docs/')).statusCode).toBe(200)
})

test('tells its watchers that it lives, is ready, and how it fares', async () => {
  const api = await testApi()
  const http = api.app.api.http
  expect((await http.inject('/healthz')).statusCode).toBe(200)
  await expect.poll(async () => (await http.inject('/readyz')).statusCode).toBe(200)
  expect((await http.inject('/metrics')).body).toContain('http_request_duration_seconds_bucket')
})

test('sends the security headers with everything', async () => {
  const api = await testApi()
  const { headers } = await api.app.api.http.inject('/healthz')
  expect(headers['content-security-policy']).toContain("script-src 'self'")
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['x-content-type-options']).toBe('nosniff')
})
