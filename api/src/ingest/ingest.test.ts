import { detail } from '@rogatka/contract/archive.ts'
import { MAX_SEQUENCE, vehicleId } from '@rogatka/contract/ingest.ts'
import { list as locations } from '@rogatka/contract/locations.ts'
import { expect, test } from 'vitest'
import { raw, sql } from '../core/statement.ts'
import { testApi } from '../testing/test-api.ts'
import { verifyRollUp } from '../vehicle/verify.ts'
import { car, errorCodes, send, sendText } from './testing.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const NDJSON = { 'content-type': 'application/x-ndjson' }

test('stores a vehicle with all derived values', async () => {
  const api = await testApi()
  const station = await api.station()
  const euro = { make: 'Scania', model: 'R450', production_date: '2021-04-01', catalogue_number: 'S-1' }
  const lorry = car(1, {
    plateLpr: 'wx 12-345',
    ctg8p1: 9,
    ctg323: 5,
    speed: 90,
    vehLength: 1_650,
    vehHeight: 420,
    wrongDirection: false,
    overlane: true,
    axles: [
      { leftWeight: 3_500, rightWeight: 3_600, gap: 0 },
      { leftWeight: 8_000, rightWeight: 8_000, gap: 370 },
      { leftWeight: 4_000, rightWeight: 4_000, gap: 560 },
      { leftWeight: 4_000, rightWeight: 4_100, gap: 130 },
      { leftWeight: 4_000, rightWeight: null, gap: 130 },
    ],
    euro,
  })

  const answer = await send(station, [lorry])
  expect(answer.body).toEqual({ accepted: 1, duplicates: 0, rejected: [] })

  const { body } = await (await api.as('ArchiveMeasurements')).call(detail, {
    params: { id: vehicleId(7, 1) },
    query: { locationId: 7, createdAt: lorry.createdAt },
  })
  expect(body).toMatchObject({
    id: vehicleId(7, 1),
    createdAt: lorry.createdAt,
    // 5 km at 90 km/h are 200 s, 1 km to the sign 40 s
    checkpointTime: '2026-10-20T08:03:18.000Z',
    plateVmsReadablePointAt: '2026-10-20T08:00:38.000Z',
    location: { id: 7, shortName: 'S8 Test' },
    lane: { laneNumber: 1, accuracyClass: { name: 'B+(7)' } },
    plateLpr: 'WX12345',
    nationality: 'PL',
    totalLoad: 43_200,
    numberOfAxles: 5,
    ctg8p1: 9,
    ctg323: 5,
    overload: true,
    overheight: true,
    overspeed: true,
    overlane: true,
    wrongDirection: false,
    shapeSamples: [40, 150, 90],
    euro,
    images: [],
    tags: [],
  })
  expect(body.axles?.map(({ totalLoad, type }) => [totalLoad, type])).toEqual([
    [7_100, 1],
    [16_000, 1],
    [8_000, 3],
    [8_100, 3],
    [4_000, 3],
  ])
  expect(body.axlesComplex?.axlesGroups.map(({ axles }) => axles)).toEqual([[1], [2], [3, 4, 5]])
})

test('accepts a station without scale or camera', async () => {
  const api = await testApi()
  const bare = { sequence: 4, createdAt: '2026-10-20T07:00:00.123Z', laneNumber: 2 }
  expect((await send(await api.station(), [bare])).body.accepted).toBe(1)
  const { body } = await (await api.as('ArchiveMeasurements')).call(detail, {
    params: { id: vehicleId(7, 4) },
    query: { locationId: 7 },
  })
  expect(body).toMatchObject({
    createdAt: bare.createdAt,
    plateLpr: null,
    speed: null,
    totalLoad: null,
    overloadTL: null,
    numberOfAxles: null,
    ctg8p1: null,
    checkpointTime: null,
    axles: [],
    axlesComplex: null,
    shapeSamples: null,
    euro: null,
  })
  expect((await verifyRollUp(api.db)).differences).toEqual([])
})

