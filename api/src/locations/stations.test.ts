import { audit } from '@rogatka/contract/activity.ts'
import { list as liveList } from '@rogatka/contract/current.ts'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { list } from '@rogatka/contract/locations.ts'
import * as endpoints from '@rogatka/contract/locations-upkeep.ts'
import { overview } from '@rogatka/contract/overview.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, errorCodes, send } from '../ingest/testing.ts'
import { deriveTraffic } from '../statistics/derive.ts'
import { eventually, testApi, testStation } from '../testing/test-api.ts'

const STATION: WireOf<typeof endpoints.addStation, 'body'> = {
  id: 12,
  shortName: 'S8 Radzymin',
  name: 'Radzymin, węzeł',
  roadNumber: 'S8',
  chainage: '12+300',
  direction: 'Warszawa',
  speedLimit: 120,
  speedLimitHeavy: 80,
  distanceToSign: 1_200,
  distanceToCheckpoint: 5_400,
  chainageAscends: true,
  latitude: 52.4187,
  longitude: 21.1864,
  silentAfterMinutes: null,
  overheightAlarm: false,
  lanes: ['B+(7)', null],
}
const params = { id: 12 }
const { id: _, ...VALUES } = STATION
const RANGE = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }

test('adds and changes a station for all, refuses an older version, and audits both', async () => {
  const api = await testApi()
  const admin = await api.as('UsersAdmin', 'UserManagement')
  const { body: added } = await admin.call(endpoints.addStation, { body: { ...STATION, shortName: ' S8 Radzymin ' } })
  expect(added).toEqual({
    ...STATION,
    closedAt: null,
    addedAt: api.clock.now.toISOString(),
    lastVehicleTime: null,
    validKeys: 0,
    version: 1,
  })
  expect((await admin.call(endpoints.stations)).body).toEqual([added])
  for (const [other, error] of [
    [{}, 'id: station-number-taken'],
    [{ id: 13 }, 'shortName: station-name-taken'],
    [{ id: 8_192 }, 'id: value-too-large'],
    [{ id: 13, longitude: null }, 'longitude: coordinates-incomplete'],
    [{ id: 13, latitude: 90.5 }, 'latitude: value-too-large'],
    [{ id: 13, lanes: [] }, 'lanes: required-parameter-missing'],
    [{ id: 13, direction: ' ' }, 'direction: required-parameter-missing'],
    [{ id: 13, speedLimit: 0 }, 'speedLimit: value-too-small'],
  ] as [Partial<typeof STATION>, string][])
    expect(errorCodes((await admin.call(endpoints.addStation, { body: { ...STATION, ...other } })).errors)).toEqual([
      error,
    ])

  const body = { ...VALUES, shortName: 'S8 Emilianów', speedLimit: null, lanes: ['B+(7)' as const], version: 1 }
  expect((await admin.call(endpoints.changeStation, { params, body })).body).toEqual({
    ...added,
    shortName: 'S8 Emilianów',
    speedLimit: null,
    lanes: ['B+(7)'],
    version: 2,
  })
  const late = await admin.call(endpoints.changeStation, { params, body: { ...body, name: 'Inna' } })
  expect([late.status, late.errors[0]?.code]).toEqual([409, 'changed-meanwhile'])
  expect((await admin.call(endpoints.changeStation, { params: { id: 99 }, body })).status).toBe(404)
  const [shown] = (await (await api.as('Stat')).call(list)).body
  expect([shown?.shortName, shown?.lanes.length]).toEqual(['S8 Emilianów', 1])
  const log = (await admin.call(audit, { query: RANGE })).body.content
  expect(log.map(({ action, subject, user }) => [action, subject, user?.username])).toEqual([
    ['station-changed', 'S8 Emilianów', admin.username],
    ['station-added', 'S8 Radzymin', admin.username],
  ])
  expect(log[0]).toMatchObject({ before: { speedLimit: 120, lanes: ['B+(7)', '-'] }, after: { speedLimit: null } })
})

test('a key is shown once, works until it is revoked or expired in every process, and is in no list, log or audit', async () => {
  const api = await testApi({ logLevel: 'debug' })
  const other = await testApi({}, api)
  const admin = await api.as('UsersAdmin', 'UserManagement')
  await admin.call(endpoints.addStation, { body: STATION })
  const make = async (validUntil?: string) =>
    (await admin.call(endpoints.addStationKey, { params, body: { validUntil: validUntil ?? null } })).body
  const [first, second, ending] = [await make(), await make(), await make('2026-10-20')]
  expect(
    (await admin.call(endpoints.addStationKey, { params, body: { validUntil: '2026-10-19' } })).errors,
  ).toMatchObject([{ path: 'validUntil', code: 'expiry-in-the-past' }])
  let sequence = 0
  const post = async ({ secret }: { secret: string }, { client } = other) => {
    sequence += 1
    return (await send(client(secret), [car(sequence)])).status
  }
  for (const key of [first, second, ending]) expect(await post(key)).toBe(200)

  const revoke = { params: { ...params, keyId: first.key.id }, body: { reason: 'Skradziona szafa' } }
  const { body: revoked } = await admin.call(endpoints.revokeStationKey, revoke)
  expect(revoked).toMatchObject({
    state: 'revoked',
    revoked: { by: admin.username, reason: 'Skradziona szafa', at: api.clock.now.toISOString() },
  })
  expect((await admin.call(endpoints.revokeStationKey, revoke)).errors[0]?.code).toBe('station-key-revoked')
  const elsewhere = { ...revoke, params: { id: 12, keyId: 99 } }
  expect((await admin.call(endpoints.revokeStationKey, elsewhere)).errors[0]?.code).toBe('station-key-not-found')
  for (const process of [api, other]) await eventually(async () => expect(await post(first, process)).toBe(401))
  expect(await post(second)).toBe(200)
  // The day ends in Warsaw, in summer two hours before that of UTC.
  api.clock.now = new Date('2026-10-20T21:59:00Z')
  expect(await post(ending)).toBe(200)
  api.clock.now = new Date('2026-10-20T22:00:00Z')
  expect(await post(ending)).toBe(401)

  const later = await api.as('UsersAdmin', 'UserManagement')
  // Times are written every few seconds, and at the end.
  await other.app.close()
  const keys = (await later.call(endpoints.stationKeys, { params })).body
  expect(keys.map(({ state, lastUsedAt }) => [state, lastUsedAt])).toEqual([
    ['ended', '2026-10-20T21:59:00.000Z'],
    ['active', '2026-10-20T08:00:00.000Z'],
    ['revoked', null],
  ])
  expect((await later.call(endpoints.stations)).body[0]?.validKeys).toBe(1)
  const log = (await later.call(audit, { query: RANGE })).body.content
  expect(log.map(({ action }) => action).slice(0, 2)).toEqual(['station-key-revoked', 'station-key-added'])
  expect(log[0]).toMatchObject({ subject: 'S8 Radzymin', after: { id: first.key.id, reason: 'Skradziona szafa' } })
  for (const { secret } of [first, second, ending])
    expect(JSON.stringify([log, keys, api.logged])).not.toContain(secret)
})

