import { addTag, image, list } from '@rogatka/contract/current.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { login, logout, ping } from '@rogatka/contract/session.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call, callBlob, callCached, callLink } from './call.ts'
import { serverNow } from './clock.ts'
import { connection, recordFailure } from './connection.ts'
import { errorMessage, showError } from './errors.ts'
import { ApiFailure, ServerUnavailable } from './failure.ts'
import { answerPurpose, callsWithoutPurpose } from './purpose.ts'
import { endSession, session, startSession } from './session.ts'
import { answerStepUp, waitingCalls } from './stepUp.ts'

type Answer = { status?: number; body?: unknown }

const requests: { url: string; init: RequestInit & { headers: Headers } }[] = []
let respond: (url: string) => Answer | Promise<Answer> = () => ({ body: {} })

beforeEach(() => {
  requests.length = 0
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init: { ...init, headers: new Headers(init.headers) } })
    const { status = 200, body } = await respond(url)
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers: { 'x-request-id': 'r1' } })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  endSession(null)
})

const refusal = (code: string, path: string | null = null) => [{ path, code, userMessage: `text of ${code}` }]
const last = () => requests.at(-1)

test('a call has its address, language and body, and no bearer without a session', async () => {
  respond = () => ({ body: { token: 'abc' } })
  await expect(call(login, { body: { username: 'ala', password: 'kot' } })).resolves.toEqual({ token: 'abc' })
  expect(last()?.url).toBe('/api/v1/login')
  expect(last()?.init.method).toBe('POST')
  expect(last()?.init.body).toBe('{"username":"ala","password":"kot"}')
  expect(last()?.init.headers.get('accept-language')).toBe('pl')
  expect(last()?.init.headers.has('authorization')).toBe(false)
})

test('the session is sent as a bearer to the portal', async () => {
  startSession('abc')
  respond = () => ({ body: { content: [], lastId: null } })
  await call(list, { query: { locations: [1, 2], withAxles: true, minSpeed: 0 } })
  expect(last()?.url).toBe('/api/v1/current-vehicles?locations=1,2&withAxles=true')
  expect(last()?.init.headers.get('authorization')).toBe('Bearer abc')
})

test('puts parameters into the path', async () => {
  respond = () => ({ body: { id: 1, private: true, type: 1, data: null, description: null } })
  await call(addTag, { params: { id: 8 }, query: { locationId: 3 }, body: {} })
  expect(last()?.url).toBe('/api/v1/current-vehicles/8/tags?locationId=3')
})

test('returns undefined for an empty body', async () => {
  respond = () => ({ status: 204 })
  await expect(call(logout)).resolves.toBeUndefined()
})

test('a refusal rejects with its message, status, errors and request number', async () => {
  respond = () => ({ status: 422, body: refusal('invalid-value', 'speed') })
  const failure = await call(readSelf).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiFailure)
  expect(failure).toMatchObject({ message: 'speed: text of invalid-value', status: 422, requestId: 'r1' })
})

test('a refused image rejects with the text alone', async () => {
  respond = () => ({ status: 404, body: refusal('image-not-found') })
  await expect(callBlob(image, { params: { id: 1, number: 1 }, query: { locationId: 1 } })).rejects.toThrow(
    /^text of image-not-found$/,
  )
})

test('a server that does not answer is unavailable', async () => {
  respond = () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(call(readSelf)).rejects.toBeInstanceOf(ServerUnavailable)
})

