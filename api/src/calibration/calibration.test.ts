import { finish, list, type WireCalibrationFilters } from '@rogatka/contract/calibration.ts'
import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { isInSample } from '@rogatka/domain/calibration/sample.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { send } from '../ingest/testing.ts'
import { testStation } from '../testing/test-api.ts'
import { planCalibration, resolutionFor } from './lanes.ts'
import { at, FROM, filters, portalWithStation, sendTractors, tractor } from './testing.ts'

test('mean, variation and count include only vehicles of the sample', async () => {
  const { api, station, user } = await portalWithStation()
  let random = 7
  const next = () => {
    random = (random * 16_807) % 2_147_483_647
    return random / 2_147_483_647
  }
  const around = (value: number, by: number) => Math.round(value + (next() - 0.5) * by)
  const vehicles = Array.from({ length: 900 }, (_, i): WireMeasurement => {
    const [left, right] = [around(3_450, 2_400), around(3_450, 2_400)]
    const gaps = [0, around(365, 220), around(610, 600), around(130, 60), around(130, 60)]
    return tractor(i + 1, at(FROM, 14 * 24 * next()), 0, {
      speed: next() < 0.1 ? null : around(82, 60),
      ctg323: next() < 0.2 ? 6 : 5,
      overlane: next() < 0.1,
      laneNumber: next() < 0.5 ? 1 : 2,
      axles: gaps.map((gap, axle) =>
        axle === 0
          ? { gap, leftWeight: next() < 0.05 ? null : left, rightWeight: right }
          : { gap, leftWeight: around(5_000, 6_000), rightWeight: around(5_000, 6_000) },
      ),
    })
  })
  await send(station, vehicles)

  const { body } = await user.call(list, { query: filters({ statResolutionValue: 168 }) })
  const chosen = vehicles.filter(({ ctg323, speed, overlane, axles }) => {
    const all = axles ?? []
    const totalLoad = all.reduce((sum, { leftWeight, rightWeight }) => sum + (leftWeight ?? 0) + (rightWeight ?? 0), 0)
    const { leftWeight = null, rightWeight = null } = all[0] ?? {}
    const gaps = all.map(({ gap }) => gap ?? 0)
    return isInSample({
      ctg323: ctg323 ?? null,
      speed: speed ?? null,
      totalLoad,
      overlane: overlane ?? false,
      gaps,
      leftWeight,
      rightWeight,
    })
  })
  expect(chosen.length).toBeGreaterThan(60)
  expect(chosen.length).toBeLessThan(300)
  expect(body[0]?.location).toEqual({ id: 7, shortName: 'S8 Test' })
  for (const lane of body[0]?.lanes ?? []) {
    for (const [i, period] of lane.periods.entries()) {
      const to = lane.periods[i + 1]?.dateTime ?? at(FROM, 14 * 24)
      const loads = chosen
        .filter(
          ({ laneNumber, createdAt }) =>
            laneNumber === lane.lane.laneNumber && createdAt >= period.dateTime && createdAt < to,
        )
        .map(({ axles }) => (axles?.[0]?.leftWeight ?? 0) + (axles?.[0]?.rightWeight ?? 0))
      const mean = loads.reduce((sum, load) => sum + load, 0) / loads.length
      const deviation = Math.sqrt(loads.reduce((sum, load) => sum + (load - mean) ** 2, 0) / (loads.length - 1))
      expect(period.counter).toBe(loads.length)
      expect(period.firstAxleAvg).toBe(Math.round(mean))
      expect(period.firstAxleCov).toBeCloseTo((100 * deviation) / mean, 1)
      expect(period.deviationFromReference).toBeCloseTo((100 * (mean - 6_900)) / 6_900, 1)
    }
  }
  expect(await api.db.query(sql`select 1 from vehicle`)).toHaveLength(900)
})

test.each([
  // At most 60 points.
  [120, 2],
  [121, 4],
  [240, 4],
  [241, 6],
  [720, 12],
  [721, 24],
  [4_320, 72],
  [4_321, 168],
  [100_000, 168],
])('draws the deviation over %i hours in periods of %i hours', (range, hours) => {
  expect(resolutionFor(new Date(FROM), new Date(at(FROM, range)))).toBe(hours)
})

