import { list, stream } from '@rogatka/contract/current.ts'
import { add as addDevice, type WireNewDevice } from '@rogatka/contract/devices.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { ping } from '@rogatka/contract/session.ts'
import { add as addSystem, type WireNewSystem } from '@rogatka/contract/systems.ts'
import { addPlate } from '@rogatka/contract/wanted.ts'
import { hitStream, openHits } from '@rogatka/contract/wanted-hits.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { addressOf, type EventStream, readEventStream } from '../testing/event-stream.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'
import { eventually, type TestApi, testApi } from '../testing/test-api.ts'

const MAX_STREAM_MS = 5 * 60_000

const path = (endpoint: typeof stream | typeof hitStream, query = '') => `${API_BASE}${endpoint.path}?${query}`

/** Intervals, by which streams are renewed, elapse only by `elapse`. */
function controlTime(api: TestApi) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  return {
    elapse: async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        api.clock.now = new Date(api.clock.now.getTime() + 1_000)
        vi.advanceTimersByTime(1_000)
        // A round trip, in which the server does what is due.
        expect((await api.anyone.call(ping)).status).toBe(401)
      }
    },
  }
}

/** Waits without moving the timers, as `eventually` would. */
async function until(check: () => boolean) {
  for (let tries = 0; tries < 6_000 && !check(); tries++) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(check()).toBe(true)
}

const runJob = ({ app }: TestApi, name: string) => app.jobs.recurring.find((job) => job.name === name)?.work()

test('a client that vanishes without closing its connections is present for at most five minutes more', async () => {
  const api = await testApi()
  const station = await api.station()
  const user = await api.as('CurrentMeasurements', 'WantedList', 'UserManagement')
  await user.call(addPlate, { body: { typeOfList: 0, plateLpr: 'WX10001', description: 'stolen' } })
  await send(station, [car(1)])
  await eventually(async () => expect((await user.call(openHits)).body.content).toHaveLength(1))
  const { port } = new URL(await addressOf(api))
  const proxy = await startTcpProxy('127.0.0.1', Number(port))
  onTestFinished(proxy.cut)
  const { elapse } = controlTime(api)
  const open = (endpoint: typeof stream | typeof hitStream) =>
    readEventStream(`http://127.0.0.1:${proxy.port}`, user.token, path(endpoint))
  const streams = [await open(stream), await open(hitStream)]
  await until(() => streams.every(({ events }) => events.length > 0))
  await elapse(20)
  proxy.freeze()
  const vanishedAt = api.clock.now.getTime()

  await elapse(MAX_STREAM_MS / 1_000)
  await send(station, [car(2, { createdAt: api.clock.now.toISOString() })])
  await elapse(15 * 60 + 1)
  expect((await api.client(user.token).call(ping)).status).toBe(401)
  for (const job of ['close-silent-visits', 'close-access-visits']) await runJob(api, job)
  const [visit] = await api.db.query<{ at: Date }>(sql`select logout_at as at from live_visit`)
  const looks = await api.db.query<{ at: Date; results: number }>(sql`
    select ended_at as at, results from access_visit_end`)
  // Of the open hits, and of the live list: without the vehicle that passed later.
  expect(looks.map(({ results }) => results)).toEqual([1, 1])
  for (const end of [visit, ...looks]) {
    expect(end?.at.getTime()).toBeGreaterThanOrEqual(vanishedAt - 15_000)
    expect(end?.at.getTime()).toBeLessThanOrEqual(vanishedAt + MAX_STREAM_MS)
  }
})

const LONG = 'withAxles&withImages&withTags'
const DEVICE: WireNewDevice = { name: 'Hala', locationIds: [7], columns: 2, anonymised: true, wanted: false }
const SYSTEM: WireNewSystem = {
  name: 'KAS',
  locationIds: [7],
  rights: ['CurrentMeasurements'],
  plates: true,
  validUntil: '2026-12-31',
}

const tokenOfDevice = async (api: TestApi) => {
  const admin = await api.withPermissions(['ROLE_1', 'ROLE_7', 'ROLE_13', 'ROLE_20'])
  return (await admin.call(addDevice, { body: DEVICE })).body
}

const tokenOfSystem = async (api: TestApi) => {
  const admin = await api.as('Exchange', 'UsersAdmin', 'CurrentMeasurements', 'ArchiveMeasurements')
  return { token: (await admin.call(addSystem, { body: SYSTEM })).body.key }
}

