import { audit } from '@rogatka/contract/activity.ts'
import { detail as archiveDetail, image, search } from '@rogatka/contract/archive.ts'
import { check, counters, list as liveList, stream } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { list as listLocations } from '@rogatka/contract/locations.ts'
import { overview } from '@rogatka/contract/overview.ts'
import { stat } from '@rogatka/contract/statistics.ts'
import { speed, summary } from '@rogatka/contract/statistics-distributions.ts'
import { add, change, list, read, readSelf, renew, revoke, type WireNewSystem } from '@rogatka/contract/systems.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { addressOf, readEventStream } from '../testing/event-stream.ts'
import { type Client, eventually, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { trailOf } from '../testing/trail.ts'
import { deleteOldSystems } from './maintenance.ts'

/** Users who manage systems and may read what they read. */
const manager = (api: TestApi) => api.as('Exchange', 'CurrentMeasurements', 'ArchiveMeasurements', 'Stat')

const SYSTEM: WireNewSystem = {
  name: 'KAS',
  locationIds: [7],
  rights: ['CurrentMeasurements', 'ArchiveMeasurements', 'Stat'],
  plates: true,
  validUntil: '2026-12-31',
}

const DAY = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }

/** Adds a system; returns its id, its key and a client with it. */
async function addSystem(api: TestApi, by: Client, values: Partial<WireNewSystem> = {}) {
  const { status, body } = await by.call(add, { body: { ...SYSTEM, ...values } })
  expect(status).toBe(200)
  return { id: body.system.id, key: body.key, client: api.client(body.key) }
}

test('creates, lists, changes, renews and revokes a system, with its history in the audit log and no key in it', async () => {
  const api = await testApi({ logLevel: 'debug' })
  await api.station()
  const by = await manager(api)
  const at = api.clock.now.toISOString()
  const { body: made } = await by.call(add, {
    body: { ...SYSTEM, remark: ' KAS Warszawa ', locationIds: [7, 7], rights: ['Stat', 'CurrentMeasurements'] },
  })
  const { id } = made.system
  const readable = { ...SYSTEM, rights: ['CurrentMeasurements', 'Stat'] as ['CurrentMeasurements', 'Stat'] }
  expect(made.system).toEqual({
    ...readable,
    id,
    remark: 'KAS Warszawa',
    state: 'active',
    created: { at, by: by.username },
    renewedAt: at,
    lastSeenAt: null,
    revoked: null,
    manageable: true,
    version: 1,
  })
  expect(made.key).toMatch(/^system_[\w-]{43}$/)
  expect((await by.call(list)).body).toEqual([made.system])
  const client = api.client(made.key)
  expect((await client.call(readSelf)).body).toEqual({ ...readable, id })

  const body = { ...readable, name: 'GITD', plates: false, version: 1 }
  expect((await by.call(change, { params: { id }, body })).body).toMatchObject({ name: 'GITD', version: 2 })
  expect((await client.call(readSelf)).body.plates).toBe(false)
  expect((await by.call(change, { params: { id }, body })).errors[0]?.code).toBe('changed-meanwhile')
  expect((await by.call(add, { body })).errors[0]).toMatchObject({ path: 'name', code: 'system-name-taken' })
  const { body: renewed } = await by.call(renew, { params: { id } })
  expect((await client.call(readSelf)).status).toBe(401)
  const next = api.client(renewed.key)
  expect((await next.call(readSelf)).status).toBe(200)
  expect((await by.call(revoke, { params: { id } })).body).toMatchObject({
    state: 'revoked',
    revoked: { at, by: by.username },
  })
  expect((await next.call(readSelf)).status).toBe(401)
  expect((await by.call(change, { params: { id }, body })).errors[0]?.code).toBe('system-revoked')
  expect((await by.call(renew, { params: { id } })).errors[0]?.code).toBe('system-revoked')
  expect((await by.call(revoke, { params: { id } })).errors[0]?.code).toBe('system-revoked')
  expect((await by.call(read, { params: { id: id + 1 } })).errors[0]?.code).toBe('system-not-found')

  const auditor = await api.as('UserManagement')
  const log = (await auditor.call(audit, { query: DAY })).body.content
  expect(log.map(({ action, subject }) => [action, subject])).toEqual([
    ['system-revoked', 'GITD'],
    ['system-renewed', 'GITD'],
    ['system-changed', 'GITD'],
    ['system-added', 'KAS'],
  ])
  expect(log[2]).toMatchObject({ before: { withPlates: true }, after: { withPlates: false, locations: [7] } })
  const [row] = await api.db.query<{ text: string }>(sql`select row_to_json(s)::text as text from exchange_system s`)
  for (const key of [made.key, renewed.key]) {
    const secret = Buffer.from(key.slice('system_'.length), 'base64url')
    expect(secret).toHaveLength(32)
    for (const form of [key.slice(7), secret.toString('hex'), secret.toString('base64')])
      expect([row?.text, JSON.stringify(log), api.logged.join()].join()).not.toContain(form)
  }
  await deleteOldSystems(api.db, new Date('2026-11-19T07:59:00Z'), 30)
  expect((await by.call(list)).body).toHaveLength(1)
  await deleteOldSystems(api.db, new Date('2026-11-20T08:01:00Z'), 30)
  expect((await by.call(list)).body).toEqual([])
  // The name of a revoked one can be used again.
  expect((await by.call(add, { body })).status).toBe(200)
  expect((await by.call(add, { body })).errors[0]?.code).toBe('system-name-taken')
})

