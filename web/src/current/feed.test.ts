import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { connection } from '../core/connection.ts'
import { queryClient } from '../core/queryClient.ts'
import { selfQuery } from '../core/useSelf.ts'
import { type Counter, type FeedPosition, follow } from './feed.ts'

const NOON = Date.parse('2026-10-20T12:00:00Z')
const created = new Date(NOON).toISOString()
const vehicle = (id: number) => ({ id, createdAt: created, location: { id: 7 } }) as WireVehicle
const keyOf = (id: number) => ({ id, createdAt: created, locationId: 7 })

/** A response of the fake server to a request for the stream. */
type OpenStream = {
  lastEventId: string | null
  aborted: () => boolean
  send: (text: string) => void
  event: (name: string, data: unknown, id?: string) => void
  end: () => void
}

let requests: string[]
/** Of all requests with parameters. */
let queries: URLSearchParams[]
let streams: OpenStream[]
/** How the server responds to the next requests for the stream. */
let streamResponse: 'stream' | 'missing' | 'unreachable' | 'page'
let areChecksReachable: boolean
/** Replaces the response to a poll; null: the default. */
let override: (url: URL) => Response | Promise<Response> | null
/** The `lastId` of each request for a list; null: a full one. */
let listedAfter: (string | null)[]
let received: WireVehicle[][]
let counters: (readonly Counter[] | null)[]
let failures: unknown[]
let sessionChanges: number
let position: FeedPosition
let stop: AbortController

const ids = () => received.map((vehicles) => vehicles.map(({ id }) => id))
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000)
const polls = () => requests.filter((request) => request !== 'stream').length

