import { build, ping } from '@rogatka/contract/session.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from './call.ts'
import { connection } from './connection.ts'
import { startHeartbeat } from './heartbeat.ts'
import { endSession, startSession } from './session.ts'

let respond: () => Response | Promise<Response>
const ok = () => new Response(null, { status: 204 })
const networkError = () => Promise.reject(new TypeError('Failed to fetch'))
const state = () => connection.get().state

beforeEach(() => {
  vi.useFakeTimers()
  respond = ok
  vi.stubGlobal('fetch', async () => respond())
})
afterEach(async () => {
  respond = ok
  await call(ping)
  await vi.advanceTimersByTimeAsync(10_000)
  endSession(null)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const fail = () => call(build, { background: true }).catch(() => undefined)

test('two failures a second or more apart lose the connection, several at once do not', async () => {
  respond = networkError
  await Promise.all([fail(), fail(), fail()])
  expect(state()).toBe('uncertain')
  await vi.advanceTimersByTimeAsync(1_000)
  await fail()
  expect(state()).toBe('lost')
})

test('a lost connection counts from the last response, and its return is shown for 5 s', async () => {
  await call(ping)
  const respondedAt = Date.now()
  respond = networkError
  for (let i = 0; i < 3; i++) {
    await vi.advanceTimersByTimeAsync(2_000)
    await fail()
  }
  expect(connection.get()).toEqual({ state: 'lost', lastResponseAt: respondedAt })
  respond = ok
  await call(ping)
  expect(state()).toBe('restored')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(state()).toBe('connected')
})

/** The heartbeat is sent, with a timeout of the fake timers, which do not include that of AbortSignal. */
function startWithTimeouts() {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), ms)
    return controller.signal
  })
  startHeartbeat()
  startSession('abc')
}

const hang = (_: unknown, { signal }: RequestInit) =>
  new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

test('one check without a response for 10 s loses the connection', async () => {
  startWithTimeouts()
  vi.stubGlobal('fetch', hang)
  await vi.advanceTimersByTimeAsync(29_900)
  expect(state()).toBe('connected')
  await vi.advanceTimersByTimeAsync(100)
  expect(state()).toBe('lost')
  vi.stubGlobal('fetch', async () => respond())
  vi.restoreAllMocks()
})

test('a ping that hangs does not lose the connection while other calls are answered', async () => {
  startWithTimeouts()
  const states: string[] = []
  const stop = connection.subscribe(() => states.push(state()))
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) =>
    url.endsWith('/ping') ? hang(url, request) : respond(),
  )
  for (let second = 0; second < 65; second++) {
    await vi.advanceTimersByTimeAsync(1_000)
    await call(build, { background: true }).catch(() => undefined)
  }
  stop()
  expect(states).toContain('uncertain')
  expect(states).not.toContain('lost')
  expect(state()).toBe('connected')
  vi.stubGlobal('fetch', async () => respond())
  vi.restoreAllMocks()
})

test.each([401, 403, 409, 500])('status %i counts as a response', async (status) => {
  respond = () => new Response('[]', { status })
  await fail()
  await vi.advanceTimersByTimeAsync(1_000)
  await fail()
  expect(state()).toBe('connected')
})

test('pings an uncertain connection every 3 s, and a heartbeat with 503 counts as a failure', async () => {
  startHeartbeat()
  startSession('abc')
  respond = () => new Response('[]', { status: 503 })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(state()).toBe('uncertain')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(state()).toBe('lost')
  respond = ok
  await vi.advanceTimersByTimeAsync(3_000)
  expect(state()).toBe('restored')
})