test('nobody gives a system more than they may read, and anybody who manages systems revokes it', async () => {
  const api = await testApi()
  await api.station()
  const code = async (caller: Client, values: Partial<WireNewSystem>) => {
    const { status, errors } = await caller.call(add, { body: { ...SYSTEM, name: String(Math.random()), ...values } })
    return status === 200 ? null : `${errors[0]?.path}: ${errors[0]?.code}`
  }
  const narrow = await api.as('Exchange', 'Stat')
  expect(await code(narrow, { rights: ['Stat'] })).toBeNull()
  expect(await code(narrow, { rights: ['Stat', 'ArchiveMeasurements'] })).toBe('rights: right-not-held')
  const masked = await api.as('Exchange', 'Stat', 'Anonymization')
  expect(await code(masked, { rights: ['Stat'] })).toBe('plates: anonymization-stays')
  expect(await code(masked, { rights: ['Stat'], plates: false })).toBeNull()
  const full = await manager(api)
  expect(await code(full, { locationIds: [7, 8] })).toBe('locationIds: location-not-found')
  expect(await code(full, { validUntil: '2026-10-19' })).toBe('validUntil: expiry-in-the-past')
  expect(await code(full, { rights: ['UsersAdmin' as never] })).toBe('rights.0: unknown-option')

  // A new key of it would read what the caller may not.
  const { id } = await addSystem(api, full)
  expect((await narrow.call(read, { params: { id } })).body.manageable).toBe(false)
  expect((await narrow.call(renew, { params: { id } })).errors[0]?.code).toBe('right-not-held')
  expect((await masked.call(renew, { params: { id } })).errors[0]?.code).toBe('anonymization-stays')
  const body = { ...SYSTEM, rights: ['Stat' as const] }
  expect((await narrow.call(change, { params: { id }, body })).status).toBe(403)
  expect((await narrow.call(revoke, { params: { id } })).body.state).toBe('revoked')
})

