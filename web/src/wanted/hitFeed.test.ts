import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { connection } from '../core/connection.ts'
import { followHits } from './hitFeed.ts'

const USER_ID = 3
const hit = (id: number) => ({ id }) as WireOpenHit

/** The stream that was opened last. */
let latest: { hits: (...ids: number[]) => void; end: (reason: string) => void; sentAt: (time: number) => void }
let requests: string[]
let received: number[][]
let cleared: number
let stop: AbortController

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000)

function openStream(init: RequestInit): Response {
  let controller: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start: (it) => {
      controller = it
    },
  })
  const send = (name: string, data: unknown) =>
    controller.enqueue(new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`))
  init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
  latest = {
    hits: (...ids) => send('hits', { content: ids.map(hit) }),
    sentAt: (time) => controller.enqueue(new TextEncoder().encode(`: ${time}\n\n`)),
    end: (reason) => {
      send('end', { reason })
      controller.close()
    },
  }
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

beforeEach(() => {
  vi.useFakeTimers()
  requests = []
  received = []
  cleared = 0
  stop = new AbortController()
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const path = new URL(address, 'http://portal').pathname.split('/').at(-1) ?? ''
    requests.push(path)
    return path === 'stream' ? openStream(init) : Response.json({ content: [] })
  })
  const receiver = {
    receive: (hits: readonly WireOpenHit[]) => received.push(hits.map(({ id }) => id)),
    clear: () => {
      cleared += 1
    },
  }
  void followHits(USER_ID, receiver, stop.signal)
})

afterEach(async () => {
  stop.abort()
  await seconds(1)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('opens a renewed stream again at once, without polling or another connection state', async () => {
  const states: string[] = []
  onTestFinished(connection.subscribe(() => states.push(connection.get().state)))
  await seconds(0.5)
  latest.hits(1)
  for (const id of [2, 3]) {
    await seconds(15)
    latest.end('renewal')
    await seconds(0.01)
    latest.hits(1, id)
  }
  await seconds(1)
  expect(received).toEqual([[1], [1, 2], [1, 3]])
  expect([requests, cleared, states]).toEqual([['stream', 'stream', 'stream'], 0, []])
})

test('opens a stream that was interrupted again within a second', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.9)
  await seconds(0.5)
  latest.hits(1)
  await seconds(15)
  latest.end('shutdown')
  await seconds(0.5)
  expect(requests).toEqual(['stream'])
  await seconds(0.5)
  expect([requests, cleared]).toEqual([['stream', 'stream'], 0])
})

test('polls for a while after a stream that sends no hits, however it ends', async () => {
  await seconds(0.5)
  latest.end('renewal')
  await seconds(5)
  expect(requests.filter((request) => request === 'open').length).toBeGreaterThan(3)
  await seconds(30)
  expect(requests.filter((request) => request === 'stream')).toHaveLength(2)
})

test('polls if a proxy holds the stream back', async () => {
  await seconds(0.5)
  latest.hits(1)
  latest.sentAt(Date.now())
  for (let part = 0; part < 3; part++) {
    await seconds(15)
    latest.sentAt(Date.now() - 9_000)
  }
  await seconds(5)
  expect(requests.filter((request) => request === 'open').length).toBeGreaterThan(3)
})

test('waits before it opens a stream again that was renewed too soon', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.9)
  await seconds(0.5)
  latest.hits(1)
  latest.end('renewal')
  await seconds(0.5)
  expect(requests).toEqual(['stream'])
  await seconds(0.5)
  expect(requests).toEqual(['stream', 'stream'])
})

test('clears the hits after changed permissions', async () => {
  await seconds(0.5)
  latest.hits(1)
  latest.end('session-changed')
  await seconds(0.5)
  expect(cleared).toBe(1)
})
