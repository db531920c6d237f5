import { check, counters, list, stream } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { addPlate } from '@rogatka/contract/wanted.ts'
import { expect, test, vi } from 'vitest'
import { raw, sql } from '../core/statement.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { addressOf, readEventStream } from '../testing/event-stream.ts'
import { type Client, eventually, type TestApi, testApi, testStation } from '../testing/test-api.ts'

const id = (sequence: number) => vehicleId(7, sequence)
const sequences = (vehicles: { id: number }[]) => vehicles.map((vehicle) => vehicle.id - id(0))

type Query = NonNullable<Parameters<typeof listed>[1]>
const listed = async (user: Client, query: { lastId?: number; [key: string]: unknown } = {}) => {
  const { status, body } = await user.call(list, { query: query as never })
  expect(status).toBe(200)
  return body
}
const refresh = async (user: Client, query: Query = {}) =>
  (await user.call(check, { query: query as never })).body.refresh

/** Sends and waits until every user sees the vehicles: notifications arrive shortly after the commit. */
async function arrive(station: Client, vehicles: WireMeasurement[], ...watchers: Client[]): Promise<void> {
  const { body } = await send(station, vehicles)
  expect(body.rejected).toEqual([])
  for (const watcher of watchers) {
    await eventually(async () => {
      const seen = (await listed(watcher)).content.map((vehicle) => vehicle.id)
      expect(seen).toEqual(expect.arrayContaining(vehicles.map(({ sequence }) => id(sequence))))
    })
  }
}

/** Inserts a vehicle like another one, without a notification. */
async function copyVehicle({ db }: TestApi, from: number, to: number): Promise<void> {
  for (const table of ['vehicle', 'vehicle_detail'])
    await db.query(
      raw(`
      create temporary table copied as select * from ${table} where id = ${id(from)};
      update copied set id = ${id(to)};
      insert into ${table} select * from copied;
      drop table copied`),
    )
}

/** Sends a notification of a vehicle measured at the same time as `car(1)`. */
const notifyLive = ({ db }: TestApi, kind: 'vehicles' | 'marks', sequence: number) =>
  db.query(sql`select pg_notify('live', ${`${kind} ${id(sequence)}@${Date.parse(car(1).createdAt)}`})`)

test('lists a new vehicle, and check reports it until it is fetched', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  expect(await listed(user)).toEqual({ content: [], lastId: null })
  expect(await refresh(user)).toBe(false)

  await arrive(await api.station(), [car(1)], user)

  expect(await refresh(user)).toBe(true)
  const { content, lastId } = await listed(user)
  expect(content).toMatchObject([{ id: id(1), plateLpr: 'WX10001', checkpointTime: '2026-10-20T08:03:18.000Z' }])
  expect(lastId).toBe(id(1))
  expect(await refresh(user, { lastId: id(1) })).toBe(false)
  expect(await listed(user, { lastId: id(1) })).toEqual({ content: [], lastId: id(1) })
})

test('a match invalidates a cached "nothing new"', async () => {
  const api = await testApi()
  const [user, other] = [await api.as('CurrentMeasurements'), await api.as('CurrentMeasurements')]
  const station = await api.station()
  await arrive(station, [car(1)], user)
  const filtered = { lastId: id(1), ctg8p1: '9' } as Query
  for (const sequence of [2, 3]) {
    await arrive(station, [car(sequence)], user)
    expect(await refresh(user, filtered)).toBe(false)
  }
  await arrive(station, [car(4, { ctg8p1: 9 }), car(5)], user)
  expect(await refresh(user, filtered)).toBe(true)
  expect(await refresh(user, filtered)).toBe(true)
  expect(await refresh(other, filtered)).toBe(true)
  expect(await refresh(user, { ...filtered, lastId: id(5) } as Query)).toBe(false)
})

test('removes a vehicle ten minutes after its checkpoint time', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  await arrive(await api.station(), [car(1)], user)
  api.clock.now = new Date('2026-10-20T08:13:17.999Z')
  expect(sequences((await listed(user)).content)).toEqual([1])
  api.clock.now = new Date('2026-10-20T08:13:18.000Z')
  expect(await listed(user)).toEqual({ content: [], lastId: null })
})

