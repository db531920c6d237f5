import { audit } from '@rogatka/contract/activity.ts'
import { list as listAlarms } from '@rogatka/contract/alarms.ts'
import { check, counters, detail, list as liveList, stream } from '@rogatka/contract/current.ts'
import { add, change, list, read, readSelf, renew, revoke, type WireNewDevice } from '@rogatka/contract/devices.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { list as listLocations } from '@rogatka/contract/locations.ts'
import { overview } from '@rogatka/contract/overview.ts'
import { ping } from '@rogatka/contract/session.ts'
import { bulkDelete } from '@rogatka/contract/users.ts'
import { addPlate } from '@rogatka/contract/wanted.ts'
import { hitStream, openHits } from '@rogatka/contract/wanted-hits.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { addressOf, readEventStream } from '../testing/event-stream.ts'
import { inject } from '../testing/inject.ts'
import { type Client, eventually, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { deleteOldDevices } from './maintenance.ts'

/** Administrators who see hits of all users. */
const ADMINISTRATOR = ['ROLE_1', 'ROLE_7', 'ROLE_13', 'ROLE_20']

const WALL: WireNewDevice = { name: 'Hala', locationIds: [7], columns: 2, anonymised: false, wanted: false }

/** Adds a device; returns its id, its token and a client with it. */
async function addDevice(api: TestApi, admin: Client, values: Partial<WireNewDevice> = {}) {
  const { status, body } = await admin.call(add, { body: { ...WALL, ...values } })
  expect(status).toBe(200)
  return { id: body.device.id, token: body.token, wall: api.client(body.token) }
}

const openStream = async (api: TestApi, token: string, path: string = stream.path) =>
  readEventStream(await addressOf(api), token, `${API_BASE}${path}?withImages`)

test('adds, lists, changes, renews and revokes a device, with its history in the audit log', async () => {
  const api = await testApi()
  await api.station()
  const admin = await api.withPermissions(ADMINISTRATOR)
  const at = api.clock.now.toISOString()
  const { body: added } = await admin.call(add, {
    body: { ...WALL, remark: ' nad drzwiami ', validUntil: '2026-12-31', locationIds: [7, 7] },
  })
  const { id } = added.device
  expect(added.device).toEqual({
    ...WALL,
    id,
    remark: 'nad drzwiami',
    validUntil: '2026-12-31',
    state: 'active',
    created: { at, by: admin.username },
    renewedAt: at,
    lastSeenAt: null,
    revoked: null,
    manageable: true,
    version: 1,
  })
  expect(added.token).toMatch(/^device_[\w-]{43}$/)
  expect((await admin.call(list)).body).toEqual([added.device])
  expect((await admin.call(read, { params: { id } })).body).toEqual(added.device)

  const wall = api.client(added.token)
  expect((await wall.call(readSelf)).body).toEqual({ ...WALL, id })
  const body = { ...WALL, name: 'Dyżurka', columns: 4 as const, version: 1 }
  expect((await admin.call(change, { params: { id }, body })).body).toMatchObject({ name: 'Dyżurka', version: 2 })
  expect((await wall.call(readSelf)).body).toEqual({ ...WALL, id, name: 'Dyżurka', columns: 4 })
  expect((await admin.call(change, { params: { id }, body })).errors[0]?.code).toBe('changed-meanwhile')

  const { body: renewed } = await admin.call(renew, { params: { id } })
  expect((await wall.call(readSelf)).status).toBe(401)
  const next = api.client(renewed.token)
  expect((await next.call(readSelf)).status).toBe(200)
  const revoked = { at, by: admin.username }
  expect((await admin.call(revoke, { params: { id } })).body).toMatchObject({ state: 'revoked', revoked })
  expect((await next.call(readSelf)).status).toBe(401)
  for (const [endpoint, options] of [
    [change, { body }],
    [renew, {}],
    [revoke, {}],
  ] as const)
    expect((await admin.call(endpoint, { params: { id }, ...options } as never)).errors[0]?.code).toBe('device-revoked')

  const log = (await admin.call(audit, { query: RANGE })).body.content
  expect(log.map(({ action, subject }) => [action, subject])).toEqual([
    ['device-revoked', 'Dyżurka'],
    ['device-renewed', 'Dyżurka'],
    ['device-changed', 'Dyżurka'],
    ['device-added', 'Hala'],
  ])
  expect(log[2]).toMatchObject({ before: { columns: 2 }, after: { columns: 4, locations: [7] } })
  for (const token of [added.token, renewed.token]) expect(JSON.stringify(log)).not.toContain(token.slice(7))
  // The name of a revoked one can be used again.
  expect((await admin.call(add, { body })).status).toBe(200)
  expect((await admin.call(add, { body })).errors[0]?.code).toBe('device-name-taken')
})

const RANGE = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }

