import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BackfillStation, backfill } from './backfill.ts'
import { detectionsBetween, type SimulatedStation } from './detection.ts'
import { createFakeServer } from './fake-server.ts'
import { createOutbox, defaultTiming } from './outbox.ts'
import { createSemaphore } from './queue.ts'
import { trafficRandom } from './random.ts'
import { sampleStation } from './sample.ts'
import { dayOf } from './warsaw.ts'

const UNTIL = new Date('2026-10-20T10:00:00Z')
const DAYS = 2

let server: Awaited<ReturnType<typeof createFakeServer>>
let stop: AbortController
let lines: Record<string, unknown>[]

beforeEach(async () => {
  server = await createFakeServer()
  stop = new AbortController()
  lines = []
})

afterEach(() => {
  stop.abort()
  server.close()
})

const createSite = (id: number): SimulatedStation => ({
  ...sampleStation,
  location: { ...sampleStation.location, id, roadNumber: 'DK50' },
})

const backfillStation = (id: number): BackfillStation => {
  const sender = {
    station: `DK50 ${id}`,
    server: { url: server.url, key: `key-${id}`, signal: stop.signal },
    ndjson: id % 2 === 0,
    log: (message: string, facts?: Record<string, unknown>) => void lines.push({ message, ...facts }),
    random: trafficRandom('history'),
    timing: { ...defaultTiming, minBackOffMs: 5, maxBackOffMs: 10 },
    withDrawLimit: createSemaphore(1),
  }
  return { site: createSite(id), sender, outbox: createOutbox(sender), until: UNTIL }
}

const historyOf = (id: number) => [
  ...detectionsBetween(createSite(id), new Date(UNTIL.getTime() - DAYS * 86_400_000), UNTIL),
]

test('backfill covers the given days up to the configured end, in full batches', async () => {
  await backfill([backfillStation(1)], DAYS)

  const expected = historyOf(1)
  const sent = server.batches.flatMap((batch) => batch.vehicles)
  expect(new Set(sent.map(({ sequence }) => sequence))).toEqual(new Set(expected.map(({ sequence }) => sequence)))
  expect(sent).toHaveLength(expected.length)
  expect(Math.max(...server.batches.map((batch) => batch.vehicles.length))).toBe(1_000)
  expect(sent.every(({ createdAt }) => Date.parse(createdAt) < UNTIL.getTime())).toBe(true)
})

test('every station starts with its newest day before any sends its oldest', async () => {
  await backfill([backfillStation(1), backfillStation(2), backfillStation(3)], DAYS)

  const sent = server.batches.map(({ key, vehicles }) => ({ key, day: dayOf(new Date(vehicles[0]?.createdAt ?? 0)) }))
  const [newest, oldest] = [dayOf(UNTIL), dayOf(UNTIL) - DAYS]
  const before = sent.slice(
    0,
    sent.findIndex(({ day }) => day === oldest),
  )
  expect(sent[0]?.day).toBe(newest)
  expect(new Set(before.filter(({ day }) => day === newest).map(({ key }) => key)).size).toBe(3)
  // The logged progress counts the vehicles of all stations.
  expect(lines.at(-1)).toMatchObject({ message: 'history', days: lines.at(-1)?.of, vehicles: server.vehicles.size })
})

test('an interrupted and repeated backfill sends repeats, not new vehicles', async () => {
  server.faults.push('hang up', { status: 503 }, 'hang up after storing')
  const broken = backfillStation(1)
  setTimeout(() => stop.abort(), 150)
  await backfill([broken], DAYS)
  const before = server.vehicles.size
  stop = new AbortController()
  await backfill([backfillStation(1)], DAYS)

  expect(server.vehicles.size).toBe(historyOf(1).length)
  expect(server.repeats()).toBeGreaterThanOrEqual(before)
})

test('backfill of no days sends neither vehicles nor images', async () => {
  const station = backfillStation(1)
  await backfill([station], 0)
  expect(server.batches).toEqual([])
  expect(station.outbox.waiting()).toEqual({ vehicles: 0, images: 0 })
})

test('only a few hundred of the newest heavy vehicles get images', async () => {
  const stations = [1, 2, 3].map(backfillStation)
  await backfill(stations, 1)
  const waiting = stations.reduce((sum, { outbox }) => sum + outbox.waiting().images, 0)

  expect(waiting).toBeGreaterThan(100)
  expect(waiting).toBeLessThanOrEqual(400)
})