test('lists a vehicle that is notified before it can be read, as by Citus, and later ones again', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  const station = await api.station()
  await arrive(station, [car(1)], user)
  const events = await readEventStream(await addressOf(api), user.token, `${API_BASE}${stream.path}`)
  await events.next('list')
  await notifyLive(api, 'vehicles', 2)
  // Notifications are handled in order.
  await arrive(station, [car(3)], user)
  await events.next('vehicles')
  const following = async (sequence: number) => sequences((await listed(user, { lastId: id(sequence) })).content).sort()
  // Another process may have the vehicle between both: a client that goes there gets it after the first only.
  expect((await listed(user)).lastId).toBe(id(1))
  expect(events.lastEventId()).toMatch(`${id(1)}@`)
  await copyVehicle(api, 1, 2)
  await eventually(async () => expect(sequences((await listed(user)).content).sort()).toEqual([1, 2, 3]))
  await events.next('vehicles')
  expect((await listed(user)).lastId).toBe(id(2))
  expect(events.lastEventId()).toMatch(`${id(2)}@`)
  // A client that knows both from there may lack the third.
  expect(await following(2)).toEqual([3])
  await arrive(station, [car(4)], user)
  expect(await following(2)).toEqual([3, 4])
  expect(await following(3)).toEqual([2, 4])
  expect((await listed(user)).lastId).toBe(id(4))
})

test('does not skip a late vehicle with a smaller id', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  const station = await api.station()
  await arrive(station, [car(9)], user)
  await arrive(station, [car(3, { createdAt: '2026-10-20T07:59:00Z' })], user)
  const next = await listed(user, { lastId: id(9) })
  expect(sequences(next.content)).toEqual([3])
  expect(next.lastId).toBe(id(3))
  expect(sequences((await listed(user, { lastId: id(12345) })).content)).toEqual([9, 3])
})

test('every process delivers the vehicles of a batch in the same order', async () => {
  const api = await testApi()
  const other = await testApi({}, api)
  const [here, there] = [await api.as('CurrentMeasurements'), await api.as('CurrentMeasurements')]
  const elsewhere = other.client(there.token)
  const station = await api.station()
  await arrive(station, [car(5), car(2), car(8, { createdAt: '2026-10-20T07:59:00Z' })], here, elsewhere)
  await arrive(other.client(station.token), [car(7)], here, elsewhere)

  expect(await listed(elsewhere)).toEqual(await listed(here))
  expect((await listed(elsewhere)).lastId).toBe(id(7))
  for (const sequence of [8, 2, 5, 7]) {
    const [one, two] = await Promise.all([here, elsewhere].map((user) => listed(user, { lastId: id(sequence) })))
    expect(two).toEqual(one)
  }
  expect(sequences((await listed(here, { lastId: id(2) })).content).sort()).toEqual([5, 7])
})

test('concurrent batches of two processes have the same order in both', async () => {
  const api = await testApi()
  const other = await testApi({}, api)
  const user = await api.as('CurrentMeasurements')
  const elsewhere = other.client(user.token)
  const station = await api.station()
  const all = Array.from({ length: 300 }, (_, i) => car(i + 1))
  await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      send(i % 2 ? station : other.client(station.token), all.slice(i * 10, i * 10 + 10)),
    ),
  )
  for (const watcher of [user, elsewhere])
    await eventually(async () => expect((await listed(watcher)).content).toHaveLength(300))

  // Both return the same from every position.
  for (const { id: lastId } of (await listed(user)).content.slice(0, 60)) {
    const [here, there] = await Promise.all([user, elsewhere].map((watcher) => listed(watcher, { lastId })))
    expect(there).toEqual(here)
  }
})

test('filters the list, but lastId covers all vehicles', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  await arrive(await api.station(), [car(1), car(2, { speed: 130 }), car(3, { laneNumber: 2 })], user)
  expect(sequences((await listed(user, { overspeed: true })).content)).toEqual([2])
  expect((await listed(user, { overspeed: true })).lastId).toBe(id(3))
  expect(await refresh(user, { overspeed: true, lastId: id(1) })).toBe(true)
  expect(await refresh(user, { overspeed: true, lastId: id(2) })).toBe(false)
  expect(await refresh(user, { locations: 8 })).toBe(false)
  expect(sequences((await listed(user, { orderByColumnName: 'speed', orderDirection: 'desc' })).content)[0]).toBe(2)
})