test('stores only hashes, logs no token, and deletes revoked and ended devices with the history', async () => {
  const api = await testApi({ logLevel: 'debug' })
  await api.station()
  const admin = await api.withPermissions(ADMINISTRATOR)
  const { id, token, wall } = await addDevice(api, admin)
  const ended = await addDevice(api, admin, { name: 'Targi', validUntil: '2026-10-20' })
  await wall.call(readSelf)
  expect((await wall.call(detail, { params: { id: 1 }, query: { locationId: 7 } })).status).toBe(403)
  const [row] = await api.db.query<{ text: string }>(sql`select row_to_json(d)::text as text from device d order by id`)
  const secret = Buffer.from(token.slice('device_'.length), 'base64url')
  expect(secret).toHaveLength(32)
  for (const form of [token.slice(7), secret.toString('hex'), secret.toString('base64')]) {
    expect(row?.text).not.toContain(form)
    expect(api.logged.join()).not.toContain(form)
  }
  await admin.call(revoke, { params: { id } })
  const names = async () => (await admin.call(list)).body.map(({ name }) => name)
  await deleteOldDevices(api.db, new Date('2026-11-19T07:59:00Z'), 30)
  expect(await names()).toEqual(['Hala', 'Targi'])
  await deleteOldDevices(api.db, new Date('2026-11-20T08:01:00Z'), 30)
  expect(await names()).toEqual([])
  expect((await ended.wall.call(readSelf)).status).toBe(401)
})

test('a user cannot give a device more than they may see', async () => {
  const api = await testApi()
  await api.station()
  const code = async (caller: Client, values: Partial<WireNewDevice>) => {
    const { status, errors } = await caller.call(add, { body: { ...WALL, name: String(Math.random()), ...values } })
    return status === 200 ? null : errors[0]?.code
  }
  const [unmasked, masked] = [{ anonymised: false }, { anonymised: true }]
  const plain = await api.as('UsersAdmin', 'CurrentMeasurements')
  expect(await code(plain, unmasked)).toBeNull()
  expect(await code(plain, { wanted: true })).toBe('right-not-held')
  expect(await code(await api.as('UsersAdmin'), unmasked)).toBe('right-not-held')
  // Hits of their own entries are not those of all users.
  const own = await api.as('UsersAdmin', 'CurrentMeasurements', 'BlackList')
  expect(await code(own, { wanted: true })).toBe('right-not-held')
  const anonymised = await api.withPermissions([...ADMINISTRATOR, 'ROLE_37'])
  expect(await code(anonymised, unmasked)).toBe('anonymization-stays')
  expect(await code(anonymised, masked)).toBeNull()
  const full = await api.withPermissions(ADMINISTRATOR)
  expect(await code(full, { wanted: true })).toBeNull()
  expect(await code(full, { wanted: true, ...masked })).toBe('device-hits-anonymised')
  expect(await code(full, { locationIds: [7, 8] })).toBe('location-not-found')
  expect(await code(full, { validUntil: '2026-10-19' })).toBe('expiry-in-the-past')

  // A new token of an unmasked device would show its plates; ending it shows nothing.
  const { id } = await addDevice(api, full, { wanted: true })
  expect((await anonymised.call(read, { params: { id } })).body.manageable).toBe(false)
  expect((await anonymised.call(renew, { params: { id } })).errors[0]?.code).toBe('anonymization-stays')
  expect((await plain.call(renew, { params: { id } })).errors[0]?.code).toBe('right-not-held')
  const body = { ...WALL, name: 'x', ...masked }
  expect((await anonymised.call(change, { params: { id }, body })).status).toBe(403)
  expect((await anonymised.call(revoke, { params: { id } })).body.state).toBe('revoked')
})

