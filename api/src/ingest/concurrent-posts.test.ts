import { expect, onTestFinished, test } from 'vitest'
import { raw, sql } from '../core/statement.ts'
import { createStationKey } from '../locations/queries.ts'
import { isOnOneServer } from '../testing/databases.ts'
import { type Client, eventually, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { verifyRollUp } from '../vehicle/verify.ts'
import { car, jpeg, send, sendImage } from './testing.ts'

const STATIONS = 5

const stationsOf = (api: TestApi): Promise<Client[]> =>
  Promise.all(
    Array.from({ length: STATIONS }, (_, at) =>
      api.station({ ...testStation, id: 20 + at, shortName: `S8 ${at}`, name: `Test ${at}` }),
    ),
  )

/** Blocks writes to a table until released, once a first request waits for it. */
async function blockWrites(api: TestApi, table: string, first: () => Promise<unknown>) {
  const lock = await api.db.reserve()
  await lock.execute(sql`begin`)
  await lock.execute(raw(`lock table ${table} in share row exclusive mode`))
  const waiting = first()
  await eventually(async () =>
    expect(await api.db.query(sql`select 1 from pg_locks where not granted and locktype = 'relation'`)).toHaveLength(1),
  )
  return async () => {
    await lock.execute(sql`rollback`)
    lock.release()
    return waiting
  }
}

/** Payloads of the live channel, in order of receipt. */
async function liveEvents(api: TestApi): Promise<string[]> {
  const events: string[] = []
  const connection = await api.db.open((_channel, payload) => events.push(payload))
  onTestFinished(connection.close)
  await connection.execute(sql`listen live`)
  return events
}

/** Makes the database reject vehicles with a plate. */
const rejectPlate = (api: TestApi, plate: string) =>
  api.db.query(
    raw(`create function reject_plate() returns trigger language plpgsql as $$
      begin
        if new.plate_lpr = '${plate}' then raise exception 'rejected by the test'; end if;
        return new;
      end $$;
      create trigger reject_plate before insert on vehicle for each row execute function reject_plate()`),
  )

test('posts that wait for a running transaction are stored together, each with its own response', async () => {
  const api = await testApi()
  const stations = await stationsOf(api)
  const events = await liveEvents(api)
  const release = await blockWrites(api, 'vehicle', () => send(stations[0] as Client, [car(1)]))
  const posts = Array.from({ length: 40 }, (_, at) => [
    car(100 + at),
    // Every fourth has a second vehicle, every eighth an invalid one.
    ...(at % 4 === 0 ? [car(200 + at)] : []),
    ...(at % 8 === 0 ? [car(300 + at, { speed: -1 })] : []),
  ])
  const answers = Promise.all(posts.map((post, at) => send(stations[at % STATIONS] as Client, post)))
  // Time for the requests to arrive.
  await new Promise((resolve) => setTimeout(resolve, 500))
  await release()
  expect((await answers).map(({ body }) => [body.accepted, body.duplicates, body.rejected.length])).toEqual(
    posts.map((_, at) => [at % 4 === 0 ? 2 : 1, 0, at % 8 === 0 ? 1 : 0]),
  )

  const [written] = await api.db.query<{ vehicles: number; transactions: number }>(sql`
    select count(*)::int as vehicles, count(distinct xmin::text)::int as transactions from vehicle`)
  expect(written?.vehicles).toBe(51)
  expect(written?.transactions).toBeLessThanOrEqual(4)
  expect((await verifyRollUp(api.db)).differences).toEqual([])

  // Every vehicle is announced once, in at most one event of a kind for each transaction.
  await eventually(() => expect(events.join(' ').match(/@/g)?.length).toBeGreaterThanOrEqual(51 + STATIONS))
  const keys = events.filter((event) => event.startsWith('vehicles ')).flatMap((event) => event.split(' ').slice(1))
  expect(keys).toHaveLength(51)
  expect(new Set(keys).size).toBe(51)
  expect(events.length).toBeLessThanOrEqual(2 * (written?.transactions ?? 0))
})

test.runIf(isOnOneServer)('a post that the database rejects does not fail those stored with it', async () => {
  const api = await testApi()
  const stations = await stationsOf(api)
  await rejectPlate(api, 'WX10013')
  const release = await blockWrites(api, 'vehicle', () => send(stations[0] as Client, [car(1)]))
  const answers = Promise.all(
    Array.from({ length: 20 }, (_, at) => send(stations[at % STATIONS] as Client, [car(10 + at)])),
  )
  await new Promise((resolve) => setTimeout(resolve, 500))
  await release()
  expect((await answers).map(({ status }) => status)).toEqual(
    Array.from({ length: 20 }, (_, at) => (at === 3 ? 500 : 200)),
  )
  const [stored] = await api.db.query<{ count: number }>(sql`select count(*)::int from vehicle`)
  expect(stored?.count).toBe(20)
  expect((await verifyRollUp(api.db)).differences).toEqual([])
})

test('a vehicle in concurrent posts is stored and counted once; other content under its key is rejected', async () => {
  const api = await testApi()
  const station = await api.station()
  const release = await blockWrites(api, 'vehicle', () => send(station, [car(1)]))
  const answers = Promise.all([
    send(station, [car(5)]),
    send(station, [car(5)]),
    send(station, [car(6), car(5)]),
    send(station, [car(5, { speed: 91 })]),
  ])
  await new Promise((resolve) => setTimeout(resolve, 500))
  await release()
  const bodies = (await answers).map(({ body }) => body)
  const sum = (of: (body: (typeof bodies)[number]) => number) => bodies.reduce((total, body) => total + of(body), 0)
  expect([
    sum(({ accepted }) => accepted),
    sum(({ rejected }) => rejected.length) + sum(({ duplicates }) => duplicates),
  ]).toEqual([2, 3])
  // Requests may arrive in another order; whichever is first, the content of the others differs or not.
  const [row] = await api.db.query<{ speed: number }>(sql`select speed from vehicle where plate_lpr = 'WX10005'`)
  expect(bodies.map(({ rejected }) => rejected.length)).toEqual(row?.speed === 90 ? [0, 0, 0, 1] : [1, 1, 1, 0])
  expect((await verifyRollUp(api.db)).vehicles).toBe(3)
})

test('images that wait for a running transaction are stored and notified together', async () => {
  const api = await testApi()
  const station = await api.station()
  const events = await liveEvents(api)
  const image = await jpeg()
  const release = await blockWrites(api, 'vehicle_image', () => sendImage(station, car(1), 'front', image))
  const answers = Promise.all(
    Array.from({ length: 20 }, (_, at) => sendImage(station, car(100 + (at >> 1)), at % 2 ? 'rear' : 'front', image)),
  )
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await release()
  expect((await answers).map(({ status }) => status)).toEqual(Array(20).fill(204))
  const [written] = await api.db.query<{ images: number; transactions: number }>(sql`
    select count(*)::int as images, count(distinct xmin::text)::int as transactions from vehicle_image`)
  expect(written?.images).toBe(21)
  expect(written?.transactions).toBeLessThanOrEqual(5)
  await eventually(() => expect(events.join(' ').match(/@/g)?.length).toBeGreaterThanOrEqual(11))
  expect(events.length).toBeLessThanOrEqual(written?.transactions ?? 0)
})

test('posts that wait for an unavailable database are refused, and stored when repeated', async () => {
  const api = await testApi()
  const stations = await stationsOf(api)
  const posts = () => Promise.all(stations.map((station) => send(station, [car(1), car(2)])))
  await posts()
  const restore = await api.loseDatabase()
  expect((await posts()).map(({ status }) => status)).toEqual(Array(STATIONS).fill(503))
  await restore()
  await eventually(async () => {
    const answers = await posts()
    expect(answers.map(({ status }) => status)).toEqual(Array(STATIONS).fill(200))
    expect(answers.map(({ body }) => body.duplicates)).toEqual(Array(STATIONS).fill(2))
  })
})

test('a replaced station key is refused at once, and the new one accepted', async () => {
  const api = await testApi()
  const other = await testApi({}, api)
  const station = await api.station()
  const before = other.client(station.token)
  expect((await send(before, [car(1)])).status).toBe(200)
  expect((await send(before, [car(2)])).status).toBe(200)
  const key = await createStationKey(api.db, testStation.id, api.clock.now, true)
  await eventually(async () => expect((await send(before, [car(3)])).status).toBe(401))
  expect((await send(other.client(key), [car(4)])).body.accepted).toBe(1)
})