function openStream(init: RequestInit): Response {
  let controller: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start: (it) => {
      controller = it
    },
  })
  const send = (text: string) => controller.enqueue(new TextEncoder().encode(text))
  init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
  streams.push({
    lastEventId: (init.headers as Headers).get('last-event-id'),
    aborted: () => init.signal?.aborted ?? false,
    send,
    event: (name, data, id) => send(`${id ? `id: ${id}\n` : ''}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => controller.close(),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOON })
  requests = []
  queries = []
  streams = []
  streamResponse = 'stream'
  areChecksReachable = true
  override = () => null
  listedAfter = []
  received = []
  counters = []
  failures = []
  sessionChanges = 0
  position = { lastEventId: null, opened: false }
  stop = new AbortController()
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const url = new URL(address, 'http://portal')
    const path = url.pathname.split('/').at(-1) ?? ''
    requests.push(path)
    if (url.searchParams.size > 0) queries.push(url.searchParams)
    if (path === 'current-vehicles') listedAfter.push(url.searchParams.get('lastId'))
    if (path !== 'stream' && !areChecksReachable) throw new TypeError('connection refused')
    const response = path === 'stream' ? null : await override(url)
    if (response) return response
    if (path === 'check') return Response.json({ refresh: false })
    if (path !== 'stream') return Response.json({ content: [vehicle(90)], lastId: 90 })
    if (streamResponse === 'unreachable') throw new TypeError('connection refused')
    if (streamResponse === 'missing') return Response.json([], { status: 404 })
    if (streamResponse === 'page') return new Response('<p>', { headers: { 'content-type': 'text/html' } })
    return openStream(init)
  })
})

afterEach(async () => {
  stop.abort()
  await seconds(1)
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function start() {
  const handlers = {
    onVehicles: (vehicles: readonly WireVehicle[]) => received.push([...vehicles]),
    onCounters: (next: readonly Counter[] | null) => counters.push(next),
    onSessionChanged: () => {
      sessionChanges += 1
    },
    onResponse: () => {},
    onFailure: (error: unknown) => failures.push(error),
  }
  void follow(() => ({ locations: [7] }), position, handlers, stop.signal)
}

/** Takes a stream of the browser for another tab. Resolves then: the streams of the tests before end in the background. */
const takeSlot = (slot: number, left: Promise<void>) =>
  new Promise<void>((resolve) => {
    void navigator.locks.request(`rogatka-stream-${slot}`, () => {
      resolve()
      return left
    })
  })

/** The stream that was opened last. */
const latest = () => streams.at(-1) as OpenStream

test('takes vehicles with their marks and tags from the stream, and does not poll', async () => {
  start()
  await seconds(0.5)
  const [mark, tag] = [{ typeOfList: 0, description: 'stolen' }, { id: 3 }]
  latest().event('tags', [{ ...keyOf(1), tags: [tag] }])
  latest().event('wanted', [{ ...keyOf(2), wanted: mark }])
  latest().event('list', { content: [vehicle(2), vehicle(1)] }, 'a')
  latest().event('counters', [{ locationId: 7, vehicles: 2, lastVehicleTime: null }])
  await seconds(5)
  latest().event('wanted', [{ ...keyOf(1), wanted: null }])
  latest().event('vehicles', { added: [vehicle(3)], changed: [vehicle(1), vehicle(2)], removed: [] }, 'b')
  await seconds(5)

  expect(received).toEqual([
    [
      { ...vehicle(2), wanted: mark, tags: [] },
      { ...vehicle(1), tags: [tag] },
    ],
    [vehicle(3), vehicle(1), vehicle(2)],
  ])
  expect(counters).toEqual([[{ locationId: 7, vehicles: 2, lastVehicleTime: null }]])
  expect(requests).toEqual(['stream'])
  expect(position.lastEventId).toBe('b')
})

test('an event in several parts, or cut off, is applied only when complete', async () => {
  start()
  await seconds(0.5)
  const text = `id: a\nevent: list\ndata: ${JSON.stringify({ content: [vehicle(1)] })}\n\n`
  for (const part of text.slice(0, -1)) latest().send(part)
  await seconds(0.5)
  expect([ids(), position.lastEventId]).toEqual([[], null])
  latest().send('\nid: b\nevent: list\ndata: {"cont')
  latest().end()
  await seconds(0.5)
  expect([ids(), position.lastEventId]).toEqual([[[1], [90]], 'a'])
})

test('requests of a vehicle what its card shows, by stream and by poll', async () => {
  streamResponse = 'missing'
  start()
  await seconds(3)
  const requested = queries.map((query) => [...query.keys()].filter((name) => name.startsWith('with')).sort())
  expect(requested.length).toBeGreaterThan(1)
  for (const names of requested.filter(({ length }) => length > 0))
    expect(names).toEqual(['withAxles', 'withImages', 'withTags'])
})

test('resumes an interrupted stream after the last event', async () => {
  start()
  await seconds(0.5)
  latest().event('list', { content: [] }, 'a')
  await seconds(60 / 4)
  latest().send(': heartbeat\n\n')
  latest().event('end', { reason: 'shutdown' })
  latest().end()
  await seconds(1)
  expect(streams.map(({ lastEventId }) => lastEventId)).toEqual([null, 'a'])
  latest().event('vehicles', { added: [vehicle(1)], changed: [], removed: [] }, 'b')
  await seconds(10)
  expect([ids(), polls()]).toEqual([[[], [1]], 0])
})

test('resumes a renewed stream at once, without polling or another connection state', async () => {
  const states: string[] = []
  onTestFinished(connection.subscribe(() => states.push(connection.get().state)))
  start()
  await seconds(0.5)
  latest().event('list', { content: [vehicle(1)] }, 'a')
  latest().event('counters', [])
  for (const id of ['b', 'c', 'd']) {
    for (let beat = 0; beat < 10; beat++) {
      await seconds(15)
      latest().send(': heartbeat\n\n')
    }
    latest().send('retry: 1000\n')
    latest().event('end', { reason: 'renewal' }, id)
    latest().end()
    await seconds(0.01)
    expect(latest().lastEventId).toBe(id)
    latest().send(`id: ${id}\n\n`)
    latest().event('counters', [])
  }
  latest().event('vehicles', { added: [vehicle(2)], changed: [], removed: [] }, 'e')
  await seconds(10)
  expect(streams.map(({ lastEventId }) => lastEventId)).toEqual([null, 'b', 'c', 'd'])
  expect([ids(), counters, polls(), states]).toEqual([[[1], [2]], [[], [], [], []], 0, []])
})

test('a renewed stream stays that of its tab, whatever other tabs wait for one', async () => {
  const release = new AbortController()
  onTestFinished(() => release.abort())
  const hold = () => new Promise<void>((resolve) => release.signal.addEventListener('abort', () => resolve()))
  await Promise.all([2, 3].map((slot) => takeSlot(slot, hold())))
  start()
  await seconds(0.5)
  let isTaken = false
  void navigator.locks
    .request('rogatka-stream-1', { signal: release.signal }, () => {
      isTaken = true
    })
    .catch(() => {})
  latest().event('list', { content: [vehicle(1)] }, 'a')
  await seconds(15)
  latest().event('end', { reason: 'renewal' }, 'b')
  latest().end()
  await seconds(0.5)
  expect([streams.length, isTaken, polls()]).toEqual([2, false, 0])
})

test('reports changed permissions, so that the list starts again', async () => {
  start()
  await seconds(0.5)
  latest().event('list', { content: [vehicle(1)] }, 'a')
  latest().event('end', { reason: 'session-changed' })
  await seconds(0.5)
  expect(sessionChanges).toBe(1)
})

test('keeps known tags after a stream was resumed without changes', async () => {
  position.lastEventId = 'a'
  start()
  await seconds(0.5)
  latest().send('id: a\n\n')
  latest().event('counters', [])
  latest().event('vehicles', { added: [], changed: [vehicle(1)], removed: [] }, 'b')
  await seconds(0.5)
  expect(received).toEqual([[vehicle(1)]])
})

test('tries the stream soon after an outage, however long it was', async () => {
  streamResponse = 'unreachable'
  areChecksReachable = false
  start()
  await seconds(1_800)
  expect(failures.length).toBeGreaterThan(1_000)
  streamResponse = 'stream'
  areChecksReachable = true
  const before = streams.length
  await seconds(8)
  expect(streams.length).toBe(before + 1)
})

test('polls while a proxy holds the stream back, and until it begins', async () => {
  start()
  await seconds(1.9)
  expect(polls()).toBe(0)
  await seconds(3)
  expect(ids()).toEqual([[90]])
  expect(counters).toEqual([null])
  await seconds(6)
  expect(streams[0]?.aborted()).toBe(true)

  await seconds(10)
  expect(streams).toHaveLength(2)
  latest().event('list', { content: [vehicle(1)] }, 'a')
  await seconds(1)
  const count = polls()
  await seconds(10)
  expect(polls()).toBe(count)
  expect(ids().at(-1)).toEqual([1])
})

test('does not poll while a long list arrives over a slow connection', async () => {
  start()
  const text = `id: a\nevent: list\ndata: ${JSON.stringify({ content: [vehicle(1)] })}\n\n`
  for (const part of text) {
    await seconds(1.5)
    latest().send(part)
  }
  await seconds(1)
  expect(ids()).toEqual([[1]])
  expect([streams.length, polls()]).toEqual([1, 0])
})

test('polls after a stream has been silent for twenty seconds', async () => {
  start()
  await seconds(0.5)
  latest().event('list', { content: [] }, 'a')
  for (let beat = 0; beat < 4; beat++) {
    await seconds(15)
    latest().send(': heartbeat\n\n')
  }
  expect([streams.length, polls()]).toEqual([1, 0])
  await seconds(19)
  expect(streams[0]?.aborted()).toBe(false)
  await seconds(5)
  expect(streams[0]?.aborted()).toBe(true)
  expect(polls()).toBeGreaterThan(0)
})

test.each(['missing', 'unreachable', 'page'] as const)(
  'polls at once if the stream is %s, and tries again less and less often',
  async (response) => {
    streamResponse = response
    start()
    await seconds(0.5)
    expect(polls()).toBe(1)
    await seconds(3_600)
    const attempts = requests.filter((request) => request === 'stream').length
    expect(attempts).toBeGreaterThan(10)
    expect(attempts).toBeLessThan(40)
    expect(polls()).toBeGreaterThan(3_500)
    expect(failures).toEqual([])
  },
)

/** Ms of a server whose clock differs from that of the client, and goes on whatever happens to that. */
const serverTime = (differenceMs = 86_400_000) => Math.round(NOON + differenceMs + performance.now())

/** Sends a new vehicle every second for some seconds, behind a proxy that lets parts pass when `passes` says so. */
async function sendVehicles(duration: number, passes: (second: number) => boolean, differenceMs?: number) {
  let held: (() => void)[] = []
  for (let second = 1; second <= duration; second++) {
    await seconds(1)
    const [stream, sentAt] = [latest(), serverTime(differenceMs)]
    held.push(() => {
      if (stream.aborted()) return
      stream.send(`: ${sentAt}\n`)
      stream.event('vehicles', { added: [vehicle(second)], changed: [], removed: [] }, `7@1_${sentAt}_a_-b`)
    })
    if (!passes(second)) continue
    for (const send of held) send()
    held = []
  }
}

/** Starts with a list of the same server. */
async function startAtServer() {
  start()
  await seconds(0.5)
  latest().event('list', { content: [] }, `7@1_${serverTime()}_a_-b`)
}

test('polls if a proxy holds vehicles back for seconds, and tries the stream again less and less often', async () => {
  await startAtServer()
  await sendVehicles(40, (second) => second % 8 === 0)
  expect(streams[0]?.aborted()).toBe(true)
  expect(polls()).toBeGreaterThan(3)
  // With the part by which it was given up.
  expect(ids().flat()).toContain(17)
  const attempts = () => streams.length
  while (attempts() < 2) await seconds(1)
  for (let attempt = 0; attempt < 20; attempt++) {
    if (!latest().aborted()) latest().event('list', { content: [] }, `7@1_${serverTime()}_a_-b`)
    await sendVehicles(90, (second) => second % 8 === 0)
  }
  expect(attempts()).toBeGreaterThan(5)
  expect(attempts()).toBeLessThan(16)
  expect(polls()).toBeGreaterThan(1_000)
  expect(failures).toEqual([])
})

test('polls if a proxy holds the heartbeats of a quiet stream back', async () => {
  await startAtServer()
  const held: string[] = []
  for (let second = 1; second <= 120 && !streams[0]?.aborted(); second++) {
    await seconds(1)
    if (second % 15 === 0) held.push(`: heartbeat ${serverTime()}\n\n`)
    if (second % 18 === 0) for (const text of held.splice(0)) latest().send(text)
  }
  await seconds(1)
  expect(streams[0]?.aborted()).toBe(true)
  expect(polls()).toBeGreaterThan(0)
})

test.each([
  ['one late part, of many events', 90, (second: number) => second < 20 || second > 35],
  ['late parts between others', 100, (second: number) => second % 16 < 5],
  ['parts of a busy page', 90, (second: number) => second % 3 === 0],
] as const)('does not give up a stream for %s', async (_name, duration, passes) => {
  await startAtServer()
  await sendVehicles(duration, passes)
  await seconds(0.1)
  expect([streams.length, streams[0]?.aborted(), polls()]).toEqual([1, false, 0])
  expect(ids().flat()).toHaveLength(duration)
})

test.each([3_600_000, -3_600_000, 5_000])(
  'does not give up a stream if the client clock jumps by %i ms',
  async (ms) => {
    await startAtServer()
    for (let jump = 0; jump < 5; jump++) {
      vi.setSystemTime(Date.now() + ms)
      await sendVehicles(10, () => true)
    }
    expect([streams.length, streams[0]?.aborted(), polls()]).toEqual([1, false, 0])
  },
)

test('does not give up a stream after a pause in which the monotonic clock of the client stood still', async () => {
  await startAtServer()
  await sendVehicles(20, () => true)
  await sendVehicles(60, () => true, 86_460_000)
  expect([streams.length, streams[0]?.aborted(), polls()]).toEqual([1, false, 0])
})

test('does not give up a stream that is renewed by a server whose clock is behind', async () => {
  await startAtServer()
  await sendVehicles(20, () => true)
  latest().event('end', { reason: 'renewal' }, `7@1_${serverTime()}_a_-b`)
  latest().end()
  await seconds(0.1)
  latest().event('counters', [])
  await sendVehicles(60, () => true, 0)
  expect([streams.length, latest().aborted(), polls()]).toEqual([2, false, 0])
})

/** Vehicle 90 changes once; as the server does, polls that know it are sent the change for three seconds. */
function serveChange(speed: number) {
  const changedAt = Date.now()
  override = (url) => {
    const isNews = url.searchParams.get('lastId') === null || Date.now() - changedAt < 3_000
    if (url.pathname.endsWith('/check')) return Response.json({ refresh: isNews })
    return Response.json({ content: isNews ? [{ ...vehicle(90), speed }] : [], lastId: 90 })
  }
}

const lastSpeed = () => received.flat().at(-1)?.speed

test('polls receive a change that was made during an outage', async () => {
  streamResponse = 'missing'
  start()
  await seconds(5)
  serveChange(120)
  areChecksReachable = false
  await seconds(4)
  areChecksReachable = true
  await seconds(2)
  expect(lastSpeed()).toBe(120)
  await seconds(60)
  expect(listedAfter).toEqual([null, null])
})

test('polls receive a change that was made while a list was on its way', async () => {
  streamResponse = 'missing'
  let isSlow = true
  override = (url) => {
    if (!isSlow || url.pathname.endsWith('/check')) return Response.json({ refresh: false })
    isSlow = false
    return new Promise((resolve) => {
      setTimeout(() => resolve(Response.json({ content: [vehicle(90)], lastId: 90 })), 8_000)
    })
  }
  start()
  await seconds(1)
  serveChange(120)
  await seconds(60)
  expect(lastSpeed()).toBe(120)
})

test('polls that follow a stream begin with the full list, regardless of earlier polls', async () => {
  start()
  await seconds(5)
  expect(listedAfter).toEqual([null])
  latest().event('list', { content: [vehicle(90)] }, 'a')
  await seconds(1)
  serveChange(120)
  await seconds(25)
  expect(streams.length).toBe(2)
  expect(lastSpeed()).toBe(120)
})

test('reports once that polls are refused, after they were allowed', async () => {
  streamResponse = 'missing'
  start()
  await seconds(3)
  override = () => Response.json([{ path: null, code: 'forbidden', userMessage: 'Brak uprawnień' }], { status: 403 })
  await seconds(5)
  expect(sessionChanges).toBe(1)
  expect(failures.length).toBeGreaterThan(3)
})

test('reports that polls are refused after a stream', async () => {
  start()
  await seconds(0.5)
  latest().event('list', { content: [vehicle(1)] }, 'a')
  streamResponse = 'missing'
  override = () => Response.json([], { status: 403 })
  latest().end()
  await seconds(5)
  expect(sessionChanges).toBe(1)
})

test('does not report as a change that polls are refused from the beginning', async () => {
  streamResponse = 'missing'
  override = () => Response.json([], { status: 403 })
  start()
  await seconds(5)
  expect([sessionChanges, failures.length > 3]).toEqual([0, true])
})

test('reports changed permissions within a minute of polling', async () => {
  const self = (permissions: string[]) => ({ id: 1, permissions })
  queryClient.setQueryData(selfQuery.queryKey, self(['CurrentMeasurements']) as never)
  streamResponse = 'missing'
  let permissions = ['CurrentMeasurements']
  override = ({ pathname }) => (pathname.endsWith('/self') ? Response.json(self(permissions)) : null)
  start()
  await seconds(70)
  expect(requests.filter((request) => request === 'self')).toHaveLength(1)
  expect(sessionChanges).toBe(0)
  permissions = ['CurrentMeasurements', 'Anonymization']
  await seconds(62)
  expect(sessionChanges).toBe(1)
})

test('reports changed permissions once if the stream reported them before the session is read', async () => {
  const self = (permissions: string[]) => ({ id: 1, permissions })
  queryClient.setQueryData(selfQuery.queryKey, self(['CurrentMeasurements']) as never)
  start()
  await seconds(0.5)
  latest().event('list', { content: [vehicle(1)] }, 'a')
  latest().event('end', { reason: 'session-changed' })
  await seconds(0.5)
  expect(sessionChanges).toBe(1)
  // The list starts again.
  stop.abort()
  stop = new AbortController()
  start()
  queryClient.setQueryData(selfQuery.queryKey, self(['CurrentMeasurements', 'Anonymization']) as never)
  expect(sessionChanges).toBe(1)
  queryClient.setQueryData(selfQuery.queryKey, self(['CurrentMeasurements']) as never)
  expect(sessionChanges).toBe(2)
})

test('slow full lists leave most of the time to short ones', async () => {
  streamResponse = 'missing'
  override = (url) => {
    if (url.pathname.endsWith('/check')) return Response.json({ refresh: true })
    const isFull = url.searchParams.get('lastId') === null
    return new Promise((resolve) => {
      setTimeout(() => resolve(Response.json({ content: [vehicle(90)], lastId: 90 })), isFull ? 6_000 : 100)
    })
  }
  start()
  await seconds(300)
  const full = listedAfter.filter((lastId) => lastId === null).length
  expect(full).toBeGreaterThan(5)
  expect(full).toBeLessThanOrEqual(11)
  expect(listedAfter.length - full).toBeGreaterThan(200)
})

test.each(['shutdown', 'renewal'])('polls if streams end as soon as they begin, by %s', async (reason) => {
  start()
  for (let second = 0; second < 60; second++) {
    await seconds(1)
    if (!latest().aborted())
      try {
        latest().event('list', { content: [] }, 'a')
        latest().event('end', { reason })
        latest().end()
      } catch {
        // It has ended already.
      }
  }
  expect(streams.length).toBeLessThan(8)
  expect(polls()).toBeGreaterThan(40)
})

test('polls while other tabs have all streams of the browser', async () => {
  let leave = () => {}
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  await Promise.all([1, 2, 3].map((slot) => takeSlot(slot, left)))
  start()
  await seconds(3)
  expect(streams).toHaveLength(0)
  expect(polls()).toBeGreaterThan(1)
  leave()
  await seconds(20)
  expect(streams.length).toBeGreaterThan(0)
})

test('ends the stream and polling when stopped', async () => {
  start()
  await seconds(3)
  stop.abort()
  const count = requests.length
  await seconds(60)
  expect(streams[0]?.aborted()).toBe(true)
  expect(requests).toHaveLength(count)
})