test('a device sees its stations only, and opens no visits', async () => {
  const api = await testApi()
  const here = await api.station()
  const there = await api.station({ ...testStation, id: 8, shortName: 'S8 Inna' })
  const admin = await api.withPermissions([...ADMINISTRATOR, 'ROLE_12'])
  for (const plateLpr of ['WX10001', 'WX10002'])
    expect((await admin.call(addPlate, { body: { plateLpr, typeOfList: 0, description: 'Szukany' } })).status).toBe(200)
  const { wall, token } = await addDevice(api, admin, { wanted: true })
  await send(here, [car(1)])
  await send(there, [car(2)])
  for (const [station, sequence] of [
    [here, 1],
    [there, 2],
  ] as const)
    await sendImage(station, car(sequence), 'front', await jpeg())
  const imagesOf = async (caller: Client) => {
    const { content } = (await caller.call(liveList, { query: { withImages: true } })).body
    return new Map(content.map(({ id, images }) => [id, images?.[0]?.path]))
  }
  await eventually(async () => {
    const seen = [...(await imagesOf(admin)).values()]
    expect(seen.filter(Boolean)).toHaveLength(2)
  })
  await eventually(async () => expect((await admin.call(openHits)).body.content).toHaveLength(2))

  const [own, other] = [vehicleId(7, 1), vehicleId(8, 2)]
  const images = await imagesOf(wall)
  expect([...images.keys()]).toEqual([own])
  // The id of a vehicle has the number of vehicles of its station.
  expect((await wall.call(liveList)).body.lastId).toBe(own)
  expect((await admin.call(liveList)).body.lastId).toBe(other)
  const imageStatus = async (path: string | undefined) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await inject(api.app.api.http, { method: 'GET', url: `${API_BASE}${path}/full`, headers })).statusCode
  }
  expect(await imageStatus(images.get(own))).toBe(200)
  expect(await imageStatus((await imagesOf(admin)).get(other))).toBe(404)
  expect((await wall.call(liveList, { query: { locations: '7,8' } })).body.content).toHaveLength(1)
  for (const endpoint of [liveList, check, counters])
    expect((await wall.call(endpoint, { query: { locations: '8' } })).status).toBe(403)
  expect((await wall.call(counters)).body.map(({ locationId }) => locationId)).toEqual([7])
  expect((await wall.call(overview)).body.stations.map(({ locationId }) => locationId)).toEqual([7])
  expect((await admin.call(overview)).body.stations.map(({ locationId }) => locationId)).toEqual([7, 8])
  expect((await wall.call(listLocations)).body.map(({ id }) => id)).toEqual([7])
  expect((await wall.call(openHits)).body.content.map(({ id }) => id)).toEqual([own])
  const live = await openStream(api, token)
  const { content } = await live.next<{ content: { id: number }[] }>('list')
  expect(content.map(({ id }) => id)).toEqual([own])
  expect(live.events.at(-1)?.lastEventId ?? '').not.toContain(String(other))
  const hits = await openStream(api, token, hitStream.path)
  expect((await hits.next<{ content: { id: number }[] }>('hits')).content.map(({ id }) => id)).toEqual([own])
  expect((await wall.call(listAlarms)).status).toBe(403)

  const [visits] = await api.db.query<{ users: number[] }>(sql`
    select array_agg(distinct user_id) as users from live_visit`)
  expect(visits?.users).toEqual([admin.userId])
  const [session] = await api.db.query<{ count: number }>(sql`select count(*)::int as count from session`)
  expect(session?.count).toBe(1)
})

test('a device that is revoked, changed or at its end loses access and streams in all processes', async () => {
  const first = await testApi()
  await first.station()
  const second = await testApi({}, first)
  const admin = await first.withPermissions(ADMINISTRATOR)
  const { id, token } = await addDevice(first, admin, { wanted: true })
  const there = second.client(token)
  const expectRefused = () => eventually(async () => expect((await there.call(readSelf)).status).toBe(401))
  const streams = async (of: string) => {
    const opening = [first, second].flatMap((api) => [openStream(api, of), openStream(api, of, hitStream.path)])
    const opened = await Promise.all(opening)
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    return opened
  }
  const expectEnded = async (open: Awaited<ReturnType<typeof streams>>) => {
    for (const events of open) expect(await events.next('end')).toEqual({ reason: 'session-changed' })
  }

  // Hits are loaded some time after the start. Both processes know the token then.
  for (const api of [first, second])
    await eventually(async () => expect((await api.client(token).call(openHits)).status).toBe(200))
  const before = await streams(token)
  await admin.call(change, { params: { id }, body: { ...WALL, wanted: true, columns: 3 } })
  await expectEnded(before)
  expect((await there.call(readSelf)).body.columns).toBe(3)
  const changed = await streams(token)
  const { body: renewed } = await admin.call(renew, { params: { id } })
  await expectEnded(changed)
  await expectRefused()
  const again = await streams(renewed.token)
  await admin.call(revoke, { params: { id } })
  await expectEnded(again)
  expect((await second.client(renewed.token).call(readSelf)).status).toBe(401)

  // The 31st of December ends an hour before midnight in UTC.
  const fair = await addDevice(first, admin, { name: 'Targi', validUntil: '2026-12-31', wanted: true })
  first.clock.now = second.clock.now = new Date('2026-12-31T22:59:59Z')
  const last = await streams(fair.token)
  first.clock.now = second.clock.now = new Date('2026-12-31T23:00:00Z')
  expect((await second.client(fair.token).call(readSelf)).status).toBe(401)
  await expectEnded(last)
})

