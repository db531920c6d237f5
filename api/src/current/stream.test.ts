import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { constants, gunzipSync } from 'node:zlib'
import { addTag, counters, list, stream } from '@rogatka/contract/current.ts'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { logout, ping } from '@rogatka/contract/session.ts'
import { removePurpose, setPurpose } from '@rogatka/contract/trail.ts'
import { bulkDelete } from '@rogatka/contract/users.ts'
import { addPlate, removePlate, removePlates } from '@rogatka/contract/wanted.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { registeredEndpoints } from '../core/route.ts'
import { sql } from '../core/statement.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { addressOf, type EventStream, readEventStream } from '../testing/event-stream.ts'
import { type Client, eventually, type TestApi, testApi } from '../testing/test-api.ts'
import { EVERYTHING } from '../testing/walk.ts'
import { CHANNEL as IMAGE_KEY_CHANNEL, renewImageKey } from '../vehicle/image-key-queries.ts'

type ListedVehicle = WireOf<typeof list, 'response'>['content'][number]
type Key = { id: number; createdAt: string; locationId: number }
type Changes = { added: ListedVehicle[]; changed: ListedVehicle[]; removed: Key[] }

const open = async (api: TestApi, user: Client, query = '', lastEventId?: string, acceptEncoding?: string) =>
  readEventStream(await addressOf(api), user.token, `${API_BASE}${stream.path}?${query}`, lastEventId, acceptEncoding)

const ids = (vehicles: readonly { id: number }[]) => vehicles.map(({ id }) => id % 2 ** 40)

const IMAGE_PATHS = /(?<="path":")[^"]+/g

const FRONT = { number: 1, type: 'front', path: expect.any(String) }

/** Lets the time pass after which a process that has just loaded the live vehicles resumes streams. */
function settle(...apis: TestApi[]) {
  for (const { clock } of apis) clock.now = new Date(clock.now.getTime() + 15_000)
}

/** All vehicles that a screen has from a stream: a list replaces them, changes add and remove. Counts additions. */
function screenOf(events: EventStream['events'][]) {
  const shown = new Map<string, ListedVehicle>()
  const added = new Map<number, number>()
  const keyOf = ({ id, createdAt }: Key | ListedVehicle) => `${id} ${createdAt}`
  for (const { type, data } of events.flat()) {
    if (type === 'list') shown.clear()
    const {
      content = [],
      added: newOnes = [],
      changed = [],
      removed = [],
    } = data as Partial<Changes> & { content?: ListedVehicle[] }
    if (type !== 'list' && type !== 'vehicles') continue
    for (const vehicle of [...content, ...newOnes, ...changed]) shown.set(keyOf(vehicle), vehicle)
    for (const { id } of newOnes) added.set(id, (added.get(id) ?? 0) + 1)
    for (const key of removed) shown.delete(keyOf(key))
  }
  return {
    ids: ids([...shown.values()]).sort((a, b) => a - b),
    twice: [...added.values()].filter((count) => count > 1),
  }
}

test('a HEAD request opens no stream', async () => {
  const api = await testApi()
  const user = await api.withPermissions(EVERYTHING)
  for (const { path } of registeredEndpoints(api.app.api).filter((endpoint) => endpoint.events)) {
    const headers = { authorization: `Bearer ${user.token}` }
    const url = (await addressOf(api)) + API_BASE + path
    const answer = await fetch(url, { method: 'HEAD', headers, signal: AbortSignal.timeout(5_000) })
    // 404, or 400 where the path matches one with an id.
    expect([400, 404], path).toContain(answer.status)
  }
  expect(await api.db.query(sql`select from access_visit`)).toEqual([])
})

