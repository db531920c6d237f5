import { detail } from '@rogatka/contract/archive.ts'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { expect, test } from 'vitest'
import type { Config } from '../config.ts'
import { raw, sql } from '../core/statement.ts'
import { type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { car, errorCodes, send } from './testing.ts'

/** Adds legal limits that differ from the built-in ones by the height, in cm; location 0 is every station. */
const addLimits = ({ db }: TestApi, locationId: number, validFrom: string, height: number) =>
  db.execute(sql`
  insert into legal_limits (location_id, valid_from, limits, source)
  select ${locationId}, ${validFrom}, jsonb_set(limits, '{height}', ${`[{"limit":${height}}]`}::jsonb), 'Test'
  from legal_limits where location_id = 0 order by valid_from limit 1`)

const heightsAt = async ({ db }: TestApi, locationId: number) => {
  const rows = await db.query<{ height: number }>(sql`
    select limit_height as height from vehicle where location_id = ${locationId} order by created_at`)
  return rows.map(({ height }) => height)
}

test('the limits in force in Poland at the time of measurement apply, those of the station before common ones', async () => {
  const api = await testApi()
  const [station, other] = [await api.station(), await api.station({ ...testStation, id: 8, shortName: 'S8 Other' })]
  await addLimits(api, 0, '2026-10-10', 390)
  await addLimits(api, 7, '2026-10-05', 380)
  await addLimits(api, 7, '2026-10-08', 370)
  const at = (...times: string[]) => times.map((createdAt, index) => car(index + 1, { createdAt }))
  // Midnight in Warsaw is 22:00 in UTC.
  await send(
    station,
    at('2026-10-04T21:59:59.999Z', '2026-10-04T22:00:00Z', '2026-10-07T21:59:59.999Z', '2026-10-12T08:00:00Z'),
  )
  expect(await heightsAt(api, 7)).toEqual([400, 380, 380, 370])
  await send(other, at('2026-10-09T21:59:59.999Z', '2026-10-09T22:00:00Z'))
  expect(await heightsAt(api, 8)).toEqual([400, 390])
})

test('before all limits the earliest apply; without any, vehicles are refused until there are some', async () => {
  const api = await testApi()
  const station = await api.station()
  await addLimits(api, 0, '2026-10-10', 390)
  await addLimits(api, 0, '2026-10-15', 380)
  await addLimits(api, 0, '2026-10-18', 370)
  await api.db.execute(sql`delete from legal_limits where valid_from < '2026-10-10'`)
  const early = car(1, { createdAt: '2026-09-01T08:00:00Z' })
  // A failed read is not cached.
  await api.db.execute(raw('alter table legal_limits rename to legal_limits_away'))
  expect((await send(station, [early])).status).toBe(500)
  await api.db.execute(raw('alter table legal_limits_away rename to legal_limits'))
  expect((await send(station, [early])).body.accepted).toBe(1)
  expect(await heightsAt(api, 7)).toEqual([390])

  await api.db.execute(sql`delete from legal_limits`)
  api.clock.now = new Date('2026-10-20T08:00:10Z')
  expect((await send(station, [car(2)])).status).toBe(500)
})

test('a changed station applies after ten seconds, or at once if the clock was set back', async () => {
  const api = await testApi()
  const station = await api.station()
  const errorsAt = async (time: string) => {
    api.clock.now = new Date(time)
    const { rejected } = (await send(station, [car(1, { laneNumber: 3 })])).body
    return rejected.flatMap(({ errors }) => errorCodes(errors))
  }
  const unknown = ['laneNumber: unknown-lane']
  expect(await errorsAt('2026-10-20T08:00:00Z')).toEqual(unknown)
  await api.db.execute(sql`insert into lane (location_id, lane_number) values (7, 3)`)
  expect(await errorsAt('2026-10-20T08:00:09.999Z')).toEqual(unknown)
  expect(await errorsAt('2026-10-20T08:00:10Z')).toEqual([])
  await api.db.execute(sql`delete from lane where lane_number = 3`)
  expect(await errorsAt('2026-10-20T08:00:10Z')).toEqual([])
  expect(await errorsAt('2026-10-20T08:00:09.999Z')).toEqual(unknown)
})

test('names both an unacceptable time and an unknown lane', async () => {
  const api = await testApi()
  const late = car(1, { createdAt: '2026-10-20T08:05:00.001Z', laneNumber: 9 })
  const { body } = await send(await api.station(), [late])
  expect(errorCodes(body.rejected[0]?.errors ?? [])).toEqual([
    'createdAt: measurement-in-the-future',
    'laneNumber: unknown-lane',
  ])
})

/** A lorry of two axles, whose gross limit is 18,000 kg. */
const lorry = (sequence: number, kgPerWheel: number, overrides: Partial<WireMeasurement> = {}) =>
  car(sequence, {
    ctg8p1: 3,
    axles: [0, 500].map((gap) => ({ leftWeight: kgPerWheel, rightWeight: kgPerWheel, gap })),
    ...overrides,
  })

/** Overloads of single axles, groups and the gross weight of each vehicle, in percent, by sequence. */
async function overloadsOf(settings: Partial<Config>, ...vehicles: WireMeasurement[]) {
  const api = await testApi(settings)
  const [station, user] = [await api.station(), await api.as('ArchiveMeasurements')]
  expect((await send(station, vehicles)).body.accepted).toBe(vehicles.length)
  return Promise.all(
    vehicles.map(async ({ sequence, createdAt }) => {
      const key = { params: { id: vehicleId(7, sequence) }, query: { locationId: 7, createdAt } }
      const { body } = await user.call(detail, key)
      return [body.overloadSA, body.overloadMA, body.overloadTL, body.overload]
    }),
  )
}

const overloaded = [
  // 7 % less than 20,000 kg are 3.8 % too much, on axles within their limit.
  lorry(1, 5_000),
  // On axles of 15,000 kg, 11 % less are 17.5 % more than 11,500 kg, or 35.1 % more than 10,000 kg.
  lorry(2, 7_500),
  // A tandem of 22,000 kg: 10 % less are 5.3 % more than 19,000 kg.
  lorry(3, 5_500, { axles: [0, 140].map((gap) => ({ leftWeight: 5_500, rightWeight: 5_500, gap })) }),
  lorry(4, 4_500),
  // Lane 2 has no accuracy class.
  lorry(5, 5_000, { laneNumber: 2 }),
  car(6, { axles: Array.from({ length: 24 }, () => ({ leftWeight: 60_000, rightWeight: 60_000, gap: 500 })) }),
]

test('stores overloads of the lower bound of the true weight, up to 3,276.7 %', async () => {
  expect(await overloadsOf({}, ...overloaded)).toEqual([
    [0, 0, 3.8, true],
    [35.1, 0, 55.8, true],
    [0, 5.3, 14.2, true],
    [0, 0, 0, false],
    [null, null, null, false],
    [981.1, 0, 3_276.7, true],
  ])
})

test('with the basis "measured" stores overloads of the measured weight, also without accuracy class', async () => {
  expect(await overloadsOf({ overloadBasis: 'measured' }, ...overloaded)).toEqual([
    [0, 0, 11.1, true],
    [50, 0, 66.7, true],
    [0, 15.8, 22.2, true],
    [0, 0, 0, false],
    [0, 0, 11.1, true],
    [1_100, 0, 3_276.7, true],
  ])
})
