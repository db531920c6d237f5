import {
  deviation,
  finish,
  finishDates,
  list,
  report,
  revokeFinish,
  type WireCalibrationFilters,
} from '@rogatka/contract/calibration.ts'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { isInSample } from '@rogatka/domain/calibration/sample.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { send } from '../ingest/testing.ts'
import { extractPages, fetchReport, parseCsv, readSheets, unzipFiles } from '../reports/testing.ts'
import { type Client, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { DRIFTING_STATION, insertDemoCalibrations } from './demo.ts'
import { freezeRecentReferences, planCalibration, resolutionFor } from './lanes.ts'

const HOUR = 3_600_000
const at = (text: string, hours = 0) => new Date(Date.parse(text) + hours * HOUR).toISOString()

/** A loaded tractor with a semi-trailer on a tridem, with this first-axle load in kg. */
const tractor = (
  sequence: number,
  createdAt: string,
  firstAxle: number,
  differing: Partial<WireMeasurement> = {},
): WireMeasurement => ({
  sequence,
  createdAt,
  laneNumber: 1,
  speed: 85,
  ctg8p1: 9,
  ctg323: 5,
  axles: [
    { leftWeight: Math.floor(firstAxle / 2), rightWeight: Math.ceil(firstAxle / 2), gap: 0 },
    { leftWeight: 5_000, rightWeight: 5_000, gap: 374 },
    { leftWeight: 3_500, rightWeight: 3_500, gap: 567 },
    { leftWeight: 3_500, rightWeight: 3_500, gap: 131 },
    { leftWeight: 3_500, rightWeight: 3_500, gap: 131 },
  ],
  ...differing,
})

const FROM = '2026-10-01T22:00:00.000Z'
const filters = (differing: Partial<WireCalibrationFilters> = {}): WireCalibrationFilters => ({
  dateTimeStart: FROM,
  dateTimeEnd: at(FROM, 14 * 24),
  statResolutionUnit: 'hour',
  statResolutionValue: 24,
  locations: '7',
  addGraph: false,
  ...differing,
})

async function opened(): Promise<{ api: TestApi; station: Client; user: Awaited<ReturnType<TestApi['as']>> }> {
  const api = await testApi()
  return { api, station: await api.station(), user: await api.as('UserManagement') }
}

/** Sends tractors evenly over `hours`, with the loads in rotation. */
async function pass(
  station: Client,
  count: number,
  from: string,
  hours: number,
  loads: readonly number[],
  firstSequence = 1,
) {
  const vehicles = Array.from({ length: count }, (_, i) =>
    tractor(firstSequence + i, at(from, (hours * i) / count), loads[i % loads.length] as number),
  )
  const { body } = await send(station, vehicles)
  expect(body).toMatchObject({ accepted: count, rejected: [] })
}

test('mean, variation and count include only vehicles of the sample', async () => {
  const { api, station, user } = await opened()
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

test('freezes the reference of a lane once enough vehicles have passed after its calibration', async () => {
  const { api, station, user } = await opened()
  // 6,800 and 7,000 in the week after the calibration; 7,500 a week later: 8.7 % more than 6,900.
  await pass(station, 150, FROM, 100, [6_700, 6_900])
  await user.call(finish, { query: { locations: '7', time: FROM } })
  const readLane = async () => (await user.call(list, { query: filters() })).body[0]?.lanes[0]
  expect((await readLane())?.reference).toEqual({
    firstAxleAvg: 6_900,
    counter: 0,
    provisional: true,
    finishedAt: FROM,
    finishedBy: user.username,
  })
  expect((await readLane())?.periods[0]).toMatchObject({ deviationFromReference: -1.45, confidence: null })

  await pass(station, 60, at(FROM, 120), 20, [6_700, 6_900], 1_000)
  await pass(station, 40, at(FROM, 240), 20, [7_300, 7_700], 2_000)
  const lane = await readLane()
  expect(lane?.reference).toMatchObject({ firstAxleAvg: 6_800, counter: 200, provisional: false })
  expect(lane?.periods[0]).toMatchObject({ firstAxleAvg: 6_800, deviationFromReference: 0, confidence: 0 })
  expect(lane?.periods[10]).toMatchObject({
    counter: 40,
    firstAxleAvg: 7_500,
    deviationFromReference: 10.29,
    confidence: 100,
  })

  // Late vehicles of that week change their period, but not the reference.
  await pass(station, 100, at(FROM, 1), 20, [9_000], 3_000)
  const after = await readLane()
  expect(after?.reference).toEqual(lane?.reference)
  expect(after?.periods[0]?.firstAxleAvg).toBeGreaterThan(7_500)
  expect(await api.db.query(sql`select vehicles, load_sum from calibration_reference`)).toEqual([
    { vehicles: 200, load_sum: 1_360_000 },
  ])
})

test('freezes references without a request', async () => {
  const { api, station, user } = await opened()
  await pass(station, 250, FROM, 100, [7_000])
  await user.call(finish, { query: { locations: '7', time: FROM } })
  await freezeRecentReferences(api.db, api.clock.now)
  expect(
    await api.db.query(sql`select location_id, lane_number, vehicles, load_sum from calibration_reference`),
  ).toEqual([{ location_id: 7, lane_number: 1, vehicles: 200, load_sum: 1_400_000 }])
})

test('freezes references up to 30 days after the calibration', async () => {
  const { api, station, user } = await opened()
  await pass(station, 200, FROM, 100, [7_000])
  await user.call(finish, { query: { locations: '7', time: FROM } })
  const frozen = async (now: string) => {
    await freezeRecentReferences(api.db, new Date(now))
    return (await api.db.query(sql`select from calibration_reference`)).length
  }
  expect(await frozen(new Date(Date.parse(FROM) + 30 * 24 * HOUR + 1).toISOString())).toBe(0)
  expect(await frozen(at(FROM, 30 * 24))).toBe(1)
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
])('the deviation in %i hours is drawn by %i hours', (range, hours) => {
  expect(resolutionFor(new Date(FROM), new Date(at(FROM, range)))).toBe(hours)
})

test('accepts 150,000 periods of all stations together, and each station once', async () => {
  const { api, user } = await opened()
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

test('has the calibrations of the range with each lane, oldest first', async () => {
  const { api, station, user } = await opened()
  await api.station({ ...testStation, id: 8, shortName: 'S8 Other' })
  await pass(station, 1, FROM, 1, [7_000])
  // The end of the range is exclusive.
  for (const hours of [-1, 200, 100, 14 * 24])
    await user.call(finish, { query: { locations: '7', lanes: '701', time: at(FROM, hours) } })
  const { body } = await user.call(list, { query: filters({ locations: '8,7' }) })
  expect(body.map(({ location }) => location.id)).toEqual([7])
  expect(body[0]?.lanes.map(({ finishes }) => finishes)).toEqual([[at(FROM, 100), at(FROM, 200)]])
})

test('uses the last calibration before the end of the range', async () => {
  const { station, user } = await opened()
  await pass(station, 200, FROM, 100, [6_800])
  await pass(station, 200, at(FROM, 200), 100, [7_000], 1_000)
  await user.call(finish, { query: { locations: '7', time: FROM } })
  await user.call(finish, { query: { locations: '7', time: at(FROM, 200) } })
  const referenceTo = async (hours: number) =>
    (await user.call(list, { query: filters({ dateTimeEnd: at(FROM, hours) }) })).body[0]?.lanes[0]?.reference
      .firstAxleAvg
  expect(await referenceTo(200)).toBe(6_800)
  expect(await referenceTo(201)).toBe(7_000)
})

test('a period with few vehicles has only their count, one without any has 0', async () => {
  const { station, user } = await opened()
  await pass(station, 9, at(FROM, 24), 1, [7_000])
  await pass(station, 10, at(FROM, 48), 1, [7_000], 100)
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
  const { station, user } = await opened()
  expect((await user.call(list, { query: filters() })).body).toEqual([])
  await pass(station, 1, FROM, 1, [7_000])
  const { body } = await user.call(list, { query: filters() })
  expect(body[0]?.lanes.map(({ lane }) => lane)).toEqual([{ id: 701, laneNumber: 1 }])
})

test('draws a chart of the requested size for each lane, of loads or deviations', async () => {
  const { station, user } = await opened()
  await pass(station, 50, FROM, 100, [7_000])
  const sizeOf = async (base64: string | null | undefined) => {
    const { width, height, format } = await sharp(Buffer.from(base64 ?? '', 'base64')).metadata()
    return { width, height, format }
  }
  const loads = await user.call(list, {
    query: filters({ addGraph: true, graphWidth: 980, graphHeight: 458, graphType: 'linePlot' }),
  })
  expect(await sizeOf(loads.body[0]?.lanes[0]?.graphBase64)).toEqual({ width: 980, height: 458, format: 'png' })

  const { dateTimeStart, dateTimeEnd } = filters()
  const range = { dateTimeStart, dateTimeEnd, locations: '7', graphType: 'linePlot' as const }
  const deviations = await user.call(deviation, { query: { ...range, graphWidth: 640, graphHeight: 300 } })
  expect(await sizeOf(deviations.body[0]?.lanes[0]?.graphBase64)).toEqual({ width: 640, height: 300, format: 'png' })
  // 14 days in steps of 6 hours.
  expect(deviations.body[0]?.lanes[0]?.periods).toHaveLength(56)
})

test('records a calibration for every lane of the stations with user and time, and audits it', async () => {
  const { api, user } = await opened()
  await api.station({ ...testStation, id: 8, shortName: 'S8 Other', lanes: [{ laneNumber: 4, accuracyClass: 'A(5)' }] })
  const noted = await user.call(finish, { query: { locations: '7,8', time: '2026-10-12T10:30:00Z' } })
  expect(noted.status).toBe(204)
  // Repeating it, by any user, changes nothing.
  await (await api.as('UserManagement')).call(finish, { query: { locations: '7', time: '2026-10-12T10:30:00Z' } })
  const rows = await api.db.query(sql`
    select location_id, lane_number, finished_at, entered_at, user_id, username from calibration_finish
    order by location_id, lane_number`)
  const by = {
    finished_at: new Date('2026-10-12T10:30:00Z'),
    entered_at: api.clock.now,
    user_id: user.userId,
    username: user.username,
  }
  expect(rows).toEqual([
    { location_id: 7, lane_number: 1, ...by },
    { location_id: 7, lane_number: 2, ...by },
    { location_id: 8, lane_number: 4, ...by },
  ])
  const audited = await api.db.query(
    sql`select subject from audit where action = 'calibration-finished' and user_id = ${user.userId} order by subject`,
  )
  expect(audited.map(({ subject }) => subject)).toEqual(['S8 Other', 'S8 Test'])
})

test('names missing fields, invalid resolutions, reversed ranges, unknown stations and future times', async () => {
  const { user } = await opened()
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

test('the demo calibrates each station once, and the drifting one again', async () => {
  const { api, user } = await opened()
  const stations = [1, DRIFTING_STATION].map((id) => ({ ...testStation, id, shortName: `Demo ${id}` }))
  for (const station of stations) await api.station(station)
  const note = (now: string, days: number) =>
    insertDemoCalibrations(api.db, stations, { userId: user.userId, username: user.username }, new Date(now), days)
  const noted = [
    { locationId: 1, finishedAt: new Date('2026-10-06T08:00:00Z') },
    { locationId: 2, finishedAt: new Date('2026-10-06T08:00:00Z') },
    { locationId: 2, finishedAt: new Date('2026-10-16T20:00:00Z') },
  ]
  expect(await note('2026-10-20T08:40:00Z', 14)).toEqual(noted)
  expect(await note('2026-10-23T08:40:00Z', 14)).toEqual(noted)
  const lanes = await api.db.query(sql`select lane_number, username from calibration_finish where location_id = 1`)
  expect(lanes).toEqual([1, 2].map((lane_number) => ({ lane_number, username: user.username })))
})

test('a mistaken calibration is revoked with a reason, and the previous one applies again', async () => {
  const { api, station, user } = await opened()
  const second = await api.as('UserManagement')
  await pass(station, 200, FROM, 24, [6_800, 7_000])
  await pass(station, 200, at(FROM, 100), 24, [7_600, 7_800], 201)
  await user.call(finish, { query: { locations: '7', time: FROM } })
  const readLane = async () => {
    const { body } = await user.call(list, { query: filters() })
    const { reference, periods } = body[0]?.lanes[0] ?? {}
    return { reference, deviations: periods?.map(({ deviationFromReference }) => deviationFromReference) }
  }
  const right = await readLane()
  expect(right.reference).toMatchObject({ firstAxleAvg: 6_900, counter: 200, finishedAt: FROM })

  // Another user enters the wrong day for all lanes.
  const mistaken = at(FROM, 100)
  await second.call(finish, { query: { locations: '7', time: mistaken } })
  expect((await readLane()).reference).toMatchObject({ firstAxleAvg: 7_700, finishedAt: mistaken })

  const listed = async () => (await user.call(finishDates, { query: { locations: '7' } })).body
  expect(
    (await listed()).map(({ lane, finishedAt, enteredBy, inForce }) => [lane, finishedAt, enteredBy, inForce]),
  ).toEqual([
    [{ id: 701, laneNumber: 1 }, mistaken, second.username, true],
    [{ id: 702, laneNumber: 2 }, mistaken, second.username, true],
    [{ id: 701, laneNumber: 1 }, FROM, user.username, false],
    [{ id: 702, laneNumber: 2 }, FROM, user.username, false],
  ])

  const revocation = { lanes: [701, 702], finishedAt: mistaken, reason: ' pomyłka w dacie ' }
  const refused = await user.call(revokeFinish, { body: { ...revocation, reason: ' ' } })
  expect([refused.status, refused.errors[0]?.path]).toEqual([400, 'reason'])
  expect((await user.call(revokeFinish, { body: revocation })).status).toBe(204)
  expect(await readLane()).toEqual(right)
  const [first] = await listed()
  expect(first).toMatchObject({
    inForce: false,
    reference: { firstAxleAvg: 7_700, counter: 200 },
    revoked: { at: api.clock.now.toISOString(), by: user.username, reason: 'pomyłka w dacie' },
  })
  expect((await listed()).map(({ inForce }) => inForce)).toEqual([false, false, true, true])
  expect(
    await api.db.query(sql`select user_id, subject, before, after from audit where action = 'calibration-revoked'`),
  ).toEqual([
    {
      user_id: user.userId,
      subject: 'S8 Test',
      before: { locationId: 7, lanes: [1, 2], finishedAt: mistaken, enteredBy: second.username },
      after: { reason: 'pomyłka w dacie' },
    },
  ])

  // Already revoked or never recorded: nothing changes.
  const again = await second.call(revokeFinish, { body: revocation })
  expect([again.status, again.errors[0]?.code]).toEqual([409, 'calibration-already-revoked'])
  const unknown = await user.call(revokeFinish, { body: { ...revocation, lanes: [701, 709] } })
  expect([unknown.status, unknown.errors[0]?.code]).toEqual([404, 'calibration-not-found'])
  expect(await api.db.query(sql`select from audit where action = 'calibration-revoked'`)).toHaveLength(1)

  // Recorded again after the revocation, it applies.
  await user.call(finish, { query: { locations: '7', time: mistaken } })
  expect((await readLane()).reference).toMatchObject({ firstAxleAvg: 7_700, finishedBy: user.username })
  expect((await listed())[0]).toMatchObject({ inForce: true, revoked: null, enteredBy: user.username })
})

test('a revoked calibration gets no reference, and the general value applies without another one', async () => {
  const { api, station, user } = await opened()
  await user.call(finish, { query: { locations: '7', time: FROM } })
  await user.call(revokeFinish, { body: { lanes: [701], finishedAt: FROM, reason: 'zły dzień' } })
  await pass(station, 200, FROM, 24, [6_000])
  await freezeRecentReferences(api.db, new Date(at(FROM, 200)))
  expect(await api.db.query(sql`select lane_number from calibration_reference`)).toEqual([])
  const { body } = await user.call(list, { query: filters() })
  expect(body[0]?.lanes[0]?.reference).toMatchObject({ provisional: true, firstAxleAvg: 6_900, finishedAt: null })
})

test('records a calibration for selected lanes only', async () => {
  const { user } = await opened()
  expect((await user.call(finish, { query: { locations: '7', time: FROM, lanes: '702' } })).status).toBe(204)
  const lanes = async () =>
    (await user.call(finishDates, { query: { locations: '7' } })).body.map(({ lane }) => lane.laneNumber)
  expect(await lanes()).toEqual([2])
  // One lane is not of these stations: nothing is recorded.
  const unknown = await user.call(finish, { query: { locations: '7', time: at(FROM, 1), lanes: '701,801' } })
  expect([unknown.status, unknown.errors[0]]).toMatchObject([404, { code: 'lane-not-found', path: 'lanes' }])
  expect(await lanes()).toEqual([2])
})

test('exports figures with chart, reference and criteria as PDF, XLSX and CSV', async () => {
  const { api, station, user } = await opened()
  await pass(station, 200, FROM, 24, [6_800, 7_000])
  await pass(station, 200, at(FROM, 48), 24, [7_600, 7_800], 201)
  await user.call(finish, { query: { locations: '7', time: FROM } })
  const ordered = async (query: Partial<WireOf<typeof report, 'query'>>) => {
    const { addGraph: _, statResolutionUnit: __, ...asked } = filters()
    const { status, body } = await user.call(report, { query: { ...asked, ...query } })
    expect(status).toBe(200)
    return fetchReport(user, body)
  }

  // The first day has 200 vehicles of 6,900 kg on average, the third 200 of 7,700: 11.6 % more.
  const table = await ordered({ reportType: 'csv' })
  expect(table.headers['content-disposition']).toMatch(/filename="calibration_20_10_2026_10_00_00\.csv"/)
  const [head, ...rows] = parseCsv(table.bytes)
  expect(head?.slice(0, 5)).toEqual(['Stacja', 'Pas', 'Data i czas', 'Średni nacisk [kg]', 'Wsp. zmienności [%]'])
  // The second lane has no scale.
  expect(rows).toHaveLength(14)
  expect(rows.at(-1)?.slice(0, 4)).toEqual(['S8 Test', '1', '2026-10-02 00:00:00', '6900'])
  expect(rows.at(-3)?.slice(3)).toEqual([
    '7700',
    '1,3',
    '200',
    '11,6',
    '100,0',
    '6900',
    '200',
    '2026-10-02 00:00:00',
    user.username,
  ])

  const book = await ordered({ reportType: 'xlsx' })
  const [lane, about] = await readSheets(book.bytes)
  expect(lane?.name).toBe('S8 Test, pas 1')
  expect(lane?.rows[1]?.[0]).toMatch(/odniesienie 6\s900 kg z 200 pojazdów/)
  expect(lane?.rows.some((row) => row.includes(7_700) && row.includes(200))).toBe(true)
  expect(Object.keys(unzipFiles(book.bytes)).filter((name) => name.endsWith('.png'))).toHaveLength(1)
  expect(about?.rows.flat()).toEqual(expect.arrayContaining(['Stacje', 'S8 Test', 'Rozdzielczość', '24 h']))

  const document = await ordered({ reportType: 'pdf', shows: 'deviation' })
  const pages = await extractPages(document.bytes)
  expect(pages[0]).toContain('Rozdzielczość')
  expect(pages.join(' ')).toMatch(/S8 Test, pas 1: odchylenie od odniesienia \[%\].*7\s700/s)
  expect(document.bytes.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(1)

  const looker = await api.as('Stat')
  const { link } = (await user.call(report, { query: filters() })).body
  expect((await fetchReport(looker, { link })).status).toBe(404)
})

test('lists a calibration with its reference before its result is requested', async () => {
  const { station, user } = await opened()
  await pass(station, 200, FROM, 24, [6_800, 7_000])
  await user.call(finish, { query: { locations: '7', time: FROM } })
  const { body } = await user.call(finishDates, { query: { locations: '7' } })
  expect(body.find(({ lane }) => lane.laneNumber === 1)?.reference).toEqual({ firstAxleAvg: 6_900, counter: 200 })
})
