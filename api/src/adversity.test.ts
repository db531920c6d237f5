import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { search } from '@rogatka/contract/archive.ts'
import { image, list } from '@rogatka/contract/current.ts'
import { quarantine, vehicleId } from '@rogatka/contract/ingest.ts'
import { login, logout, ping } from '@rogatka/contract/session.ts'
import { expect, onTestFinished, test } from 'vitest'
import { identifier, sql } from './core/statement.ts'
import { car, jpeg, send, sendImage } from './ingest/testing.ts'
import { isOnOneServer } from './testing/databases.ts'
import { type Client, eventually, PASSWORD, testApi, testStation } from './testing/test-api.ts'
import { verifyRollUp } from './vehicle/verify.ts'

const id = (sequence: number) => vehicleId(7, sequence)

test('two processes show the same live list and accept the lastId of the other', async () => {
  const one = await testApi()
  const two = await testApi({}, one)
  const [here, station] = [await one.as('CurrentMeasurements'), await one.station()]
  const there = two.client(here.token)
  const second = await one.station({ ...testStation, id: 8, shortName: 'S8 Second' })
  const listed = async (client: Client, lastId?: number) =>
    (await client.call(list, { query: { ...(lastId && { lastId }), withAxles: true } as never })).body

  const batches = Array.from({ length: 12 }, (_, at) => [car(at * 10 + 1), car(at * 10 + 2), car(at * 10 + 3)])
  await Promise.all(
    batches.map((batch, at) => {
      const { token } = at % 2 ? station : second
      return send((at % 3 ? one : two).client(token), batch)
    }),
  )
  await eventually(async () => {
    for (const client of [here, there]) expect((await listed(client)).content).toHaveLength(36)
  })
  const listHere = await listed(here)
  expect(await listed(there)).toEqual(listHere)

  await send(two.client(station.token), [car(900), car(901)])
  await eventually(async () => expect((await listed(there, listHere.lastId ?? 0)).content).toHaveLength(2))
  await eventually(async () =>
    expect(await listed(here, listHere.lastId ?? 0)).toEqual(await listed(there, listHere.lastId ?? 0)),
  )
})

test('two processes share lock-out and logout', async () => {
  const one = await testApi()
  const two = await testApi({}, one)
  const user = await one.as('Stat')
  const elsewhere = two.client(user.token)
  expect((await elsewhere.call(ping)).status).toBe(204)
  await user.call(logout)
  await eventually(async () => expect((await elsewhere.call(ping)).status).toBe(401))

  const attempt = (client: Client, password: string) =>
    client.call(login, { body: { username: user.username, password } })
  for (const { anyone } of [one, two, one, two, one]) expect((await attempt(anyone, 'wrong')).status).toBe(401)
  for (const { anyone } of [one, two]) expect((await attempt(anyone, PASSWORD)).status).toBe(429)
})