test('adds optional fields to the list as requested', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  await arrive(await api.station(), [car(1, { euro: { make: 'Fiat' } })], user)
  const plain = (await listed(user)).content[0]
  for (const key of ['axles', 'axlesComplex', 'images', 'shapeSamples', 'tags', 'euro'])
    expect(plain).not.toHaveProperty(key)
  const full = { withAxles: true, withImages: true, withShapeSamples: true, withTags: true }
  expect((await listed(user, full)).content[0]).toMatchObject({
    axles: [{ totalLoad: 810 }, { totalLoad: 690 }],
    axlesComplex: { totalLoad: 1_500 },
    images: [],
    shapeSamples: [40, 150, 90],
    tags: [],
  })
})

test('lists a late vehicle only while its checkpoint is ahead', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  // 5 km at 90 km/h take 200 s
  const ahead = car(1, { createdAt: '2026-10-20T07:57:00Z' })
  const behind = car(2, { createdAt: '2026-10-20T07:56:00Z' })
  const yesterday = car(3, { createdAt: '2026-10-19T07:57:00Z' })
  const station = await api.station()
  await send(station, [behind, yesterday])
  await arrive(station, [ahead], user)
  expect(sequences((await listed(user)).content)).toEqual([1])
})

test('a vehicle without a checkpoint time is live for ten minutes after it was measured', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  await arrive(await api.station({ ...testStation, distanceToCheckpoint: null }), [car(1)], user)
  api.clock.now = new Date('2026-10-20T08:09:57.999Z')
  expect(sequences((await listed(user)).content)).toEqual([1])
  api.clock.now = new Date('2026-10-20T08:09:58Z')
  expect((await listed(user)).content).toEqual([])
})

test('delivers an early image with its vehicle, and the vehicle again after a late image', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  const station = await api.station()
  expect((await sendImage(station, car(1), 'rear', await jpeg())).status).toBe(204)
  await arrive(station, [car(1), car(2)], user)
  const images = async () => {
    const { content } = await listed(user, { withImages: true })
    return content.find((vehicle) => vehicle.id === id(1))?.images
  }
  expect(await images()).toEqual([{ number: 1, type: 'rear', path: expect.any(String) }])
  const { lastId } = await listed(user)
  // Notifications of images are delayed: the first may arrive only now.
  const untilDelivered = () =>
    eventually(async () => {
      api.clock.now = new Date(api.clock.now.getTime() + 3_000)
      expect(await refresh(user, { lastId: lastId as number })).toBe(false)
    })
  await untilDelivered()

  await sendImage(station, car(1), 'front', await jpeg(120))

  const both = [
    { number: 1, type: 'front' },
    { number: 2, type: 'rear' },
  ]
  await eventually(async () =>
    expect(await listed(user, { lastId: lastId as number, withImages: true })).toMatchObject({
      lastId,
      content: [{ id: id(1), images: both }],
    }),
  )
  expect(await refresh(user, { lastId: lastId as number })).toBe(true)
  await untilDelivered()
})

test('a client whose polls failed for some time gets the changes that it missed', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  const station = await api.station()
  await arrive(station, [car(1), car(2)], user)
  const { lastId } = await listed(user)
  const poll = { lastId: lastId as number }
  const pass = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1_000)
  }
  const changeImage = async (type: 'front' | 'rear') => {
    await sendImage(station, car(1), type, await jpeg())
    await eventually(async () => {
      const { content } = await listed(other, { withImages: true })
      expect(content.find((vehicle) => vehicle.id === id(1))?.images).toContainEqual(expect.objectContaining({ type }))
    })
  }
  const other = await api.as('CurrentMeasurements')
  const changes = async () => [await refresh(user, poll), sequences((await listed(user, poll)).content).sort()]
  // Unchanged ones are not repeated, however long ago the last poll was.
  pass(20)
  expect(await changes()).toEqual([false, []])

  // As long as a client waits for an answer, twice.
  await changeImage('front')
  pass(31)
  expect(await changes()).toEqual([true, [1]])
  pass(1)
  expect(await refresh(user, poll)).toBe(false)

  // Checks that were answered, and a list that was not.
  await changeImage('rear')
  expect(await refresh(user, poll)).toBe(true)
  pass(16)
  expect(await changes()).toEqual([true, [1]])

  // Changes are no longer kept for so long: the complete list.
  pass(70)
  expect(await changes()).toEqual([true, [1, 2]])
  pass(1)
  expect(await changes()).toEqual([false, []])
})