test('sends the list, then new, changed and removed vehicles, and counters', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
  await send(station, [car(1)])
  await eventually(async () => expect((await user.call(list)).body.content).toHaveLength(1))
  const events = await open(api, user, 'withImages')
  expect(events.status).toBe(200)
  expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(events.headers.get('x-accel-buffering')).toBe('no')
  expect(events.headers.get('cache-control')).toBe('no-store, no-transform')
  expect(events.headers.get('x-content-type-options')).toBe('nosniff')
  await eventually(() => expect(screenOf([events.events]).ids).toEqual([1]))
  const counters = () =>
    (events.events.findLast(({ type }) => type === 'counters')?.data as { vehicles: number }[] | undefined)?.[0]
  await eventually(() => expect(counters()).toMatchObject({ locationId: 7, vehicles: 1 }))

  await send(station, [car(2), car(3)])
  const { added } = await events.next<Changes>('vehicles')
  expect(ids(added)).toEqual([2, 3])
  expect(added[0]).toMatchObject({ plateLpr: 'WX10002', speed: 90, images: [] })
  expect(added[0]).not.toHaveProperty('axles')
  await eventually(() => expect(counters()).toMatchObject({ locationId: 7, vehicles: 3 }))

  await sendImage(station, car(2), 'front', await jpeg())
  const { changed } = await events.next<Changes>('vehicles')
  expect(changed.map(({ id, images }) => [id % 2 ** 40, images])).toEqual([[2, [FRONT]]])

  // Vehicles are live until ten minutes after their checkpoint, 5 km away.
  api.clock.now = new Date(api.clock.now.getTime() + 20 * 60_000)
  await eventually(() => expect(screenOf([events.events]).ids).toEqual([]))
  await eventually(() => expect(counters()).toMatchObject({ locationId: 7, vehicles: 0 }))
  expect((await events.next<Changes>('vehicles')).removed).toHaveLength(3)
})

/** The bytes of a stream, as they are sent. */
async function receive(api: TestApi, user: Client, query: string, acceptEncoding?: string) {
  const url = `${await addressOf(api)}${API_BASE}${stream.path}?${query}`
  const headers = {
    authorization: `Bearer ${user.token}`,
    ...(acceptEncoding && { 'accept-encoding': acceptEncoding }),
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { headers }, resolve).on('error', reject),
  )
  onTestFinished(() => void response.destroy())
  const parts: Buffer[] = []
  response.on('data', (part) => parts.push(part))
  return { headers: response.headers, bytes: () => Buffer.concat(parts), ended: once(response, 'end') }
}

test('a client that accepts gzip gets the same events in one gzip file, each as soon as it is sent', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
  const count = 150
  await send(
    station,
    Array.from({ length: count }, (_, index) => car(index + 1)),
  )
  await eventually(async () => expect((await user.call(list)).body.content).toHaveLength(count))
  const [plain, compressed] = [
    await receive(api, user, 'withAxles&withImages'),
    await receive(api, user, 'withAxles&withImages', 'br, gzip;q=0.8'),
  ]
  expect([plain, compressed].map(({ headers }) => [headers['content-encoding'], headers.vary])).toEqual([
    [undefined, 'accept-encoding'],
    ['gzip', 'accept-encoding'],
  ])
  // While the list may still be compressed.
  await send(station, [car(count + 1)])
  const readable = () => gunzipSync(compressed.bytes(), { finishFlush: constants.Z_SYNC_FLUSH }).toString()
  await eventually(() => {
    for (const text of [plain.bytes().toString(), readable()])
      expect(text).toContain(`"plateLpr":"WX${10_001 + count}"`)
  })
  const listed = compressed.bytes().length
  expect(listed).toBeLessThan(plain.bytes().length / 4)
  await user.call(logout)
  await Promise.all([plain.ended, compressed.ended])
  // Each has heartbeats of its own, and whoever was there first got counters more often.
  const eventsIn = (bytes: Buffer) =>
    bytes
      .toString()
      .split(/(?<=\n\n)/)
      .filter((text) => !/^(:|event: counters)/.test(text))
  // With its checksum and length.
  expect(eventsIn(gunzipSync(compressed.bytes()))).toEqual(eventsIn(plain.bytes()))
  expect(eventsIn(plain.bytes()).at(-1)).toBe('event: end\ndata: {"reason":"session-changed"}\n\n')
})

test.each(['identity', 'br, deflate', 'gzip;q=0', 'br, GZIP; q=0.000'])(
  'a client that accepts %s gets events as text',
  async (acceptEncoding) => {
    const api = await testApi()
    const user = await api.as('CurrentMeasurements')
    const { headers, bytes } = await receive(api, user, '', acceptEncoding)
    expect(headers['content-encoding']).toBeUndefined()
    await eventually(() => expect(bytes().toString()).toMatch(/event: list\ndata: \{"content":\[\]\}\n\n/))
  },
)

