import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeServer } from './fake-server.ts'
import { retryAfterMs, sendVehicles } from './http.ts'
import { backOffMs, createOutbox, type Outbox, type SenderContext, type SendTiming } from './outbox.ts'
import { createSemaphore } from './queue.ts'
import { trafficRandom } from './random.ts'
import { measurementOf } from './sample.ts'

const quick: SendTiming = { batchMs: 5, minBackOffMs: 5, maxBackOffMs: 20, repeatShare: 0, maxRepeatDelayMs: 20 }
const AT = new Date('2026-10-20T10:00:00Z')

const vehicles = (count: number): WireMeasurement[] =>
  Array.from({ length: count }, (_, i) => measurementOf('car', { at: AT, sequence: i + 1, seed: String(i) }))

let server: Awaited<ReturnType<typeof createFakeServer>>
let stop: AbortController
let lines: string[]

beforeEach(async () => {
  server = await createFakeServer()
  stop = new AbortController()
  lines = []
})

afterEach(() => {
  stop.abort()
  server.close()
})

const createSender = (overrides: Partial<SenderContext> = {}): SenderContext => ({
  station: 'S8',
  server: { url: server.url, key: 'secret-key', signal: stop.signal },
  ndjson: false,
  log: (message, facts) => lines.push(`${message} ${JSON.stringify(facts)}`),
  random: trafficRandom('outbox'),
  timing: quick,
  withDrawLimit: createSemaphore(1),
  ...overrides,
})

const startOutbox = (overrides: Partial<SenderContext> = {}): Outbox => {
  const outbox = createOutbox(createSender(overrides))
  void outbox.run()
  return outbox
}

/** Generous, for a machine under load. */
const TIMEOUT = { timeout: 10_000 }

const waitUntilEmpty = (outbox: Outbox) =>
  vi.waitFor(() => expect(outbox.waiting()).toEqual({ vehicles: 0, images: 0 }), TIMEOUT)

test.each([true, false])('vehicles arrive once, in batches of up to 1,000 (NDJSON: %s)', async (ndjson) => {
  const outbox = startOutbox({ ndjson })
  for (const vehicle of vehicles(2_300)) outbox.vehicle(vehicle, 0)
  await waitUntilEmpty(outbox)

  expect(server.vehicles.size).toBe(2_300)
  expect(server.repeats()).toBe(0)
  expect(server.batches.map((batch) => batch.vehicles.length)).toEqual([1_000, 1_000, 300])
  expect(server.batches[0]?.key).toBe('secret-key')
})

test('a delayed vehicle is sent after its successors and is not lost', async () => {
  const outbox = startOutbox()
  const [held, ...others] = vehicles(4)
  if (held) outbox.vehicle(held, Date.now() + 150)
  for (const vehicle of others) outbox.vehicle(vehicle, 0)
  await waitUntilEmpty(outbox)

  expect(server.vehicles.size).toBe(4)
  expect(server.batches.at(-1)?.vehicles).toEqual([held])
})

test('repeated batches change nothing', async () => {
  const timing = { ...quick, repeatShare: 0.5 }
  const outbox = startOutbox({ timing })
  for (const vehicle of vehicles(500)) outbox.vehicle(vehicle, 0)
  await vi.waitFor(() => expect(server.repeats()).toBeGreaterThan(0), TIMEOUT)

  expect(server.vehicles.size).toBe(500)
})

test('queues vehicles while the server is unavailable and sends them afterwards', async () => {
  server.faults.push('hang up', { status: 503 }, { status: 500 }, 'hang up after storing', {
    status: 429,
    retryAfter: '0',
  })
  const outbox = startOutbox()
  for (const vehicle of vehicles(50)) outbox.vehicle(vehicle, 0)
  await vi.waitFor(() => expect(server.faults.length).toBeLessThan(3), TIMEOUT)
  for (const vehicle of vehicles(80).slice(50)) outbox.vehicle(vehicle, 0)
  await waitUntilEmpty(outbox)

  expect(server.vehicles.size).toBe(80)
  // Vehicles stored before the connection was lost are sent twice.
  expect(server.repeats()).toBe(50)
  expect(lines.filter((line) => line.startsWith('the server does not take vehicles'))).toHaveLength(1)
  expect(lines.filter((line) => line.startsWith('the server answers again'))).toHaveLength(1)
})