test('counters have the live vehicles and the last vehicle time of each station', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  const quiet = await api.station({ ...testStation, id: 8, shortName: 'S8 Other' })
  await arrive(await api.station(), [car(1), car(2, { speed: 130 })], user)
  await send(quiet, [car(1, { createdAt: '2026-10-20T05:00:00Z' })])
  const counted = async (query: Query = {}) => (await user.call(counters, { query: query as never })).body
  await eventually(async () => expect(await counted()).toHaveLength(2))
  expect(await counted()).toEqual([
    { locationId: 7, vehicles: 2, lastVehicleTime: '2026-10-20T07:59:58.000Z' },
    { locationId: 8, vehicles: 0, lastVehicleTime: '2026-10-20T05:00:00.000Z' },
  ])
  expect(await counted({ overspeed: true, locations: '7' })).toMatchObject([{ locationId: 7, vehicles: 1 }])
  expect(await counted({ locations: '9' })).toEqual([{ locationId: 9, vehicles: 0, lastVehicleTime: null }])
})

test('a process that starts later has every live vehicle, and repeats those of uncertain order', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  const station = await api.station()
  await sendImage(station, car(2), 'front', await jpeg())
  await arrive(station, [car(2)], user)
  await arrive(station, [car(1)], user)
  await send(station, [car(3, { createdAt: '2026-10-20T07:50:00Z' })])

  const late = (await testApi({}, api)).client(user.token)
  const flags = { withImages: true, withAxles: true }
  expect(sequences((await listed(late)).content).sort()).toEqual([1, 2])
  expect((await listed(late, flags)).content).toEqual((await listed(user, flags)).content)
  expect(sequences((await listed(late, { lastId: id(2) })).content)).toEqual([1])

  await arrive(station, [car(4)], user, late)
  const { lastId } = await listed(late)
  expect(lastId).toBe(id(4))
  expect(await refresh(late, { lastId: id(4) })).toBe(false)
})

test('a vehicle that cannot be read does not hold up others, and follows when it can', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements', 'BlackList')
  const station = await api.station()
  await arrive(station, [car(1)], user)
  const body = { typeOfList: 0 as const, plateLpr: 'WX10002', description: 'stolen' }
  const entry = await user.call(addPlate, { body })
  await api.db.execute(sql`
    insert into wanted_hit (created_at, vehicle_id, wanted_id, location_id, plate_lpr, lane_number)
    values (${new Date(car(1).createdAt)}, ${id(2)}, ${entry.body.id}, 7, 'WX10002', 1)`)
  // A query of marks that fails for one vehicle.
  await api.db.query(raw('alter table wanted_hit rename to wanted_hit_rows'))
  const setFault = (vehicleId: number) =>
    api.db.query(
      raw(`
      create or replace view wanted_hit as
      select * from wanted_hit_rows where 1 / (vehicle_id - ${vehicleId}) is not null`),
    )
  await setFault(id(2))
  await copyVehicle(api, 1, 2)
  await notifyLive(api, 'vehicles', 2)
  await send(station, [car(3)])
  const shown = async () => sequences((await listed(user)).content).sort()
  await eventually(async () => expect(await shown()).toEqual([1, 3]))
  await arrive(station, [car(4)], user)
  expect(await shown()).toEqual([1, 3, 4])
  // The window is loaded again.
  expect(await cutListener(api)).toHaveLength(1)
  await send(station, [car(5)])
  await eventually(async () => expect(await shown()).toEqual([1, 3, 4, 5]))
  const events = await readEventStream(await addressOf(api), user.token, `${API_BASE}${stream.path}`)
  expect(events.status).toBe(200)
  await setFault(0)
  await eventually(async () => expect(await shown()).toEqual([1, 2, 3, 4, 5]))
})