test('sends only vehicles that match the filters, with the requested fields', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
  const fast = await open(api, user, 'minSpeed=100&withAxles')
  const lane = await open(api, user, 'laneNumbers=2')
  await send(station, [car(1), car(2, { speed: 110 }), car(3, { laneNumber: 2 })])
  await eventually(() => expect(screenOf([fast.events]).ids).toEqual([2]))
  await eventually(() => expect(screenOf([lane.events]).ids).toEqual([3]))
  expect((await fast.next<Changes>('vehicles')).added[0]?.axles).toHaveLength(2)
  expect((await open(api, user, 'minSpeed=fast')).status).toBe(400)
})

test('resumes after the last event, in the same and in another process, without a gap or a duplicate', async () => {
  const one = await testApi()
  const two = await testApi({}, one)
  const [station, user] = [await one.station(), await one.as('CurrentMeasurements')]
  settle(one, two)
  const first = await open(one, user)
  let sequence = 0
  const sendSome = async (count: number) => {
    for (let sent = 0; sent < count; sent++) await send(station, [car(++sequence)])
  }
  await sendSome(3)
  await eventually(() => expect(screenOf([first.events]).ids).toHaveLength(3))
  const streams = [first.events]
  let last = first
  for (const api of [two, one, one, two]) {
    last.close()
    await sendSome(4)
    last = await open(api, user, '', last.lastEventId())
    streams.push(last.events)
    await sendSome(3)
    await eventually(() => expect(screenOf(streams).ids).toHaveLength(sequence))
  }
  expect(screenOf(streams).ids).toEqual(Array.from({ length: sequence }, (_, at) => at + 1))
  expect(screenOf(streams).twice).toEqual([])
  // Resumed, not started again.
  expect(
    streams
      .slice(1)
      .flat()
      .filter(({ type }) => type === 'list'),
  ).toEqual([])
})

test('a stream that resumes has the changes and removals that it missed', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
  settle(api)
  const first = await open(api, user, 'withImages')
  await send(station, [car(1), car(2)])
  await eventually(() => expect(screenOf([first.events]).ids).toEqual([1, 2]))
  first.close()
  await sendImage(station, car(1), 'front', await jpeg())
  await new Promise((resolve) => setTimeout(resolve, 500))
  const second = await open(api, user, 'withImages', first.lastEventId())
  const { added, changed } = await second.next<Changes>('vehicles')
  expect([ids(added), ids(changed), changed[0]?.images]).toEqual([[], [1], [FRONT]])
})

test('a stream that resumes after the clock was set back has the changes since', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
  settle(api, api)
  const [first, meanwhile] = [await open(api, user, 'withImages'), await open(api, user, 'withImages=true&withAxles')]
  await send(station, [car(1), car(2)])
  await eventually(() => expect(screenOf([first.events]).ids).toEqual([1, 2]))
  await sendImage(station, car(2), 'front', await jpeg())
  await first.next('vehicles')
  await first.next('vehicles')
  first.close()
  await meanwhile.next('vehicles')
  await meanwhile.next('vehicles')
  api.clock.now = new Date(api.clock.now.getTime() - 15_000)
  await sendImage(station, car(1), 'front', await jpeg())
  await meanwhile.next('vehicles')
  // The clock runs on.
  api.clock.now = new Date(api.clock.now.getTime() + 6_000)
  const second = await open(api, user, 'withImages', first.lastEventId())
  await second.next('counters')
  const vehicles = second.events.flatMap(({ data }) => {
    const { content = [], changed = [] } = data as Partial<Changes> & { content?: ListedVehicle[] }
    return [...content, ...changed]
  })
  expect(vehicles.find(({ id }) => id === vehicleId(7, 1))?.images).toEqual([FRONT])
})

test('starts with the list after an event of other filters, of another kind of viewer or with other addresses', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
  const restricted = await api.as('CurrentMeasurements', 'Anonymization')
  settle(api)
  const first = await open(api, user, 'locations=7')
  await send(station, [car(1)])
  await eventually(() => expect(screenOf([first.events]).ids).toEqual([1]))
  const resumed = async (client: Client, query: string) => {
    const stream = await open(api, client, query, first.lastEventId())
    await stream.next('counters')
    stream.close()
    return stream.events.some(({ type }) => type === 'list')
  }
  expect(await resumed(user, 'locations=7')).toBe(false)
  expect(await resumed(user, '')).toBe(true)
  expect(await resumed(user, 'locations=7&withImages')).toBe(true)
  expect(await resumed(restricted, 'locations=7')).toBe(true)
  first.close()
  await renewImageKey(api.db)
  await eventually(async () => expect(await resumed(user, 'locations=7')).toBe(true))
})

