import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as endpoints from '@rogatka/contract/tickets.ts'
import { expect, test } from 'vitest'
import { createHttp } from '../core/http.ts'
import { type TestApi, testApi } from '../testing/test-api.ts'
import { form } from './testing.ts'

const MB = 1024 * 1024
const FILE = { name: 'x.txt', bytes: Buffer.alloc(9 * MB, 'x') }
/** More than socket buffers hold: once sent, the server is reading it. */
const MUCH = 14 * MB

async function listeningApi(): Promise<TestApi> {
  const api = await testApi()
  await api.app.api.http.listen({ port: 0, host: '127.0.0.1' })
  return api
}

/** A report whose body is sent in parts, as over a slow connection. */
function slowReport(api: TestApi, token: string | undefined, headers: Record<string, string | number>) {
  const { port } = api.app.api.http.server.address() as AddressInfo
  const sent = httpRequest({
    port,
    path: '/api/v1/tickets',
    method: 'POST',
    agent: false,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  const status = once(sent, 'response').then(([response]) => {
    response.resume()
    return response.statusCode as number
  })
  // The connection may be closed while the body is still being sent.
  sent.on('error', () => {})
  status.catch(() => {})
  return { sent, status }
}

test('refuses a JSON report above 1 MB before its end, by Content-Length or by received bytes', async () => {
  const api = await listeningApi()
  const { token } = await api.as('Tickets')
  const type = { 'content-type': 'application/json' }
  const said = slowReport(api, token, { ...type, 'content-length': 40 * MB })
  said.sent.write('{')
  expect(await said.status).toBe(413)
  const come = slowReport(api, token, { ...type, 'transfer-encoding': 'chunked' })
  come.sent.write(Buffer.alloc(2 * MB, ' '))
  expect(await come.status).toBe(413)
  for (const { sent } of [said, come]) sent.destroy()
})

test('refuses a form above the file limits before its end, and on endpoints without forms', async () => {
  const api = await listeningApi()
  const { token } = await api.as('Tickets')
  const { headers } = form({})
  const long = slowReport(api, token, { ...headers, 'transfer-encoding': 'chunked' })
  for (let part = 0; part < 52; part++) long.sent.write(Buffer.alloc(MB))
  expect(await long.status).toBe(413)
  long.sent.destroy()
  const login = await api.app.api.http.inject({ method: 'POST', url: '/api/v1/login', payload: 'x', headers })
  expect(login.statusCode).toBe(415)
})

test('queues a second upload of a user but not of others, and frees the slot of an aborted one', async () => {
  const api = await listeningApi()
  const [user, other] = [await api.as('Tickets'), await api.as('Tickets')]
  const { payload, headers } = form({ description: 'x' }, FILE, FILE)
  const half = async () => {
    const report = slowReport(api, user.token, { ...headers, 'content-length': payload.length })
    await new Promise((resolve) => report.sent.write(payload.subarray(0, MUCH), resolve))
    return report
  }
  const order: string[] = []
  const first = await half()
  const second = slowReport(api, user.token, { ...headers, 'content-length': payload.length })
  second.sent.end(payload)
  const secondStatus = second.status.then((status) => {
    order.push('second')
    return status
  })
  const another = slowReport(api, other.token, { ...headers, 'content-length': payload.length })
  another.sent.end(payload)
  expect(await another.status).toBe(415)
  order.push('other')
  first.sent.end(payload.subarray(MUCH))
  // Text files are not accepted.
  expect(await first.status).toBe(415)
  expect(await secondStatus).toBe(415)
  expect(order).toEqual(['other', 'second'])

  const broken = await half()
  broken.sent.destroy()
  const wrong = await user.call(endpoints.addAttachments, { ...form({}, FILE), params: { id: 'x' as never } })
  expect(wrong.status).toBe(400)
  const last = slowReport(api, user.token, { ...headers, 'content-length': payload.length })
  last.sent.end(payload)
  expect(await last.status).toBe(415)
})

test('a stalled body ends with 408', async () => {
  const api = await testApi()
  const http = await createHttp(api.app.api.config, undefined, 200)
  http.post('/slow', async () => ({}))
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  const headers = { 'content-type': 'application/json', 'content-length': 10 }
  const sent = httpRequest({ port, path: '/slow', method: 'POST', agent: false, headers })
  sent.on('error', () => {})
  sent.write('{')
  const [response] = await once(sent, 'response')
  expect(response.statusCode).toBe(408)
  expect(http.server.requestTimeout).toBeGreaterThan(10 * 60_000)
  await http.close()
})