test('vehicles removed by a clock that ran ahead return after it was corrected', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  const station = await api.station()
  await arrive(station, [car(1)], user)
  const events = await readEventStream(await addressOf(api), user.token, `${API_BASE}${stream.path}`)
  await events.next('list')
  api.clock.now = new Date('2026-10-20T08:14:00Z')
  expect(await events.next('vehicles')).toMatchObject({ removed: [{ id: id(1) }] })
  api.clock.now = new Date('2026-10-20T08:00:30Z')
  expect(await events.next('list')).toMatchObject({ content: [{ id: id(1) }] })
  expect(sequences((await listed(user)).content)).toEqual([1])
  await arrive(station, [car(2)], user)
})

test('streams end, and do not open, while vehicles cannot be read', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  const station = await api.station()
  await arrive(station, [car(1)], user)
  const open = async () => readEventStream(await addressOf(api), user.token, `${API_BASE}${stream.path}`)
  const before = await open()
  await before.next('list')
  await api.db.transaction(async (db) => {
    await db.execute(sql`lock table vehicle in access exclusive mode`)
    await notifyLive(api, 'marks', 1)
    expect(await before.next('end')).toEqual({ reason: 'unavailable' })
    expect((await open()).status).toBe(503)
  })
  await eventually(async () => expect((await open()).status).toBe(200))
})

/** Cuts the connection that listens, on which the process also tries to become the leader. */
const cutListener = ({ db }: TestApi) =>
  db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ~ '^(listen |select pg_try_advisory_lock)'`)

test('rebuilds the live window after LISTEN reconnects', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  const station = await api.station()
  await arrive(station, [car(1)], user)

  expect(await cutListener(api)).toHaveLength(1)
  await send(station, [car(2)])

  await eventually(async () => expect(sequences((await listed(user)).content).sort()).toEqual([1, 2]))
  await arrive(station, [car(3)], user)
})

test('serves the old live window while the new one loads, for a minute at most', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  const station = await api.station()
  await arrive(station, [car(1)], user)
  const status = async () => (await user.call(check)).status

  await api.db.transaction(async (db) => {
    // With the table locked, the new window cannot load.
    await db.execute(sql`lock table vehicle in access exclusive mode`)
    await cutListener(api)
    await eventually(async () => {
      const [blocked] = await api.db.query(sql`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%from vehicle%'`)
      expect(blocked).toBeDefined()
    })
    expect(await refresh(user)).toBe(true)
    const lost = api.clock.now.getTime()
    api.clock.now = new Date(lost + 60_000)
    expect(await status()).toBe(200)
    api.clock.now = new Date(lost + 60_001)
    expect(await status()).toBe(503)
  })
  await eventually(async () => expect(await status()).toBe(200))
  await arrive(station, [car(2)], user)
  expect(await refresh(user, { lastId: id(2) })).toBe(false)
})

test('the list is unavailable while the database is, and recovers without losing vehicles', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  const station = await api.station()
  await arrive(station, [car(1)], user)

  const bringBack = await api.loseDatabase()
  await eventually(async () => expect((await user.call(check)).status).toBe(503))
  expect((await user.call(list)).errors[0]?.code).toBe('unavailable')
  expect((await send(station, [car(2)])).status).toBe(503)
  await bringBack()

  await eventually(async () => expect((await send(station, [car(2)])).status).toBe(200))
  await eventually(async () => expect(sequences((await listed(user)).content).sort()).toEqual([1, 2]))
})

test('check sends no query to the database', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements')
  await arrive(await api.station(), [car(1)], user)
  const statements = (['query', 'prepared', 'arrays', 'execute', 'transaction'] as const).map((name) =>
    vi.spyOn(api.db, name),
  )
  const countQueries = () => statements.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  expect(await refresh(user)).toBe(true)
  expect(await refresh(user, { lastId: id(1) })).toBe(false)
  expect(countQueries()).toBe(0)
  await listed(user, { withTags: true })
  expect(countQueries()).toBeGreaterThan(0)
})