test('an aborted request is not a server failure', async () => {
  const controller = new AbortController()
  respond = () => {
    controller.abort()
    throw new DOMException('aborted', 'AbortError')
  }
  await expect(call(readSelf, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

test('ends an expired session once, after one ping, for any number of failed calls', async () => {
  startSession('expired')
  respond = () => ({ status: 401, body: refusal('unauthorized') })
  await Promise.allSettled([call(readSelf), call(list, { query: {} })])
  await vi.waitFor(() => expect(session.get()).toMatchObject({ token: null, ended: 'session-expired' }), {
    timeout: 10_000,
  })
  expect(requests.filter(({ url }) => url.endsWith(ping.path))).toHaveLength(1)
})

test('a late 401 of an earlier session does not end the present one', async () => {
  startSession('old')
  let refuse = () => {}
  respond = () => new Promise((done) => (refuse = () => done({ status: 401, body: refusal('unauthorized') })))
  const late = call(readSelf).catch(() => undefined)
  startSession('new')
  refuse()
  await late
  expect(session.get().token).toBe('new')
  expect(requests).toHaveLength(1)
})

test('wrong credentials at login end no session', async () => {
  respond = () => ({ status: 401, body: refusal('wrong-username-or-password') })
  await expect(call(login, { body: { username: 'a', password: 'b' } })).rejects.toThrow('wrong-username-or-password')
  expect(session.get().ended).toBeNull()
  expect(requests).toHaveLength(1)
})

test('an expired password asks for a new one; any other 403 does not', async () => {
  startSession('abc')
  respond = () => ({ status: 403, body: refusal('forbidden') })
  await call(readSelf).catch(() => undefined)
  expect(session.get().mustChangePassword).toBe(false)
  respond = () => ({ status: 403, body: refusal('password-expired') })
  await call(readSelf).catch(() => undefined)
  expect(session.get().mustChangePassword).toBe(true)
})

test('a missing second factor asks for its set-up', async () => {
  startSession('abc')
  respond = () => ({ status: 403, body: refusal('factor-setup-required') })
  await call(readSelf).catch(() => undefined)
  expect([session.get().mustSetUpFactor, session.get().mustChangePassword]).toEqual([true, false])
})

describe('a call that needs the user to be verified again', () => {
  const demand = { status: 403, body: refusal('step-up-required') }
  const urls = () => requests.map(({ url }) => url)

  beforeEach(() => startSession('abc'))

  test('waits for the answer, and is sent once more as it was', async () => {
    let isVerified = false
    respond = () => (isVerified ? { body: {} } : demand)
    const calls = [
      call(addTag, { params: { id: 8 }, query: { locationId: 3 }, body: { data: 'x' }, idempotencyKey: 'k' }),
      call(ping),
    ]
    await vi.waitFor(() => expect(waitingCalls.get()).toHaveLength(2))
    isVerified = true
    answerStepUp(true)
    await Promise.all(calls)
    expect(requests).toHaveLength(4)
    const tag = requests.filter(({ url }) => url.includes('/tags'))
    expect(tag[1]?.init).toEqual(tag[0]?.init)
    expect(tag[1]?.init.headers.get('idempotency-key')).toBe('k')
  })

  test('fails if the user declines, the session ends, it is aborted, or the server asks again', async () => {
    respond = () => demand
    const outcomeOf = (pending: Promise<unknown>) =>
      pending.then(
        () => null,
        (error) => error.errors?.[0]?.code,
      )
    const answer = async (pending: Promise<unknown>, act: () => void) => {
      const sent = requests.length
      await vi.waitFor(() => expect(waitingCalls.get()).toHaveLength(1))
      act()
      return [await outcomeOf(pending), requests.length - sent]
    }
    expect(await answer(call(ping), () => answerStepUp(false))).toEqual(['step-up-required', 0])
    expect(await answer(call(ping), () => answerStepUp(true))).toEqual(['step-up-required', 1])
    const controller = new AbortController()
    expect(await answer(call(ping, { signal: controller.signal }), () => controller.abort())).toEqual([
      'step-up-required',
      0,
    ])
    expect(await answer(call(ping), () => endSession(null))).toEqual(['step-up-required', 0])
  })

  test('a request in the background does not ask the user', async () => {
    respond = () => demand
    await expect(call(ping, { background: true })).rejects.toThrow('text of step-up-required')
    expect(urls()).toHaveLength(1)
  })
})

describe('a call that needs a purpose', () => {
  const demand = { status: 422, body: refusal('purpose-missing') }
  const searches = () => requests.filter(({ url }) => /current-vehicles\?/.test(url))

  beforeEach(() => startSession('abc'))

  test('waits for it with the plate that it asks for, and is sent once more as it was', async () => {
    let isGiven = false
    respond = (url) =>
      isGiven || !url.includes('current-vehicles?') ? { body: { content: [], lastId: null } } : demand
    const calls = [
      call(list, { query: { locations: [1], plateLpr: 'WX 12*' } }),
      call(list, { query: { locations: [2] } }),
    ]
    await vi.waitFor(() =>
      expect(
        callsWithoutPurpose
          .get()
          .map(({ about }) => about)
          .sort(),
      ).toEqual(['WX 12*', null]),
    )
    isGiven = true
    answerPurpose(true)
    await Promise.all(calls)
    expect(searches()).toHaveLength(4)
    expect(new Set(searches().map(({ url }) => url)).size).toBe(2)
  })

  test('fails if the user declines, and is asked at most once after the user was verified', async () => {
    const outcome = (pending: Promise<unknown>) => pending.catch((error: ApiFailure) => error.errors[0]?.code)
    respond = () => demand
    const declined = outcome(call(ping))
    await vi.waitFor(() => expect(callsWithoutPurpose.get()).toHaveLength(1))
    answerPurpose(false)
    expect(await declined).toBe('purpose-missing')
    respond = () => (requests.length === 2 ? { status: 403, body: refusal('step-up-required') } : demand)
    const both = outcome(call(ping))
    await vi.waitFor(() => expect(waitingCalls.get()).toHaveLength(1))
    answerStepUp(true)
    await vi.waitFor(() => expect(callsWithoutPurpose.get()).toHaveLength(1))
    answerPurpose(true)
    expect(await both).toBe('purpose-missing')
    expect(requests).toHaveLength(4)
  })

  test('neither a request in the background nor one that was aborted meanwhile asks the user', async () => {
    respond = () => demand
    await expect(call(ping, { background: true })).rejects.toThrow('text of purpose-missing')
    const controller = new AbortController()
    respond = () => {
      controller.abort()
      return demand
    }
    await expect(call(ping, { signal: controller.signal })).rejects.toThrow('text of purpose-missing')
    expect(callsWithoutPurpose.get()).toEqual([])
  })
})

test('a request clears the page message first, unless it is in the background', async () => {
  respond = () => ({ status: 204 })
  showError('required-parameter-missing')
  await call(ping, { background: true })
  expect(errorMessage.get()).toEqual({ error: 'required-parameter-missing' })
  const pending = call(ping)
  expect(errorMessage.get()).toBeNull()
  await pending
})

test('downloads a file from its link, with name and progress', async () => {
  startSession('abc')
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init: { ...init, headers: new Headers(init.headers) } })
    return new Response('id;plate\r\n', {
      headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="list.csv"' },
    })
  })
  const progress: number[] = []
  const { bytes, name } = await callLink('/reports/xyz', { onBytes: (received) => progress.push(received) })
  expect(last()?.url).toBe('/api/v1/reports/xyz')
  expect(last()?.init.headers.get('authorization')).toBe('Bearer abc')
  expect([name, bytes.type, await bytes.text()]).toEqual(['list.csv', 'text/csv', 'id;plate\r\n'])
  expect(progress.at(-1)).toBe(10)
})