test('a process that has just loaded the live vehicles sends the list instead of resuming', async () => {
  const one = await testApi()
  settle(one)
  const [station, user] = [await one.station(), await one.as('CurrentMeasurements')]
  const first = await open(one, user)
  await send(station, [car(1), car(2)])
  await eventually(() => expect(screenOf([first.events]).ids).toEqual([1, 2]))
  const two = await testApi({}, one)
  two.clock.now = one.clock.now
  await send(station, [car(3)])
  const second = await open(two, user, '', first.lastEventId())
  await eventually(() => expect(screenOf([second.events]).ids).toEqual([1, 2, 3]))
  expect(second.events[0]?.type).toBe('list')
})

test('ends the oldest of more than eight streams of a session', async () => {
  const api = await testApi()
  const [user, other] = [await api.as('CurrentMeasurements'), await api.as('CurrentMeasurements')]
  const theirs = await open(api, other)
  await theirs.next('list')
  const streams: EventStream[] = []
  for (let number = 1; number <= 10; number++) {
    const opened = await open(api, user, number % 2 ? '' : 'withImages')
    await opened.next('list')
    streams.push(opened)
  }
  await Promise.all(streams.slice(0, 2).map(({ ended }) => ended))
  const ends = [...streams, theirs].map(({ events }) => events.filter(({ type }) => type === 'end').length)
  expect(ends).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  expect(await streams[0]?.next('end')).toEqual({ reason: 'too-many-streams' })
})

test("sends the caller's tags and list marks before the vehicles that they belong to", async () => {
  const api = await testApi()
  const station = await api.station()
  const [user, other] = [
    await api.as('CurrentMeasurements', 'BlackList'),
    await api.as('CurrentMeasurements', 'BlackList'),
  ]
  await user.call(addPlate, { body: { typeOfList: 0, plateLpr: 'WX10002', description: 'stolen' } })
  const early = await open(api, user, 'withTags')
  await early.next('list')
  await send(station, [car(1), car(2)])
  await early.next('vehicles')
  expect(early.events.map(({ type }) => type).filter((type) => type !== 'counters')).toEqual([
    'list',
    'wanted',
    'vehicles',
  ])

  const tagged = { params: { id: vehicleId(7, 1) }, query: { locationId: 7 } }
  const { body: tag } = await user.call(addTag, { ...tagged, body: {} })
  const late = await open(api, user, 'withTags')
  expect(await late.next('list')).toMatchObject({ content: [{ id: vehicleId(7, 2) }, { id: vehicleId(7, 1) }] })
  expect(late.events.slice(0, 3).map(({ type }) => type)).toEqual(['tags', 'wanted', 'list'])
  expect(await late.next('tags')).toMatchObject([{ id: vehicleId(7, 1), locationId: 7, tags: [tag] }])

  const [theirs, plain] = [await open(api, other, 'withTags'), await open(api, user)]
  for (const stream of [theirs, plain]) {
    await stream.next('list')
    expect(stream.events.filter(({ type }) => type === 'tags')).toEqual([])
  }
})

test.each([
  ['an unknown vehicle', `${vehicleId(7, 99)}@1792483200000_1792483200000`],
  ['a time long ago', `${vehicleId(7, 1)}@1792483198000_1792400000000`],
  ['a text of another kind', 'abc'],
])('starts with the list after the id of %s', async (_name, lastEventId) => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
  await send(station, [car(1)])
  const events = await open(api, user, '', lastEventId)
  await eventually(() => expect(screenOf([events.events]).ids).toEqual([1]))
  expect(events.events[0]?.type).toBe('list')
})

test('starts again with the list after the window was rebuilt', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
  const events = await open(api, user)
  await send(station, [car(1)])
  await eventually(() => expect(screenOf([events.events]).ids).toEqual([1]))
  const restore = await api.loseDatabase()
  await restore()
  await eventually(async () => expect((await send(station, [car(2)])).status).toBe(200))
  await eventually(() => expect(events.events.filter(({ type }) => type === 'list')).toHaveLength(2))
  await eventually(() => expect(screenOf([events.events]).ids).toEqual([1, 2]))
})

