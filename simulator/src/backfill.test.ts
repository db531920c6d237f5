import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Teller, tellHistory } from './backfill.ts'
import { fakeServer } from './fake-server.ts'
import { outboxOf, realTempo } from './outbox.ts'
import { passagesBetween, type Site } from './passage.ts'
import { turnsOf } from './queue.ts'
import { randomOf } from './random.ts'
import { sampleSite } from './sample.ts'
import { dayOf } from './warsaw.ts'

const UNTIL = new Date('2026-10-20T10:00:00Z')
const DAYS = 2

let server: Awaited<ReturnType<typeof fakeServer>>
let stop: AbortController
let lines: Record<string, unknown>[]

beforeEach(async () => {
  server = await fakeServer()
  stop = new AbortController()
  lines = []
})

afterEach(() => {
  stop.abort()
  server.close()
})

const siteOf = (id: number): Site => ({ ...sampleSite, location: { ...sampleSite.location, id, roadNumber: 'DK50' } })

const tellerOf = (id: number): Teller => {
  const desk = {
    station: `DK50 ${id}`,
    server: { url: server.url, key: `key-${id}`, signal: stop.signal },
    ndjson: id % 2 === 0,
    log: (message: string, facts?: Record<string, unknown>) => void lines.push({ message, ...facts }),
    random: randomOf('history'),
    tempo: { ...realTempo, firstBackOffMs: 5, longestBackOffMs: 10 },
    turn: turnsOf(1),
  }
  return { site: siteOf(id), desk, outbox: outboxOf(desk), until: UNTIL }
}

const historyOf = (id: number) => [...passagesBetween(siteOf(id), new Date(UNTIL.getTime() - DAYS * 86_400_000), UNTIL)]

test('history reaches back so many days, up to the end that was set, in full batches', async () => {
  await tellHistory([tellerOf(1)], DAYS)

  const expected = historyOf(1)
  const told = server.batches.flatMap((batch) => batch.vehicles)
  expect(new Set(told.map(({ sequence }) => sequence))).toEqual(new Set(expected.map(({ sequence }) => sequence)))
  expect(told).toHaveLength(expected.length)
  expect(Math.max(...server.batches.map((batch) => batch.vehicles.length))).toBe(1_000)
  expect(told.every(({ createdAt }) => Date.parse(createdAt) < UNTIL.getTime())).toBe(true)
})

test('every station has begun with its newest day before the oldest is told', async () => {
  await tellHistory([tellerOf(1), tellerOf(2), tellerOf(3)], DAYS)

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

test('a history that is interrupted and told again gives repeats, not new vehicles', async () => {
  server.troubles.push('hang up', { status: 503 }, 'hang up after storing')
  const broken = tellerOf(1)
  setTimeout(() => stop.abort(), 150)
  await tellHistory([broken], DAYS)
  const before = server.vehicles.size
  stop = new AbortController()
  await tellHistory([tellerOf(1)], DAYS)

  expect(server.vehicles.size).toBe(historyOf(1).length)
  expect(server.repeats()).toBeGreaterThanOrEqual(before)
})

test('only the newest heavy vehicles get pictures, a few hundred in all', async () => {
  const tellers = [1, 2, 3].map(tellerOf)
  await tellHistory(tellers, 0)
  const waiting = tellers.reduce((sum, { outbox }) => sum + outbox.waiting().pictures, 0)

  expect(waiting).toBeGreaterThan(100)
  expect(waiting).toBeLessThanOrEqual(400)
})
