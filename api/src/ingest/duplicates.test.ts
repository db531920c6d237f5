import { detail } from '@rogatka/contract/archive.ts'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { testApi } from '../testing/test-api.ts'
import { verifyRollUp } from '../vehicle/verify.ts'
import { car, errorCodes, send } from './testing.ts'

test('acknowledges and ignores duplicates, within a batch and in the next', async () => {
  const api = await testApi()
  const station = await api.station()
  expect((await send(station, [car(1), car(2), car(1)])).body).toMatchObject({ accepted: 2, duplicates: 1 })
  expect((await send(station, [car(2), car(3)])).body).toMatchObject({ accepted: 1, duplicates: 1 })
  expect((await verifyRollUp(api.db)).vehicles).toBe(3)
})

test('stores the first of equal sequence and time within a batch, unless one is stored already', async () => {
  const api = await testApi()
  const station = await api.station()
  const resultOf = async (...batch: WireMeasurement[]) => {
    const { accepted, duplicates, rejected } = (await send(station, batch)).body
    return [accepted, duplicates, ...rejected.map(({ index, errors }) => `${index} ${errorCodes(errors)}`)]
  }
  const [one, other] = [car(1), car(1, { speed: 50 })]
  expect(await resultOf(one, other, one)).toEqual([1, 1, '1 sequence: sequence-reused'])
  expect(await resultOf(other, one, other, car(3, { speed: -1 }))).toEqual([
    0,
    1,
    '0 sequence: sequence-reused',
    '2 sequence: sequence-reused',
    '3 speed: value-too-small',
  ])
})

test('stores one of different contents sent to two processes concurrently, and rejects the others', async () => {
  const one = await testApi()
  const two = await testApi({}, one)
  const station = await one.station()
  const sequences = Array.from({ length: 20 }, (_, at) => at + 1)
  const answers = await Promise.all([
    send(
      station,
      sequences.map((sequence) => car(sequence)),
    ),
    send(two.client(station.token), sequences.map((sequence) => car(sequence, { speed: 50 })).reverse()),
    send(
      two.client(station.token),
      sequences.map((sequence) => car(sequence, { speed: 60 })),
    ),
  ])
  const sum = (pick: (body: (typeof answers)[number]['body']) => number) =>
    answers.reduce((total, { body }) => total + pick(body), 0)
  expect([sum((body) => body.accepted), sum((body) => body.duplicates)]).toEqual([20, 0])
  expect(answers.flatMap(({ body }) => body.rejected.flatMap(({ errors }) => errorCodes(errors)))).toEqual(
    Array(40).fill('sequence: sequence-reused'),
  )
  expect(await one.db.query(sql`select from quarantine`)).toHaveLength(40)
})

test('stores vehicles of a restarted sequence under the same id at different times', async () => {
  const api = await testApi()
  const station = await api.station()
  const { body } = await send(station, [car(1), car(1, { createdAt: '2026-10-19T07:00:00Z', speed: 60 })])
  expect(body.accepted).toBe(2)
  const newest = await (await api.as('ArchiveMeasurements')).call(detail, {
    params: { id: vehicleId(7, 1) },
    query: { locationId: 7 },
  })
  expect(newest.body.speed).toBe(90)
})

test('a thousand vehicles sent five times, concurrently and out of order, are stored and counted once', async () => {
  const api = await testApi()
  const station = await api.station()
  const vehicles = Array.from({ length: 1_000 }, (_, i) =>
    car(i + 1, {
      // over three hours and both sides of a month's end
      createdAt: new Date(Date.UTC(2026, 8, 30, 22, 30) + i * 9_000).toISOString(),
      laneNumber: 1 + (i % 2),
      speed: i % 17 === 0 ? null : 40 + (i % 110),
      ctg8p1: [7, 3, 9, null, 6][i % 5] ?? null,
    }),
  )
  const shuffled = (salt: number) =>
    vehicles
      .map((vehicle, i) => ({ vehicle, place: (i * 7_919 + salt * 104_729) % 1_009 }))
      .sort((a, b) => a.place - b.place)
      .map(({ vehicle }) => vehicle)

  const answers = await Promise.all([1, 2, 3, 4, 5].map((salt) => send(station, shuffled(salt))))

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const sum = (pick: (body: { accepted: number; duplicates: number }) => number) =>
    answers.reduce((total, { body }) => total + pick(body), 0)
  expect(sum((body) => body.accepted)).toBe(1_000)
  expect(sum((body) => body.duplicates)).toBe(4_000)
  const [counted] = await api.db.query(sql`select (select count(*)::int from vehicle) as vehicles,
    (select count(*)::int from vehicle_detail) as details, (select sum(vehicles)::int from traffic_hour) as rolled`)
  expect(counted).toEqual({ vehicles: 1_000, details: 1_000, rolled: 1_000 })
  const verified = await verifyRollUp(api.db)
  expect(verified.differences).toEqual([])
  expect(verified.vehicles).toBe(1_000)
})

test('digests of stored vehicles never change: they are the SHA-256 of keys in order with their values', async () => {
  const api = await testApi()
  const station = await api.station()
  const createdAt = new Date(api.clock.now.getTime() - 60_000).toISOString()
  const sent = {
    sequence: 7,
    createdAt,
    laneNumber: 1,
    plateLpr: 'WA "1"',
    speed: 81,
    overlane: false,
    vehLength: null,
    axles: [{ leftWeight: 1_200, rightWeight: 1_250, gap: 0 }],
    shapeSamples: [0, 90],
    euro: { model: 'TGX', make: 'MAN', fuel_type: null },
  }
  expect((await send(station, [sent as WireMeasurement])).body).toMatchObject({ accepted: 1 })
  const canonical =
    '[["axles",[[["gap",0],["leftWeight",1200],["rightWeight",1250]]]],' +
    `["createdAt","${createdAt}"],["euro",[["make","MAN"],["model","TGX"]]],["laneNumber",1],["overlane",false],` +
    '["plateLpr","WA \\"1\\""],["sequence",7],["shapeSamples",[0,90]],["speed",81]]'
  const [row] = await api.db.query(sql`
    select digest = substr(sha256(convert_to(${canonical}, 'UTF8')), 1, 16) as equal from vehicle_detail`)
  expect(row?.equal).toBe(true)
})