test('starts again with the list after the addresses of images became invalid', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
  const vehicle = car(1)
  await send(station, [vehicle])
  await sendImage(station, vehicle, 'front', await jpeg())
  const events = await open(api, user, 'withImages=true')
  const paths = () => [...new Set(events.events.flatMap(({ data }) => JSON.stringify(data).match(IMAGE_PATHS) ?? []))]
  await eventually(() => expect(paths()).toHaveLength(1))
  await renewImageKey(api.db)
  await eventually(() => expect(paths()).toHaveLength(2))
  const statuses = paths().map(async (path) => {
    const headers = { authorization: `Bearer ${user.token}` }
    return (await api.app.api.http.inject({ url: `${API_BASE}${path}/full`, headers })).statusCode
  })
  expect(await Promise.all(statuses)).toEqual([404, 200])
})

test('continues after the same image key was read again', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
  const events = await open(api, user, 'withImages')
  await events.next('list')
  await api.db.query(sql`select pg_notify(${IMAGE_KEY_CHANNEL}, '')`)
  for (const number of [1, 2]) {
    await send(station, [car(number)])
    expect(ids((await events.next<Changes>('vehicles')).added)).toEqual([number])
  }
})

test('anonymised viewers get masked plates, and may not filter by plate', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements', 'Anonymization')]
  const other = await api.as('CurrentMeasurements')
  const [masked, plain] = [await open(api, user), await open(api, other)]
  await send(station, [car(1)])
  expect((await masked.next<Changes>('vehicles')).added[0]?.plateLpr).not.toContain('10001')
  expect((await plain.next<Changes>('vehicles')).added[0]?.plateLpr).toBe('WX10001')
  expect((await open(api, user, 'plateLpr=WX1')).status).toBe(403)
})

test('only those who may see an entry of a list get its mark', async () => {
  const api = await testApi()
  const station = await api.station()
  const [owner, other] = [
    await api.as('CurrentMeasurements', 'BlackList'),
    await api.as('CurrentMeasurements', 'BlackList'),
  ]
  const mine = await open(api, owner)
  const theirs = await open(api, other)
  const { body } = await owner.call(addPlate, {
    body: { typeOfList: 0, plateLpr: 'WX10002', description: 'stolen' },
  })
  await send(station, [car(1), car(2)])
  expect(await mine.next('wanted')).toMatchObject([
    { id: vehicleId(7, 2), locationId: 7, wanted: { typeOfList: 0, description: 'stolen' } },
  ])
  await owner.call(removePlate, { params: { id: body.id } })
  expect(await mine.next('wanted')).toMatchObject([{ id: vehicleId(7, 2), wanted: null }])
  const again = await open(api, other)
  await again.next('list')
  expect([...theirs.events, ...again.events].filter(({ type }) => type === 'wanted')).toEqual([])
  expect(JSON.stringify(theirs.events)).not.toContain('stolen')
})

test('a mark of several entries that are deleted together is announced as removed', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements', 'BlackList', 'WhiteList')]
  const entries: number[] = []
  for (const typeOfList of [0, 1] as const) {
    const body = { typeOfList, plateLpr: 'WX10002', description: 'one of two' }
    entries.push((await user.call(addPlate, { body })).body.id)
  }
  const events = await open(api, user)
  await send(station, [car(2)])
  expect(await events.next('wanted')).toMatchObject([{ id: vehicleId(7, 2), wanted: { description: 'one of two' } }])
  await user.call(removePlates, { body: { ids: entries } })
  expect(await events.next('wanted')).toMatchObject([{ id: vehicleId(7, 2), wanted: null }])
})

test('a stream that resumes is sent that a mark was removed before another change', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements', 'BlackList')]
  settle(api)
  const { body } = await user.call(addPlate, { body: { typeOfList: 0, plateLpr: 'WX10001', description: 'stolen' } })
  const [first, meanwhile] = [await open(api, user), await open(api, user, 'withImages')]
  await send(station, [car(1)])
  await first.next('vehicles')
  await meanwhile.next('vehicles')
  first.close()
  await user.call(removePlate, { params: { id: body.id } })
  await meanwhile.next('vehicles')
  await sendImage(station, car(1), 'front', await jpeg())
  await meanwhile.next('vehicles')
  const second = await open(api, user, '', first.lastEventId())
  expect(await second.next('wanted')).toMatchObject([{ id: vehicleId(7, 1), wanted: null }])
  expect(second.events.filter(({ type }) => type === 'list')).toEqual([])
})