test('respects Retry-After', async () => {
  server.faults.push({ status: 503, retryAfter: '7' })
  expect(await sendVehicles(createSender().server, vehicles(1), false)).toMatchObject({ kind: 'later', afterMs: 7_000 })

  // Retry-After: 0 overrides a back-off of an hour.
  server.faults.push({ status: 503, retryAfter: '0' })
  const outbox = startOutbox({ timing: { ...quick, minBackOffMs: 3_600_000, maxBackOffMs: 3_600_000 } })
  for (const vehicle of vehicles(3)) outbox.vehicle(vehicle, 0)
  await waitUntilEmpty(outbox)

  expect(server.vehicles.size).toBe(3)
})

test('logs and drops a batch that is refused for good, and continues', async () => {
  server.faults.push({ status: 400 })
  const outbox = startOutbox()
  for (const vehicle of vehicles(3)) outbox.vehicle(vehicle, 0)
  await waitUntilEmpty(outbox)
  outbox.vehicle(measurementOf('bus', { at: AT, sequence: 9 }), 0)
  await waitUntilEmpty(outbox)

  expect(server.vehicles.size).toBe(1)
  expect(lines.some((line) => line.startsWith('the server refuses a batch') && line.includes('400'))).toBe(true)
})

test('a vehicle whose sequence the server knows with another content is logged once and not sent again', async () => {
  const outbox = startOutbox()
  const [first, second] = vehicles(2) as [WireMeasurement, WireMeasurement]
  outbox.vehicle(first, 0)
  await waitUntilEmpty(outbox)
  outbox.vehicle({ ...first, speed: 7 }, 0)
  await waitUntilEmpty(outbox)
  outbox.vehicle(second, 0)
  await waitUntilEmpty(outbox)

  expect([...server.vehicles.values()]).toEqual([first, second])
  expect(lines.filter((line) => line.includes('sequence-reused'))).toHaveLength(1)
})

test('logs a wrong key once, without the key, and keeps the queue', async () => {
  server.faults.push({ status: 401 })
  const outbox = startOutbox()
  for (const vehicle of vehicles(3)) outbox.vehicle(vehicle, 0)
  await vi.waitFor(() => expect(lines).toHaveLength(1), TIMEOUT)

  expect(lines[0]).toContain('the station key is not accepted')
  expect(lines[0]).not.toContain('secret-key')
  expect(outbox.waiting().vehicles).toBe(3)
})

test('sends images to their vehicles, newest first, with retries', async () => {
  server.faults.push({ status: 503 })
  const outbox = createOutbox(createSender())
  const [vehicle] = vehicles(1)
  if (!vehicle) throw new Error('no vehicle')
  for (const type of ['rear', 'front'] as const) outbox.image({ vehicle, type, draw: async () => Buffer.from(type) }, 0)
  void outbox.run()
  await waitUntilEmpty(outbox)

  expect([...server.images]).toEqual([
    [`1/images/front ${vehicle.createdAt}`, Buffer.from('front')],
    [`1/images/rear ${vehicle.createdAt}`, Buffer.from('rear')],
  ])
})

test('continues after a vehicle that cannot be drawn', async () => {
  const outbox = startOutbox()
  const [vehicle] = vehicles(1)
  if (!vehicle) throw new Error('no vehicle')
  outbox.image({ vehicle, type: 'front', draw: () => Promise.reject(new Error('no paint')) }, 0)
  outbox.image({ vehicle, type: 'side', draw: async () => Buffer.from('side') }, 0)
  await waitUntilEmpty(outbox)

  expect(server.images.size).toBe(1)
  expect(lines.join()).toContain('no paint')
})

test('back-off grows with each failure up to a maximum', () => {
  const timing = { ...quick, minBackOffMs: 100, maxBackOffMs: 1_000 }
  const waits = [1, 2, 3, 4, 5, 60].map((failures) =>
    backOffMs(failures, timing, { ...trafficRandom('x'), between: (_, to) => to }),
  )

  expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000])
})

test.each([
  ['7', 7_000],
  ['Tue, 20 Oct 2026 10:00:30 GMT', 30_000],
  ['Tue, 20 Oct 2026 09:00:00 GMT', 0],
  ['soon', null],
  [null, null],
])('Retry-After %s means %s ms', (header, expected) => {
  expect(retryAfterMs(header, AT)).toBe(expected)
})