test('a device outlives idleness, its administrator and a restart, and its use is recorded at most every minute', async () => {
  const api = await testApi()
  await api.station()
  const creator = await api.withPermissions(ADMINISTRATOR)
  const other = await api.withPermissions(ADMINISTRATOR)
  const { id, wall, token } = await addDevice(api, creator)
  const at = api.clock.now
  await wall.call(readSelf)
  expect((await other.call(bulkDelete, { body: [creator.userId] })).status).toBe(204)
  api.clock.now = new Date(at.getTime() + 30_000)
  await wall.call(readSelf)
  const seen = async (by: Client) => (await by.call(read, { params: { id } })).body.lastSeenAt
  const restarted = await testApi({}, api)
  // Times are written every few seconds, and at the end.
  await api.app.close()
  const again = restarted.client(other.token)
  expect(await seen(again)).toBe(at.toISOString())
  // Written by a server whose clock was ahead.
  await api.db.execute(sql`update device set last_seen_at = ${new Date(at.getTime() + 90 * 86_400_000)}::timestamptz`)
  const later = new Date(at.getTime() + 40 * 86_400_000)
  restarted.clock.now = later
  expect((await restarted.client(token).call(readSelf)).status).toBe(200)
  await restarted.app.close()
  const [row] = await api.db.query<{ seen: Date; by: string }>(sql`
    select last_seen_at as seen, created_by as by from device`)
  expect(row).toEqual({ seen: later, by: creator.username })
})

test('a change of a device evicts only its own session, and a cached device is looked up again after five minutes', async () => {
  const api = await testApi()
  const here = await api.station()
  const there = await api.station({ ...testStation, id: 8, shortName: 'S8 Inna' })
  const admin = await api.withPermissions(ADMINISTRATOR)
  const { id, token, wall } = await addDevice(api, admin)
  const user = await api.as('Stat')
  /** Waits until a session is cached: it is only while notifications are received. */
  const cached = (of: string) =>
    eventually(async () => {
      const first = await api.app.api.sessions.find(of, api.clock.now)
      expect(await api.app.api.sessions.find(of, api.clock.now)).toBe(first)
    })
  await cached(user.token as string)

  // A deletion without a notification shows that the cache is in use.
  await api.db.execute(sql`delete from session where user_id = ${user.userId}`)
  await addDevice(api, admin, { name: 'Druga' })
  expect((await user.call(ping)).status).toBe(204)

  await send(here, [car(1)])
  await eventually(async () => expect((await wall.call(liveList)).body.content).toHaveLength(1))
  await send(there, [car(2)])
  await eventually(async () => expect((await admin.call(liveList)).body.content).toHaveLength(2))
  const lastId = String(vehicleId(7, 1))
  expect((await wall.call(check, { query: { lastId } })).body).toEqual({ refresh: false })
  await admin.call(change, { params: { id }, body: { ...WALL, locationIds: [7, 8] } })
  expect((await wall.call(check, { query: { lastId } })).body).toEqual({ refresh: true })
  expect((await user.call(ping)).status).toBe(204)

  // More than once, as the notification of the change may be late and evict it again.
  await eventually(async () => {
    await api.db.execute(sql`update device set name = ${WALL.name} where id = ${id}`)
    await cached(token)
    await api.db.execute(sql`update device set name = 'Inna' where id = ${id}`)
    expect((await wall.call(readSelf)).body.name).toBe(WALL.name)
  })
  api.clock.now = new Date(api.clock.now.getTime() + 5 * 60_000)
  expect((await wall.call(readSelf)).body.name).toBe('Inna')

  // Also after the clock was set back, which does not prolong it.
  await cached(token)
  await api.db.execute(sql`update device set name = 'Trzecia' where id = ${id}`)
  api.clock.now = new Date(api.clock.now.getTime() - 3_600_000)
  expect((await wall.call(readSelf)).body.name).toBe('Trzecia')
})