test('ends when the session ends, its user is deleted, gets other rights or needs a second factor', async () => {
  const api = await testApi()
  const another = await testApi({}, api)
  const admin = await api.as('UserManagement', 'UsersAdmin', 'CurrentMeasurements')
  const users = [
    await api.as('CurrentMeasurements'),
    await api.as('CurrentMeasurements'),
    await api.as('CurrentMeasurements'),
    await api.as('CurrentMeasurements'),
  ] as const
  const [leaving, deleted, changed, unsafe] = users
  // The changes are made through another process.
  const streams = await Promise.all(users.map((user) => open(another, user)))
  for (const one of streams) await one.next('list')
  await leaving.call(logout)
  await admin.call(bulkDelete, { body: [deleted.userId] })
  await api.db.execute(sql`
    update role set permissions = permissions || '{ROLE_37}'
    where id = (select role_id from user_role where user_id = ${changed.userId})`)
  await api.db.execute(sql`
    update role set requires_factor = true where id = (select role_id from user_role where user_id = ${unsafe.userId})`)
  await api.db.query(sql`select pg_notify('session_changed', '')`)
  for (const one of streams) {
    expect(await one.next('end')).toEqual({ reason: 'session-changed' })
    await one.ended
  }
})

test('changes come after the time at which the server sends them', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
  const one = await open(api, user)
  await one.next('list')
  api.clock.now = new Date(api.clock.now.getTime() + 1_000)
  await send(station, [car(1, { createdAt: api.clock.now.toISOString() })])
  await one.next('vehicles')
  expect(one.sentAt.at(-1)).toBe(api.clock.now.getTime())
})

test('heartbeats of streams are spread over their interval', async () => {
  const api = await testApi()
  const users = [await api.as('CurrentMeasurements'), await api.as('CurrentMeasurements')] as const
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const streams = await Promise.all([...users, ...users, ...users, ...users].map((user) => open(api, user)))
  // `eventually` would move the timers.
  const until = async (check: () => boolean) => {
    for (let tries = 0; tries < 200 && !check(); tries++) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await until(() => streams.every(({ events }) => events.length > 0))
  const counts = () => streams.map(({ heartbeats }) => heartbeats.length)
  vi.advanceTimersByTime(4_000)
  await until(() => counts().includes(1))
  expect(new Set(counts())).toEqual(new Set([0, 1]))
  vi.advanceTimersByTime(11_000)
  await until(() => !counts().includes(0))
  expect(counts()).toEqual(streams.map(() => 1))
})

test('looks up few sessions at a time, each once, after a change of many', async () => {
  const api = await testApi()
  const users: Client[] = []
  for (let number = 0; number < 7; number++) users.push(await api.as('CurrentMeasurements'))
  const streams: EventStream[] = []
  for (const user of [...users, users[0], users[0]]) streams.push(await open(api, user as Client))
  for (const one of streams) await one.next('list')
  const waiting = async () =>
    (await api.db.query(sql`select from pg_locks where relation = 'session'::regclass and not granted`)).length
  await api.db.transaction(async (db) => {
    await db.execute(sql`lock table session in access exclusive mode`)
    await api.db.query(sql`select pg_notify('session_changed', '')`)
    await eventually(async () => expect(await waiting()).toBeGreaterThan(1))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await waiting()).toBeLessThanOrEqual(4)
  })
  await (users[0] as Client).call(logout)
  for (const one of [streams[0], ...streams.slice(7)])
    expect(await one?.next('end')).toEqual({ reason: 'session-changed' })
  expect(streams.filter(({ events }) => events.some(({ type }) => type === 'end'))).toHaveLength(3)
})

