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

const siteOf = (id: number): SimulatedStation => ({
  ...sampleStation,
  location: { ...sampleStation.location, id, roadNumber: 'DK50' },
})

const tellerOf = (id: number): BackfillStation => {
  const desk = {
    station: `DK50 ${id}`,
    server: { url: server.url, key: `key-${id}`, signal: stop.signal },
    ndjson: id % 2 === 0,
    log: (message: string, facts?: Record<string, unknown>) => void lines.push({ message, ...facts }),
    random: trafficRandom('history'),
    tempo: { ...defaultTiming, firstBackOffMs: 5, longestBackOffMs: 10 },
    turn: createSemaphore(1),
  }
  return { site: siteOf(id), desk, outbox: createOutbox(desk), until: UNTIL }
}

const historyOf = (id: number) => [
  ...detectionsBetween(siteOf(id), new Date(UNTIL.getTime() - DAYS * 86_400_000), UNTIL),
]

test('backfill covers the given days up to the configured end, in full batches', async () => {
  await backfill([tellerOf(1)], DAYS)

  const expected = historyOf(1)
  const told = server.batches.flatMap((batch) => batch.vehicles)
  expect(new Set(told.map(({ sequence }) => sequence))).toEqual(new Set(expected.map(({ sequence }) => sequence)))
  expect(told).toHaveLength(expected.length)
  expect(Math.max(...server.batches.map((batch) => batch.vehicles.length))).toBe(1_000)
  expect(told.every(({ createdAt }) => Date.parse(createdAt) < UNTIL.getTime())).toBe(true)
})

test('every station starts with its newest day before any sends its oldest', async () => {
  await backfill([tellerOf(1), tellerOf(2), tellerOf(3)], DAYS)

  const told = server.batches.map(({ key, vehicles }) => ({ key, day: dayOf(new Date(vehicles[0]?.createdAt ?? 0)) }))
  const [newest, oldest] = [dayOf(UNTIL), dayOf(UNTIL) - DAYS]
  const before = told.slice(
    0,
    told.findIndex(({ day }) => day === oldest),
  )
  expect(told[0]?.day).toBe(newest)
  expect(new Set(before.filter(({ day }) => day === newest).map(({ key }) => key)).size).toBe(3)
  // The progress that is told counts everybody's vehicles.
  expect(lines.at(-1)).toMatchObject({ message: 'history', days: lines.at(-1)?.of, vehicles: server.vehicles.size })
})

test('an interrupted and repeated backfill sends repeats, not new vehicles', async () => {
  server.troubles.push('hang up', { status: 503 }, 'hang up after storing')
  const broken = tellerOf(1)
  setTimeout(() => stop.abort(), 150)
  await backfill([broken], DAYS)
  const before = server.vehicles.size
  stop = new AbortController()
  await backfill([tellerOf(1)], DAYS)

  expect(server.vehicles.size).toBe(historyOf(1).length)
  expect(server.repeats()).toBeGreaterThanOrEqual(before)
})

test('only a few hundred of the newest heavy vehicles get images', async () => {
  const tellers = [1, 2, 3].map(tellerOf)
  await backfill(tellers, 0)
  const waiting = tellers.reduce((sum, { outbox }) => sum + outbox.waiting().pictures, 0)

  expect(waiting).toBeGreaterThan(100)
  expect(waiting).toBeLessThanOrEqual(400)
})