test('accepts 150,000 periods of all stations together, and each station once', async () => {
  const { api, user } = await portalWithStation()
  await api.station({ ...testStation, id: 8, shortName: 'S8 Other' })
  const plan = async (locations: number[], periods: number) => {
    const to = new Date(at(FROM, 2 * periods))
    const { starts, locationIds } = await planCalibration(api.db, { from: new Date(FROM), to, hours: 2, locations })
    return [starts.length, locationIds]
  }
  expect(await plan([7], 150_000)).toEqual([150_000, [7]])
  expect(await plan([7, 7], 75_001)).toEqual([75_001, [7]])
  const refused = async (locations: string, periods: number) => {
    const query = filters({ locations, dateTimeEnd: at(FROM, 2 * periods), statResolutionValue: 2 })
    const { status, errors } = await user.call(list, { query })
    return [status, errors[0]?.code]
  }
  expect(await refused('7', 150_001)).toEqual([422, 'too-many-periods'])
  expect(await refused('7,8', 75_001)).toEqual([422, 'too-many-periods'])
  expect(await refused('7', 0)).toEqual([200, undefined])
})

test('lists the calibrations of the range with each lane, oldest first', async () => {
  const { api, station, user } = await portalWithStation()
  await api.station({ ...testStation, id: 8, shortName: 'S8 Other' })
  await sendTractors(station, 1, FROM, 1, [7_000])
  // The end of the range is exclusive.
  for (const hours of [-1, 200, 100, 14 * 24])
    await user.call(finish, { query: { locations: '7', lanes: '701', time: at(FROM, hours) } })
  const { body } = await user.call(list, { query: filters({ locations: '8,7' }) })
  expect(body.map(({ location }) => location.id)).toEqual([7])
  expect(body[0]?.lanes.map(({ finishes }) => finishes)).toEqual([[at(FROM, 100), at(FROM, 200)]])
})

test('a period with few vehicles has only their count, one without any has 0', async () => {
  const { station, user } = await portalWithStation()
  await sendTractors(station, 9, at(FROM, 24), 1, [7_000])
  await sendTractors(station, 10, at(FROM, 48), 1, [7_000], 100)
  const { body } = await user.call(list, { query: filters() })
  const [first, second, third] = body[0]?.lanes[0]?.periods ?? []
  expect(first).toMatchObject({ dateTime: FROM, counter: 0, firstAxleAvg: null })
  expect(second).toEqual({
    dateTime: at(FROM, 24),
    counter: 9,
    firstAxleAvg: null,
    firstAxleCov: null,
    deviationFromReference: null,
    confidence: null,
  })
  expect(third).toMatchObject({ counter: 10, firstAxleAvg: 7_000, firstAxleCov: 0, deviationFromReference: 1.45 })
})

test('omits lanes without a scale, and stations without comparable vehicles', async () => {
  const { station, user } = await portalWithStation()
  expect((await user.call(list, { query: filters() })).body).toEqual([])
  await sendTractors(station, 1, FROM, 1, [7_000])
  const { body } = await user.call(list, { query: filters() })
  expect(body[0]?.lanes.map(({ lane }) => lane)).toEqual([{ id: 701, laneNumber: 1 }])
})

test('names missing fields, invalid resolutions, reversed ranges, unknown stations and future times', async () => {
  const { user } = await portalWithStation()
  const refused = async (query: Partial<Record<keyof WireCalibrationFilters, unknown>>) => {
    const { status, errors } = await user.call(list, { query: query as WireCalibrationFilters })
    return [status, ...errors.map(({ path, code }) => `${path}: ${code}`).sort()]
  }
  expect(await refused({})).toEqual([
    400,
    'dateTimeEnd: required-parameter-missing',
    'dateTimeStart: required-parameter-missing',
    'locations: required-parameter-missing',
    'statResolutionValue: required-parameter-missing',
  ])
  expect(await refused({ ...filters(), statResolutionValue: 3 })).toEqual([
    400,
    'statResolutionValue: unsupported-resolution',
  ])
  expect(await refused({ ...filters(), statResolutionUnit: 'day' })).toEqual([
    400,
    'statResolutionUnit: unsupported-resolution',
  ])
  expect(await refused({ ...filters(), statResolutionUnit: '0' })).toEqual([200])
  expect(await refused({ ...filters(), dateTimeEnd: at(FROM, -1) })).toEqual([422, 'dateTimeStart: start-after-end'])
  expect(await refused({ ...filters(), dateTimeStart: '1900-01-01T00:00:00Z', statResolutionValue: 2 })).toEqual([
    422,
    'statResolutionValue: too-many-periods',
  ])
  expect(await refused({ ...filters(), locations: '7,99' })).toEqual([404, 'locations: location-not-found'])

  const late = await user.call(finish, { query: { locations: '7', time: '2026-10-20T08:06:00Z' } })
  expect([late.status, late.errors[0]?.path, late.errors[0]?.code]).toEqual([422, 'time', 'calibration-in-the-future'])
  expect((await user.call(finish, { query: {} as never })).errors.map(({ path }) => path).sort()).toEqual([
    'locations',
    'time',
  ])
})