test('a system reads its stations only, with or without plates, makes no visits and is audited by name', async () => {
  const api = await testApi()
  const here = await api.station()
  const there = await api.station({ ...testStation, id: 8, shortName: 'S8 Inna' })
  const by = await manager(api)
  const { client, key } = await addSystem(api, by)
  const masked = await addSystem(api, by, { name: 'Pogoda', plates: false })
  await send(here, [car(1)])
  await send(there, [car(2)])
  for (const [station, sequence] of [
    [here, 1],
    [there, 2],
  ] as const)
    await sendImage(station, car(sequence), 'front', await jpeg())
  await eventually(async () => expect((await by.call(liveList)).body.content).toHaveLength(2))
  const [own, other] = [vehicleId(7, 1), vehicleId(8, 2)]

  const live = (await client.call(liveList)).body
  expect(live.content.map(({ id, plateLpr }) => [id, plateLpr])).toEqual([[own, 'WX10001']])
  expect(live.lastId).toBe(own)
  expect((await client.call(listLocations)).body.map(({ id }) => id)).toEqual([7])
  expect((await client.call(counters)).body.map(({ locationId }) => locationId)).toEqual([7])
  expect((await client.call(overview)).body.stations.map(({ locationId }) => locationId)).toEqual([7])
  const range = { ...DAY, locations: '7,8' }
  await eventually(async () => expect((await by.call(search, { query: range })).body.totalCount).toBe(2))
  const found = (await client.call(search, { query: range })).body
  expect([found.totalCount, found.content[0]?.id]).toEqual([1, own])
  const traffic = {
    ...range,
    statName: 'traffic',
    groupBy: 'lane',
    statResolutionUnit: 'day',
    addGraph: false,
  } as const
  const ofDay = { from: '2026-10-19', until: '2026-10-19', locations: '7,8' }
  const statistics = await client.call(stat, { query: { ...traffic, statResolutionValue: 1 } as never })
  expect(statistics.body.map(({ location }) => location.id)).toEqual([7])
  expect((await client.call(summary, { query: ofDay })).body).toHaveLength(1)
  for (const [endpoint, query] of [
    [liveList, {}],
    [check, {}],
    [counters, {}],
    [search, DAY],
    [stat, { ...traffic, statResolutionValue: 1 }],
    [speed, ofDay],
  ] as const)
    expect((await client.call(endpoint, { query: { ...query, locations: '8' } as never })).status).toBe(403)

  const at = car(1).createdAt
  for (const [id, locationId, status] of [
    [own, 7, 200],
    [other, 8, 404],
    // An id of another station with the number of its own.
    [other, 7, 404],
  ] as const) {
    const query = { locationId, createdAt: at }
    expect((await client.call(archiveDetail, { params: { id }, query })).status).toBe(status)
    expect((await client.call(image, { params: { id, number: 1 }, query })).status).toBe(status)
  }
  const imageOf = async (caller: Client) =>
    (await caller.call(search, { query: { ...range, withImages: true } })).body.content[0]?.images?.[0]?.path
  expect(await imageOf(client)).toMatch(/^\/vehicle-images\/sharp\//)
  expect(await imageOf(masked.client)).toMatch(/^\/vehicle-images\/anonymised\//)
  for (const endpoint of [liveList, search])
    expect(JSON.stringify((await masked.client.call(endpoint, { query: range as never })).body)).not.toContain('10001')
  expect((await masked.client.call(search, { query: { ...range, plateLpr: 'WX10001' } })).status).toBe(403)

  await client.call(search, { query: { ...range, plateLpr: 'WX10001' } })
  const line = (await trailOf(api)).at(-1)
  expect(line).toMatchObject({ kind: 'list', userId: null, asked: ['WX10001'], results: 1 })
  expect(line?.systemId).not.toBeNull()
  // A key lasts for years: its visits to the live list end with each hour.
  const countVisits = async () => (await trailOf(api)).filter(({ kind }) => kind === 'live').length
  const today = api.clock.now
  const before = await countVisits()
  for (const [seconds, count] of [
    [3_590, 1],
    [3_595, 1],
    [3_605, 2],
    [3_610, 2],
    [3_700, 3],
  ] as const) {
    api.clock.now = new Date(today.getTime() + seconds * 1_000)
    expect((await client.call(liveList, { query: range })).status).toBe(200)
    expect((await countVisits()) - before).toBe(count)
  }
  api.clock.now = today
  const events = await readEventStream(await addressOf(api), key, `${API_BASE}${stream.path}`)
  expect((await events.next<{ content: { id: number }[] }>('list')).content.map(({ id }) => id)).toEqual([own])
  const [visits] = await api.db.query<{ users: number[] }>(sql`select array_agg(user_id) as users from live_visit`)
  expect(visits?.users).toEqual([by.userId])
})

test('a system that is revoked, changed or expired loses access and streams in all processes', async () => {
  const first = await testApi()
  await first.station()
  const second = await testApi({}, first)
  const by = await manager(first)
  const { id, key } = await addSystem(first, by)
  const opened = async (token: string) => {
    const events = await readEventStream(await addressOf(second), token, `${API_BASE}${stream.path}`)
    expect(events.status).toBe(200)
    return { isEnded: async () => expect(await events.next('end')).toEqual({ reason: 'session-changed' }) }
  }
  await eventually(async () => expect((await second.client(key).call(liveList)).status).toBe(200))
  const before = await opened(key)
  await by.call(change, { params: { id }, body: { ...SYSTEM, plates: false } })
  await before.isEnded()
  const { body: renewed } = await by.call(renew, { params: { id } })
  await eventually(async () => expect((await second.client(key).call(readSelf)).status).toBe(401))
  const again = await opened(renewed.key)
  await by.call(revoke, { params: { id } })
  await again.isEnded()

  // The 31st of December ends an hour before midnight in UTC.
  const ending = await addSystem(first, by, { name: 'Do końca roku' })
  first.clock.now = second.clock.now = new Date('2026-12-31T22:59:59Z')
  const last = await opened(ending.key)
  first.clock.now = second.clock.now = new Date('2026-12-31T23:00:00Z')
  expect((await second.client(ending.key).call(readSelf)).status).toBe(401)
  await last.isEnded()
})

test('a system is counted by its key, against the limit of requests of one caller', async () => {
  const api = await testApi({ requestsPerMinute: 20 })
  await api.station()
  const by = await manager(api)
  const busy = await addSystem(api, by)
  const quiet = await addSystem(api, by, { name: 'Cicha' })
  expect((await quiet.client.call(readSelf)).status).toBe(200)
  const statuses: number[] = []
  for (let i = 0; i < 25; i++) statuses.push((await busy.client.call(readSelf)).status)
  expect([...new Set(statuses)]).toEqual([200, 429])
  expect((await quiet.client.call(readSelf)).status).toBe(200)
})
