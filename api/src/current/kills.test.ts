import { setTimeout as pause } from 'node:timers/promises'
import { stream } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post, vehicleId } from '@rogatka/contract/ingest.ts'
import { login } from '@rogatka/contract/session.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import { car } from '../ingest/testing.ts'
import { addLocation, createStationKey } from '../locations/queries.ts'
import { readEventStream, type StreamEvent } from '../testing/event-stream.ts'
import { startServer, withDatabase } from '../testing/server.ts'
import { workersOf } from '../testing/start-process.ts'
import { testStation } from '../testing/test-api.ts'

/*
 * Kills one of two server processes at random moments while stations post single vehicles and screens follow the
 * stream, half of them compressed.
 * With more: STREAM_KILLS=50 STREAM_SCREENS=100 npx vitest run api/src/current/kills.test.ts
 */
const KILLS = Number(process.env.STREAM_KILLS ?? 3)
const SCREENS = Number(process.env.STREAM_SCREENS ?? 20)
const SEED = Number(process.env.STREAM_SEED ?? 5)
const STATIONS = [7, 8, 9]
const PASSWORD = 'Szlaban-2026-noc'
/** Timeout of a request whose process was killed, as in a station. */
const TIMEOUT_MS = 5_000

type Vehicle = { id: number }

test('no vehicle is missed or new twice on any screen when server processes are killed', async () => {
  const server = await startServer({ WORKERS: '2', ADMIN_PASSWORD: PASSWORD })
  const chance = seededRandom(SEED)
  const keys = await withDatabase(server, async (db) => {
    for (const id of STATIONS) await addLocation(db, { ...testStation, id, shortName: `S8 ${id}` })
    return Promise.all(STATIONS.map(async (id) => [id, await createStationKey(db, id, new Date())] as const))
  })
  // A session has at most eight streams.
  const tokens: string[] = []
  // In turn: of many logins at once the server refuses some.
  while (tokens.length < SCREENS / 8) tokens.push(await signIn(server.url))

  const [sending, watching] = [new AbortController(), new AbortController()]
  const acknowledged = new Set<number>()
  const screens = Array.from({ length: SCREENS }, (_, at) => ({
    token: tokens[Math.floor(at / 8)] as string,
    encoding: at % 2 === 0 ? 'gzip' : 'identity',
    seen: new Set<number>(),
    twice: [] as number[],
    interruptions: -1,
  }))
  const following = screens.map((screen) => follow(watching.signal, server.url, screen))
  const stations = keys.map(([id, key]) => sendUntil(sending.signal, server.url, id, key, acknowledged))

  for (let kill = 0; kill < KILLS; kill++) {
    await expect.poll(() => workersOf(server.pid()).length, { timeout: 60_000 }).toBe(2)
    const before = acknowledged.size
    await pause(500 + chance.below(2_000))
    const workers = workersOf(server.pid()).sort((a, b) => a - b)
    // First the older process: the other may have started after the screens, and have none.
    process.kill(workers[kill === 0 ? 0 : chance.below(workers.length)] as number, 'SIGKILL')
    await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(before)
  }
  await expect.poll(() => workersOf(server.pid()).length, { timeout: 60_000 }).toBe(2)
  sending.abort()
  await Promise.all(stations)
  const missing = () => screens.map(({ seen }) => [...acknowledged].filter((id) => !seen.has(id)).length)
  await expect.poll(missing, { timeout: 60_000 }).toEqual(screens.map(() => 0))
  watching.abort()
  await Promise.all(following)

  expect(screens.flatMap(({ twice }) => twice)).toEqual([])
  expect(screens.some(({ interruptions }) => interruptions > 0)).toBe(true)
  const verified = await server.manage('verify')
  expect(verified.code, verified.output).toBe(0)
}, 1_800_000)

async function signIn(url: string): Promise<string> {
  const response = await fetch(url + API_BASE + login.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  expect(response.status).toBe(200)
  return ((await response.json()) as { token: string }).token
}

type Screen = { token: string; encoding: string; seen: Set<number>; twice: number[]; interruptions: number }

function show({ seen, twice }: Screen, { type, data }: StreamEvent) {
  const { content = [], added = [] } = data as { content?: Vehicle[]; added?: Vehicle[] }
  if (type === 'vehicles') twice.push(...added.flatMap(({ id }) => (seen.has(id) ? [id] : [])))
  for (const { id } of [...content, ...added]) seen.add(id)
}

/** Follows the stream as a screen does: reconnects with the id of its last event. */
async function follow(signal: AbortSignal, url: string, screen: Screen) {
  const path = `${API_BASE}${stream.path}`
  let lastEventId: string | undefined
  while (!signal.aborted) {
    screen.interruptions += 1
    const opened = await readEventStream(url, screen.token, path, lastEventId, screen.encoding).catch(() => null)
    if (opened) {
      signal.addEventListener('abort', opened.close)
      let isOpen = true
      void opened.ended.then(() => {
        isOpen = false
      })
      for (let next = 0; isOpen || next < opened.events.length; await pause(50))
        for (; next < opened.events.length; next++) show(screen, opened.events[next] as StreamEvent)
      lastEventId = opened.lastEventId() || lastEventId
    }
    await pause(50)
  }
}

/** A station: sends vehicle after vehicle, each repeated until acknowledged, until `signal` aborts. */
async function sendUntil(signal: AbortSignal, url: string, id: number, key: string, acknowledged: Set<number>) {
  for (let sequence = 1; !signal.aborted; sequence++) {
    const body = JSON.stringify([{ ...car(sequence), createdAt: new Date().toISOString() }])
    for (;;) {
      const response = await fetch(url + API_BASE + post.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch(() => null)
      if (response?.ok) break
      await pause(50)
    }
    acknowledged.add(vehicleId(id, sequence))
    await pause(20)
  }
}