test('accepts the smallest and largest allowed values', async () => {
  const api = await testApi()
  const axle = { type: 99, leftWeight: 60_000, rightWeight: 60_000, gap: 3_000 }
  const heaviest = car(MAX_SEQUENCE, {
    laneNumber: 2,
    plateLpr: 'Ż'.repeat(20),
    speed: 400,
    vehLength: 10_000,
    vehHeight: 2_000,
    ctg8p1: 11,
    ctg323: 8,
    axles: Array.from({ length: 24 }, () => axle),
    shapeSamples: Array.from({ length: 1_000 }, () => 2_000),
  })
  const slowest = car(1, { speed: 0, vehLength: 0, vehHeight: 0, ctg8p1: 0, ctg323: 0, axles: [], shapeSamples: [] })
  const station = await api.station()
  expect((await send(station, [heaviest, slowest])).body).toEqual({ accepted: 2, duplicates: 0, rejected: [] })
  expect((await verifyRollUp(api.db)).differences).toEqual([])
})

test('names the errors of each invalid vehicle and stores the others', async () => {
  const api = await testApi()
  const station = await api.station()
  const { body } = await send(station, [
    car(1),
    car(2, { speed: -5 }),
    car(3, { createdAt: '2040-01-01T00:00:00Z' }),
    car(4, { createdAt: '2020-01-01T00:00:00Z' }),
    car(5, { axles: Array.from({ length: 40 }, () => ({ leftWeight: 1_000 })) }),
    car(6, { laneNumber: 9 }),
    car(7, { createdAt: 'yesterday', speed: 1.5, nationality: 'Polska' }),
    { sequence: 8 },
    null,
    'vehicle',
    [[[]]],
    car(2 ** 41),
    car(12, { createdAt: '2026-02-30T10:00:00Z' }),
    car(13, { axles: [{ leftWeight: 100, gap: -1 }] }),
    car(14, { createdAt: '2026-10-20T08:05:01Z' }),
    car(15),
  ])

  expect(body.accepted).toBe(2)
  expect(body.duplicates).toBe(0)
  expect(body.rejected.map(({ index, errors }) => [index, ...errorCodes(errors)])).toEqual([
    [1, 'speed: value-too-small'],
    [2, 'createdAt: measurement-in-the-future'],
    [3, 'createdAt: measurement-too-old'],
    [4, 'axles: too-many-axles'],
    [5, 'laneNumber: unknown-lane'],
    [6, 'createdAt: invalid-date', 'nationality: invalid-value', 'speed: invalid-number'],
    [7, 'createdAt: required-parameter-missing', 'laneNumber: required-parameter-missing'],
    [8, 'null: invalid-value'],
    [9, 'null: invalid-value'],
    [10, 'null: invalid-value'],
    [11, 'sequence: value-too-large'],
    [12, 'createdAt: invalid-date'],
    [13, 'axles.0.gap: value-too-small'],
    [14, 'createdAt: measurement-in-the-future'],
  ])
})

test('accepts a clock up to five minutes ahead', async () => {
  const api = await testApi()
  const { body } = await send(await api.station(), [car(1, { createdAt: '2026-10-20T08:05:00Z' })])
  expect(body.accepted).toBe(1)
})

test('returns errors of vehicles in the requested language', async () => {
  const api = await testApi()
  const { body } = await send(await api.station(), [car(1, { laneNumber: 9 })], { 'accept-language': 'en' })
  expect(body.rejected[0]?.errors[0]?.userMessage).toBe('The station has no such lane.')
})

test.each([
  ['invalid JSON', 'hello', JSON_TYPE],
  ['one object', JSON.stringify(car(1)), JSON_TYPE],
  ['no bytes', '', JSON_TYPE],
  ['a truncated array', '[{"sequence": 1', JSON_TYPE],
  ['invalid UTF-8', Buffer.from([0x5b, 0xff, 0xfe, 0x5d]), JSON_TYPE],
  ['invalid NDJSON', 'hello\nworld', NDJSON],
  ['unclosed nested brackets', '['.repeat(200_000), JSON_TYPE],
])('refuses a body of %s', async (_what, payload, headers) => {
  const api = await testApi()
  const { status, errors } = await sendText(await api.station(), payload, headers)
  expect(status).toBe(400)
  expect(errorCodes(errors)).toEqual(['null: not-a-measurement-list'])
})

test('rejects a vehicle of 500,000 nested arrays', async () => {
  const api = await testApi()
  const depth = 500_000
  const payload = `[${'['.repeat(depth)}${']'.repeat(depth)}]`
  const { status, body } = await sendText(await api.station(), payload, JSON_TYPE)
  expect(status).toBe(200)
  expect(body.rejected).toHaveLength(1)
})