test('refuses images while the disk is not writable, leaves no partial files, and recovers', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-full-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const api = await testApi({ dataDir })
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
  await send(station, [car(1)])
  // A file in place of the image folder, so that every write below it fails.
  await writeFile(join(dataDir, 'files'), '')

  const refused = await sendImage(station, car(1), 'front', await jpeg())
  expect([refused.status, refused.errors[0]?.code]).toEqual([503, 'storage-unavailable'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(await api.db.query(sql`select id from vehicle_image`)).toEqual([])
  // Vehicles do not need the image store.
  expect((await send(station, [car(2)])).body.accepted).toBe(1)

  await rm(join(dataDir, 'files'))
  expect((await sendImage(station, car(1), 'front', await jpeg())).status).toBe(204)
  const shown = { params: { id: id(1), number: 1 }, query: { locationId: 7 } }
  await eventually(async () =>
    expect(await user.call(image, shown)).toMatchObject({ status: 200, bytes: await jpeg() }),
  )
  // Versions of the image may still be written.
  await eventually(async () => {
    const files = await readdir(join(dataDir, 'files'), { recursive: true })
    expect(files.filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

test('refuses only station data while the disk is nearly full', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-nearly-full-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  // Without DATABASE_URL the database is on the same disk.
  const api = await testApi({ dataDir, databaseUrl: undefined, diskReserve: Number.MAX_SAFE_INTEGER })
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]

  for (const refused of [await send(station, [car(1)]), await sendImage(station, car(1), 'front', await jpeg())]) {
    expect([refused.status, refused.errors[0]?.code]).toEqual([503, 'storage-unavailable'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  }
  expect((await user.call(list, { query: {} as never })).body.content).toEqual([])
  const credentials = { username: user.username, password: PASSWORD }
  expect((await api.anyone.call(login, { body: credentials })).status).toBe(200)
  expect((await api.app.api.http.inject('/metrics')).body).toMatch(/^rogatka_disk_free_bytes \d+/m)

  api.app.api.config.diskReserve = 0
  expect((await send(station, [car(1)])).body.accepted).toBe(1)
})

test.runIf(isOnOneServer)(
  'refuses measurements while the disk of the database is full, and keeps data and sessions',
  async () => {
    const api = await testApi()
    const [station, user] = [await api.station(), await api.as('CurrentMeasurements')]
    const shown = async () => (await user.call(list, { query: {} as never })).body.content?.map(({ id }) => id)
    await send(station, [car(1)])
    await eventually(async () => expect(await shown()).toEqual([id(1)]))
    await api.db.execute(sql`create function disk_is_full() returns trigger language plpgsql as $$
    begin raise exception using errcode = 'disk_full', message = 'could not extend file'; end $$`)
    for (const table of ['vehicle_detail', 'session'])
      await api.db.execute(sql`create trigger full_disk before insert or update on ${identifier(table)}
      for each row execute function disk_is_full()`)

    // Longer than the session cache, and long enough that `last_seen_at` has to be written.
    api.clock.now = new Date(api.clock.now.getTime() + 90_000)
    const refused = await send(station, [car(2)])
    expect([refused.status, refused.errors[0]?.code]).toEqual([503, 'storage-unavailable'])
    expect(await shown()).toEqual([id(1)])

    for (const table of ['vehicle_detail', 'session'])
      await api.db.execute(sql`drop trigger full_disk on ${identifier(table)}`)
    expect((await send(station, [car(2)])).body.accepted).toBe(1)
    await eventually(async () => expect(await shown()).toEqual([id(1), id(2)]))
    expect((await verifyRollUp(api.db)).differences).toEqual([])
  },
)

test('rejects and quarantines only the vehicles measured a day ahead', async () => {
  const api = await testApi()
  const [station, user, administrator] = [
    await api.station(),
    await api.as('CurrentMeasurements', 'ArchiveMeasurements'),
    await api.as('UsersAdmin'),
  ]
  const { body } = await send(station, [car(1, { createdAt: '2026-10-21T07:59:58.000Z' }), car(2)])
  expect(body).toMatchObject({ accepted: 1, rejected: [{ index: 0, errors: [{ code: 'measurement-in-the-future' }] }] })
  const kept = await administrator.call(quarantine)
  expect(kept.body.content.map(({ measurement }) => (measurement as { sequence: number }).sequence)).toEqual([1])
  await eventually(async () => {
    const { content } = (await user.call(list, { query: {} as never })).body
    expect(content.map((vehicle) => vehicle.id)).toEqual([id(2)])
  })
})

test('vehicles measured hours ago enter the archive but not the live list', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('CurrentMeasurements', 'ArchiveMeasurements')]
  await send(station, [car(1, { createdAt: '2026-10-20T03:00:00.000Z' }), car(2)])
  await eventually(async () => {
    const { content } = (await user.call(list, { query: {} as never })).body
    expect(content.map((vehicle) => vehicle.id)).toEqual([id(2)])
  })
  const then = { dateTimeStart: '2026-10-20T02:00:00Z', dateTimeEnd: '2026-10-20T04:00:00Z', locations: [7] }
  const found = await user.call(search, { query: then as never })
  expect(found.body.content.map((vehicle) => vehicle.id)).toEqual([id(1)])
})