test('a lane that ever had vehicles cannot be removed, found without reading the hours of all years', async () => {
  const api = await testApi()
  const admin = await api.as('UsersAdmin')
  const changeOf = async (id: number) => {
    const before = (await admin.call(endpoints.stations)).body.find((station) => station.id === id)
    if (!before) throw new Error('the station exists')
    const body = { ...before, lanes: before.lanes.slice(0, 1) }
    return admin.call(endpoints.changeStation, { params: { id }, body })
  }
  const [ofMonth, ofDay, unused] = await Promise.all(
    [7, 8, 9].map((id) => api.station({ ...testStation, id, shortName: `S8 ${id}` })),
  )
  const yesterday = '2026-10-19T08:00:00.000Z'
  await send(ofMonth as never, [car(1, { laneNumber: 2, createdAt: yesterday })])
  // Today's vehicle keeps its month from being derived.
  await send(ofDay as never, [car(1, { laneNumber: 2, createdAt: yesterday }), car(2)])
  await send(unused as never, [car(1), car(2, { createdAt: yesterday })])
  await deriveTraffic(api.db, api.clock.now)
  await api.db.execute(sql`delete from traffic_hour where hour < '2026-10-20'`)
  expect(await api.db.query(sql`select distinct location_id from traffic_month`)).toEqual([{ location_id: 7 }])
  expect(errorCodes((await changeOf(7)).errors)).toEqual(['lanes: lane-in-use'])
  expect(errorCodes((await changeOf(8)).errors)).toEqual(['lanes: lane-in-use'])
  expect((await changeOf(9)).status).toBe(200)
})

test('a change shows in live lists of all processes, and a closed station sends no more but keeps its vehicles', async () => {
  const api = await testApi()
  const other = await testApi({}, api)
  const station = await api.station()
  const admin = await api.as('UsersAdmin', 'CurrentMeasurements')
  const viewer = other.client(admin.token)
  expect((await send(station, [car(1), car(2, { laneNumber: 2 })])).status).toBe(200)
  const names = async () => {
    const { body } = await viewer.call(liveList, { query: { locations: [7] } })
    return body.content.map(({ location }) => location.shortName)
  }
  await eventually(async () => expect(await names()).toEqual(['S8 Test', 'S8 Test']))

  const [before] = (await admin.call(endpoints.stations)).body
  if (!before) throw new Error('the station exists')
  const at = { params: { id: 7 } }
  const fewer = await admin.call(endpoints.changeStation, { ...at, body: { ...before, lanes: ['B+(7)'] } })
  expect(errorCodes(fewer.errors)).toEqual(['lanes: lane-in-use'])
  await admin.call(endpoints.changeStation, { ...at, body: { ...before, shortName: 'S8 Nowa' } })
  await eventually(async () => expect(await names()).toEqual(['S8 Nowa', 'S8 Nowa']))

  const { body: closed } = await admin.call(endpoints.closeStation, { ...at, body: { reason: 'Przebudowa drogi' } })
  expect(closed).toMatchObject({ closedAt: api.clock.now.toISOString(), version: 3 })
  expect((await admin.call(endpoints.closeStation, { ...at, body: { reason: 'x' } })).errors[0]?.code).toBe(
    'station-closed',
  )
  expect((await admin.call(endpoints.addStationKey, { ...at, body: {} })).errors[0]?.code).toBe('station-closed')
  const late = other.client(station.token)
  await eventually(async () => expect((await send(late, [car(3)])).status).toBe(401))
  expect((await admin.call(list)).body).toMatchObject([{ id: 7, closedAt: api.clock.now.toISOString() }])
  expect(await names()).toHaveLength(2)
  api.clock.now = new Date(api.clock.now.getTime() + 10_000)
  expect((await viewer.call(overview)).body.stations).toEqual([])

  expect((await admin.call(endpoints.reopenStation, at)).body.closedAt).toBeNull()
  expect((await admin.call(endpoints.reopenStation, at)).errors[0]?.code).toBe('station-open')
  await eventually(async () => expect((await send(late, [car(3)])).status).toBe(200))
})