test('a stream by plate ends at the heartbeat after its purpose was removed or has ended', async () => {
  const api = await testApi({ purposes: 'required' })
  const user = await api.as('CurrentMeasurements')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const all = await open(api, user)
  const heartbeat = async (...streams: EventStream[]) => {
    const before = streams.map(({ heartbeats }) => heartbeats.length)
    vi.advanceTimersByTime(15_000)
    await eventually(() => {
      for (const [index, { heartbeats }] of streams.entries())
        expect(heartbeats.length).toBeGreaterThan(before[index] ?? 0)
    })
  }
  const openByPlate = async () => {
    expect((await user.call(setPurpose, { body: { purpose: 'roadside-check' } })).status).toBe(200)
    const events = await open(api, user, 'plateLpr=WX*')
    await events.next('list')
    await heartbeat(events, all)
    await heartbeat(events, all)
    expect(events.events.filter(({ type }) => type === 'end')).toEqual([])
    return events
  }
  const removed = await openByPlate()
  await user.call(removePurpose)
  await heartbeat(all)
  expect(await removed.next('end')).toEqual({ reason: 'session-changed' })

  const expired = await openByPlate()
  const end = api.clock.now.getTime() + 31 * 60_000
  while (api.clock.now.getTime() < end) {
    api.clock.now = new Date(api.clock.now.getTime() + 4 * 60_000)
    // The session stays open.
    expect((await user.call(ping)).status).toBe(204)
  }
  await heartbeat(all)
  expect(await expired.next('end')).toEqual({ reason: 'session-changed' })
  expect(all.events.filter(({ type }) => type === 'end')).toEqual([])
})

test.each(['identity', 'gzip'])(
  'drops a client that does not read %s, with an event that says so, and it resumes',
  async (acceptEncoding) => {
    const api = await testApi()
    settle(api)
    const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
    const slow = await open(api, user, 'withShapeSamples', undefined, acceptEncoding)
    await slow.next('list')
    slow.pause(true)
    // Hardly compressible.
    const samples = () => Array.from({ length: 1_000 }, () => randomInt(2_001))
    const cars = (batch: number) =>
      Array.from({ length: 200 }, (_, at) => car(batch * 200 + at + 1, { shapeSamples: samples() }))
    for (let batch = 0; batch < 10; batch++) {
      await send(station, cars(batch))
      // A portal that reads vehicles for more than 5 s ends its streams for that.
      const vehicles = (batch + 1) * 200
      await eventually(async () => expect((await user.call(counters)).body).toMatchObject([{ vehicles }]))
    }
    // Longer than a client may leave a megabyte unread.
    await new Promise((resolve) => setTimeout(resolve, 11_000))
    await send(station, [car(2_001)])
    await new Promise((resolve) => setTimeout(resolve, 500))
    slow.pause(false)
    await slow.ended
    expect(await slow.next('end')).toEqual({ reason: 'slow-reader' })
    const again = await open(api, user, '', slow.lastEventId())
    await eventually(() => expect(screenOf([slow.events, again.events]).ids).toHaveLength(2_001))
    expect(screenOf([slow.events, again.events]).twice).toEqual([])
  },
)

test.each(['identity', 'gzip'])(
  'a client that reads a list of more %s bytes than may wait unread is not dropped',
  async (acceptEncoding) => {
    const api = await testApi()
    const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
    // Hardly compressible.
    const samples = () => Array.from({ length: 1_000 }, () => randomInt(2_001))
    for (let batch = 0; batch < 8; batch++)
      await send(
        station,
        Array.from({ length: 400 }, (_, at) => car(batch * 400 + at + 1, { shapeSamples: samples() })),
      )
    await eventually(async () => expect((await user.call(counters)).body).toMatchObject([{ vehicles: 3_200 }]))
    const events = await open(api, user, 'withShapeSamples', undefined, acceptEncoding)
    events.pause(true)
    await send(station, [car(3_201)])
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    events.pause(false)
    await eventually(() => expect(screenOf([events.events]).ids).toHaveLength(3_201))
    expect(events.events.filter(({ type }) => type === 'end')).toEqual([])
  },
)

test('ends, and does not open, while the database cannot be reached', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  const before = await open(api, user)
  await before.next('list')
  const restore = await api.loseDatabase()
  await eventually(() => {
    api.clock.now = new Date(api.clock.now.getTime() + 1_000)
    expect(before.events.at(-1)).toMatchObject({ type: 'end', data: { reason: 'unavailable' } })
  })
  expect((await open(api, user)).status).toBe(503)
  await restore()
  await eventually(async () => expect((await open(api, user)).status).toBe(200))
})

test('the server ends streams when it stops', async () => {
  const api = await testApi()
  const events = await open(api, await api.as('CurrentMeasurements'))
  await events.next('list')
  await api.app.close()
  expect(await events.next('end')).toEqual({ reason: 'shutdown' })
  await events.ended
})