test('rejects an interrupted download', async () => {
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('half'))
    },
    pull(controller) {
      controller.error(new TypeError('terminated'))
    },
  })
  vi.stubGlobal('fetch', async () => new Response(broken))
  await expect(callLink('/reports/xyz')).rejects.toBeInstanceOf(ServerUnavailable)
})

test('only immutable addresses may be answered from the cache of the browser, which proves no connection', async () => {
  startSession('abc')
  const old = { date: 'Mon, 19 Oct 2020 08:00:00 GMT' }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init: { ...init, headers: new Headers(init.headers) } })
    return new Response('jpeg', { headers: old })
  })
  recordFailure()
  const before = connection.get()
  expect(await (await callCached('/vehicle-images/x/thumbnail')).text()).toBe('jpeg')
  expect(last()?.url).toBe('/api/v1/vehicle-images/x/thumbnail')
  expect([last()?.init.cache, last()?.init.headers.get('authorization')]).toEqual(['default', 'Bearer abc'])
  expect(new Date(serverNow()).getFullYear()).toBeGreaterThan(2020)
  expect(connection.get()).toEqual(before)
  await callLink('/reports/xyz')
  expect(last()?.init.cache).toBe('no-store')
  expect(connection.get().state).toBe('connected')
})

test.each([
  ['7', 7_000],
  [null, null],
  ['Mon, 19 Oct 2020 08:00:00 GMT', null],
])('a refused image has the time of Retry-After: %s', async (retryAfter, retryAfterMs) => {
  const headers = new Headers(retryAfter === null ? {} : { 'retry-after': retryAfter })
  vi.stubGlobal('fetch', async () => new Response('[]', { status: 429, headers }))
  await expect(callCached('/vehicle-images/x/thumbnail')).rejects.toMatchObject({ status: 429, retryAfterMs })
})

test('shows the text of the server for a refused file', async () => {
  respond = () => ({ status: 404, body: refusal('not-found') })
  await expect(callLink('/reports/xyz')).rejects.toThrow(/^text of not-found$/)
})