test.each([
  ['a user without compression', 'identity', false, (api: TestApi) => api.as('CurrentMeasurements')],
  ['a user with gzip', 'gzip', false, (api: TestApi) => api.as('CurrentMeasurements')],
  ['an anonymised user', 'gzip', true, (api: TestApi) => api.as('CurrentMeasurements', 'Anonymization')],
  ['an anonymised device', 'gzip', true, tokenOfDevice],
  ['a system', 'identity', false, tokenOfSystem],
] as const)('%s resumes a renewed stream without a gap or a duplicate', async (_name, encoding, isMasked, signIn) => {
  const api = await testApi()
  const station = await api.station()
  const { token } = await signIn(api)
  const address = await addressOf(api)
  api.clock.now = new Date(api.clock.now.getTime() + 15_000)
  const { elapse } = controlTime(api)
  const streams: EventStream[] = []
  let reopening: Promise<void> = Promise.resolve()
  let isOver = false
  const open = async () => {
    const opened = await readEventStream(address, token, path(stream, LONG), streams.at(-1)?.lastEventId(), encoding)
    streams.push(opened)
    void opened.ended.then(() => {
      if (!isOver) reopening = open()
    })
  }
  await open()
  let sequence = 0
  const sendNext = () => send(station, [car(++sequence, { createdAt: api.clock.now.toISOString() })])
  const vehicles = () => streams.flatMap(({ events }) => events.filter(({ type }) => type === 'vehicles'))
  const added = () =>
    vehicles().flatMap(({ data }) => (data as { added: { id: number }[] }).added.map(({ id }) => id % 2 ** 40))
  await sendNext()
  await until(() => added().includes(1))
  // Longer without a vehicle than a stream resumes after the id of one.
  await elapse(MAX_STREAM_MS / 1_000)
  await until(() => streams.length > 1)
  for (let second = 0; second < MAX_STREAM_MS / 1_000 + 10; second += 2) {
    await Promise.all([sendNext(), elapse(2)])
    await reopening
  }
  await until(() => added().includes(sequence))
  isOver = true
  expect(added()).toEqual(Array.from({ length: sequence }, (_, at) => at + 1))
  expect(streams.length).toBeGreaterThan(2)
  expect(streams.map(({ events }) => events.filter(({ type }) => type === 'list').length)).toEqual(
    streams.map((_, at) => (at === 0 ? 1 : 0)),
  )
  for (const { events } of streams.slice(0, -1))
    expect(events.at(-1)).toMatchObject({ type: 'end', data: { reason: 'renewal' } })
  expect(JSON.stringify(vehicles()).includes('WX10001')).toBe(!isMasked)
})

test('a vehicle that waits for the next event is sent before a renewal', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
  const address = await addressOf(api)
  api.clock.now = new Date(api.clock.now.getTime() + 15_000)
  const { elapse } = controlTime(api)
  const open = (id?: string) => readEventStream(address, user.token, path(stream), id)
  const first = await open()
  await until(() => first.events.length > 0)
  await elapse(MAX_STREAM_MS / 1_000 - 1)
  const pass = (sequence: number) => send(station, [car(sequence, { createdAt: api.clock.now.toISOString() })])
  await pass(1)
  const addedTo = ({ events }: EventStream) =>
    events.flatMap(({ data }) => (data as { added?: { id: number }[] }).added?.map(({ id }) => id % 2 ** 40) ?? [])
  await until(() => addedTo(first).includes(1))
  // The next event seems to be far away, and counters, which bring it forward, are due after the renewal.
  vi.advanceTimersByTime(999)
  vi.spyOn(performance, 'now').mockReturnValue(0)
  await pass(2)
  for (let listed = 0; listed < 2; listed = (await user.call(list)).body.content.length)
    await new Promise((resolve) => setTimeout(resolve, 20))
  vi.advanceTimersByTime(1)
  vi.restoreAllMocks()
  await first.ended
  const second = await open(first.lastEventId())
  await until(() => second.events.some(({ type }) => type === 'counters'))
  expect([addedTo(first), addedTo(second)]).toEqual([[1, 2], []])
  expect(first.events.at(-1)).toMatchObject({ type: 'end', data: { reason: 'renewal' } })
  expect(second.events.filter(({ type }) => type === 'list')).toEqual([])
})

test('streams that are opened together are renewed one after the other, in two to five minutes', async () => {
  const api = await testApi()
  const users = [await api.as('CurrentMeasurements', 'WantedList'), await api.as('CurrentMeasurements', 'WantedList')]
  await eventually(async () => expect((await users[0]?.call(openHits))?.status).toBe(200))
  const address = await addressOf(api)
  const { elapse } = controlTime(api)
  for (const endpoint of [stream, hitStream]) {
    const tokens = Array.from({ length: 15 }, (_, at) => users[at % 2]?.token)
    const streams = await Promise.all(tokens.map((token) => readEventStream(address, token, path(endpoint))))
    await until(() => streams.every(({ events }) => events.length > 0))
    const endedAfter: number[] = []
    let seconds = 0
    for (const { ended } of streams) void ended.then(() => endedAfter.push(seconds))
    // Each second another one has its heartbeat.
    const beats = () => streams.reduce((sum, { heartbeats }) => sum + heartbeats.length, endedAfter.length)
    for (; seconds < MAX_STREAM_MS / 1_000; await until(() => beats() >= seconds)) {
      seconds += 1
      await elapse(1)
    }
    expect(Math.min(...endedAfter)).toBeGreaterThan(120)
    expect(new Set(endedAfter).size).toBeGreaterThan(12)
    for (const { events } of streams) expect(events.at(-1)).toMatchObject({ type: 'end', data: { reason: 'renewal' } })
  }
})

test('a browser that reads a stream by itself is told to come back within a second after a renewal', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements', 'WantedList')
  await eventually(async () => expect((await user.call(openHits)).status).toBe(200))
  const address = await addressOf(api)
  const { elapse } = controlTime(api)
  const headers = { authorization: `Bearer ${user.token}` }
  const responses = await Promise.all(
    [stream, hitStream].map((endpoint) => fetch(address + path(endpoint), { headers })),
  )
  const read = Promise.all(responses.map((response) => response.text()))
  await elapse(MAX_STREAM_MS / 1_000)
  for (const text of await read)
    expect(text).toMatch(/\n\nretry: 1000\n(id: \S+\n)?event: end\ndata: \{"reason":"renewal"\}\n\n$/)
})