test('rejects only the vehicle nested too deep, in JSON and NDJSON', async () => {
  const api = await testApi()
  const station = await api.station()
  const deep = `{"sequence": 2, "axles": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`
  const parts = (from: number) => [JSON.stringify(car(from)), deep, JSON.stringify(car(from + 1))]
  for (const answer of [
    await sendText(station, `[${parts(10).join(', ')}]`, JSON_TYPE),
    await sendText(station, parts(20).join('\n'), NDJSON),
  ]) {
    expect(answer.body.accepted).toBe(2)
    expect(answer.body.rejected.map(({ index, errors }) => [index, ...errorCodes(errors)])).toEqual([
      [1, 'null: invalid-value'],
    ])
  }
})

test('refuses a wrong key, too many vehicles or bytes, and an unsupported media type', async () => {
  const api = await testApi()
  const station = await api.station()
  expect((await send(api.client('nobody-knows-me'), [car(1)])).status).toBe(401)
  expect((await send(api.anyone, [car(1)])).errors[0]?.code).toBe('wrong-station-key')

  const many = Array.from({ length: 1_001 }, (_, i) => ({ sequence: i }))
  const tooMany = await send(station, many)
  expect([tooMany.status, ...errorCodes(tooMany.errors)]).toEqual([413, 'null: too-many-vehicles'])
  const lines = await sendText(station, many.map((one) => JSON.stringify(one)).join('\n'), NDJSON)
  expect([lines.status, ...errorCodes(lines.errors)]).toEqual([413, 'null: too-many-vehicles'])

  const heavy = await sendText(station, ' '.repeat(9 * 1024 * 1024), JSON_TYPE)
  expect([heavy.status, ...errorCodes(heavy.errors)]).toEqual([413, 'null: too-large'])

  const strange = await sendText(station, 'a,b', { 'content-type': 'text/csv' })
  expect([strange.status, ...errorCodes(strange.errors)]).toEqual([415, 'null: unsupported-media-type'])
})

test('parses NDJSON line by line and rejects only a truncated line', async () => {
  const api = await testApi()
  const lines = [JSON.stringify(car(1)), '', JSON.stringify(car(2)), JSON.stringify(car(3)).slice(0, 40)]
  const { body } = await sendText(await api.station(), lines.join('\r\n'), NDJSON)
  expect(body.accepted).toBe(2)
  expect(body.rejected.map(({ index, errors }) => [index, ...errorCodes(errors)])).toEqual([[2, 'null: invalid-value']])
})

test('accepts an empty batch', async () => {
  const api = await testApi()
  const { status, body } = await send(await api.station(), [])
  expect(status).toBe(200)
  expect(body).toEqual({ accepted: 0, duplicates: 0, rejected: [] })
})

test('verification finds wrong and missing roll-up rows', async () => {
  const api = await testApi()
  await send(await api.station(), [car(1), car(2), car(3, { createdAt: '2026-10-19T07:00:00Z' })])
  await api.db.execute(sql`update traffic_hour set slowness_sum = slowness_sum + 1 where hour < '2026-10-20'`)
  expect((await verifyRollUp(api.db)).differences).toHaveLength(1)
  await api.db.execute(sql`delete from traffic_hour`)
  expect((await verifyRollUp(api.db)).differences).toHaveLength(2)
})

test('the last vehicle time of a station ignores late vehicles and includes those of the same second', async () => {
  const api = await testApi()
  const [station, user] = [await api.station(), await api.as('Stat')]
  const shown = async () => (await user.call(locations)).body.find(({ id }) => id === 7)?.lastVehicleTime
  await send(station, [car(1)])
  expect(await shown()).toBe('2026-10-20T07:59:58.000Z')
  await send(station, [car(2, { createdAt: '2026-10-18T07:00:00Z' })])
  await send(station, [car(3, { createdAt: '2026-10-20T07:59:59Z' })])
  await expect.poll(shown).toBe('2026-10-20T07:59:59.000Z')
})

test('replaces characters that the database cannot store', async () => {
  const api = await testApi()
  const odd = car(1, { plateLpr: 'WX\0\ud800123', euro: { make: 'a\0b', model: 'c\udc00d' } })
  const { status, body } = await send(await api.station(), [odd])
  expect(status).toBe(200)
  expect(body.accepted).toBe(1)
})

test('recreates a partition that was dropped after it was cached', async () => {
  const api = await testApi({ partitions: 'month' })
  const station = await api.station()
  await send(station, [car(1)])
  for (const table of ['vehicle', 'vehicle_detail', 'vehicle_image'])
    await api.db.query(raw(`drop table ${table}_2026_10`))
  expect((await send(station, [car(2)])).body.accepted).toBe(1)
})
