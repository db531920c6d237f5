import { languages } from '@rogatka/contract/languages.ts'
import { stat, type WireStatistic, type WireStatisticFilters } from '@rogatka/contract/statistics.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { type Client, type TestApi, testApi } from '../testing/test-api.ts'
import { deriveTraffic } from './derive.ts'
import { randomVehicle, stationAt } from './testing.ts'

const FROM = '2026-10-20T04:00:00.000Z'
const filters = (differing: Partial<WireStatisticFilters> = {}): WireStatisticFilters => ({
  dateTimeStart: FROM,
  dateTimeEnd: '2026-10-20T06:00:00.000Z',
  locations: '7',
  statResolutionUnit: 'hour',
  statResolutionValue: 1,
  addGraph: false,
  ...differing,
})

type Scene = { api: TestApi; station: Client; user: Awaited<ReturnType<TestApi['as']>> }

async function opened(lanes = 2): Promise<Scene> {
  const api = await testApi()
  return { api, station: await api.station(stationAt(7, lanes)), user: await api.as('Stat') }
}

const seriesOf = ({ groups }: WireStatistic) => groups.map(({ value, series }) => [value, ...series])

test('counts by lane, fills an hour without vehicles with 0, and excludes the end', async () => {
  const { station, user } = await opened()
  const times = ['04:00:00.000', '04:59:59.999', '05:30:00.000', '06:00:00.000', '03:59:59.999']
  await send(
    station,
    times.map((time, i) => car(i + 1, { createdAt: `2026-10-20T${time}Z`, laneNumber: i === 2 ? 2 : 1 })),
  )
  const { status, body } = await user.call(stat, { query: filters() })
  expect(status).toBe(200)
  expect(body).toEqual([
    {
      location: {
        id: 7,
        shortName: 'S7',
        name: 'Station 7',
        roadNumber: 'S8',
        chainage: '1+000',
        direction: 'Warszawa',
      },
      graph: null,
      labelPeriods: 'Okres',
      groups: [
        { value: '1', labelSeriesValue: 'Pas 1', series: [2, 0], summary: 2 },
        { value: '2', labelSeriesValue: 'Pas 2', series: [0, 1], summary: 1 },
      ],
      periods: [
        { start: FROM, label: '20.10.2026 06:00', summary: 2 },
        { start: '2026-10-20T05:00:00.000Z', label: '20.10.2026 07:00', summary: 1 },
      ],
      summary: 3,
    },
  ])
})

test('counts only selected lanes and categories, and vehicles with any selected violation', async () => {
  const { station, user } = await opened()
  const createdAt = FROM
  await send(station, [
    car(1, { createdAt }),
    car(2, { createdAt, laneNumber: 2, ctg8p1: 9, speed: 120, overlane: true }),
    car(3, { createdAt, ctg8p1: 9, wrongDirection: true, speed: 60 }),
    car(4, { createdAt, ctg8p1: null, speed: 60 }),
    car(5, { createdAt, ctg8p1: 6, speed: 60, overlane: true }),
  ])
  const total = async (differing: Partial<WireStatisticFilters>) =>
    (await user.call(stat, { query: filters(differing) })).body[0]?.summary
  expect(await total({})).toBe(5)
  expect(await total({ laneNumbers: '2' })).toBe(1)
  expect(await total({ laneNumbers: '1,2' })).toBe(5)
  expect(await total({ laneNumbers: '-1,99999,123456789012345' })).toBe(0)
  expect(await total({ ctg8p1: '9' })).toBe(2)
  expect(await total({ ctg8p1: '9,lack' })).toBe(4)
  expect(await total({ overlane: true })).toBe(2)
  expect(await total({ overlane: true, wrongDirection: true })).toBe(3)
  expect(await total({ overspeed: true, ctg8p1: 'lack' })).toBe(0)
  expect(await total({ overlane: false })).toBe(5)

  const byCategory = await user.call(stat, { query: filters({ groupBy: 'category', ctg8p1: 'lack,9' }) })
  expect(seriesOf(byCategory.body[0] as WireStatistic)).toEqual([
    ['9', 2, 0],
    ['lack', 2, 0],
  ])
  const byViolation = await user.call(stat, { query: filters({ groupBy: 'violation' }) })
  // Vehicle 2 is also off its lane: in two series, but once in the total.
  expect(seriesOf(byViolation.body[0] as WireStatistic)).toEqual([
    ['overload', 0, 0],
    ['overheight', 0, 0],
    ['overspeed', 1, 0],
    ['overlane', 2, 0],
    ['wrongDirection', 1, 0],
  ])
  expect(byViolation.body[0]?.summary).toBe(3)
})

test('answers the documented request without filters', async () => {
  const { user } = await opened()
  const { dateTimeStart, dateTimeEnd, locations, statResolutionUnit, statResolutionValue } = filters()
  const { status, body } = await user.call(stat, {
    query: {
      dateTimeStart,
      dateTimeEnd,
      locations,
      statResolutionUnit,
      statResolutionValue,
      addLabel: true,
      graphType: 'barPlot',
    },
  })
  expect(status).toBe(200)
  expect(seriesOf(body[0] as WireStatistic)).toEqual([
    ['1', 0, 0],
    ['2', 0, 0],
  ])
  const { width, height, format } = await sharp(Buffer.from(body[0]?.graph ?? '', 'base64')).metadata()
  expect({ width, height, format }).toEqual({ width: 980, height: 458, format: 'png' })
})

test('returns stations in the requested order, each once', async () => {
  const { api, user } = await opened()
  await api.station(stationAt(9, 1))
  for (const locations of ['9,7,9', '[9, 7]', [9, 7]]) {
    const { body } = await user.call(stat, { query: filters({ locations }) })
    expect(body.map(({ location }) => location.id)).toEqual([9, 7])
  }
  const { status } = await user.call(stat, { query: filters({ locations: '[9' }) })
  expect(status).toBe(400)
})

test('labels series and periods in the requested language, or by value without labels', async () => {
  const { user } = await opened(1)
  const named = async (language: string, differing: Partial<WireStatisticFilters>) => {
    const { body } = await user.call(stat, { query: filters(differing), headers: { 'accept-language': language } })
    const { labelPeriods, groups, periods } = body[0] as WireStatistic
    return [labelPeriods, ...groups.map(({ labelSeriesValue }) => labelSeriesValue), periods[0]?.label]
  }
  expect(await named('de', {})).toEqual(['Zeitabschnitt', 'Fahrstreifen 1', '20.10.2026 06:00'])
  expect(await named('en', { groupBy: 'overSpeed', statResolutionUnit: 'day' })).toEqual([
    'Period',
    'not over the limit',
    '1–10 km/h over',
    '11–20 km/h over',
    '21–30 km/h over',
    '31–40 km/h over',
    '41–50 km/h over',
    'more than 50 km/h over',
    '20.10.2026',
  ])
  const speeds = await named('pl', { groupBy: 'speedRange', statResolutionUnit: 'month' })
  expect([...speeds.slice(1, 4), speeds.at(-2), speeds.at(-1)]).toEqual([
    'poniżej 50 km/h',
    '50–59 km/h',
    '60–69 km/h',
    'od 140 km/h',
    '10.2026',
  ])
  expect(await named('lt', { addLabel: false })).toEqual(['Laikotarpis', '1', FROM])
  for (const language of languages) {
    const labels = await named(language, { groupBy: 'category' })
    expect(new Set(labels).size).toBe(labels.length)
  }
})

test('draws charts in every language and type, without data, of many series and of many periods', async () => {
  const { station, user } = await opened(40)
  await send(
    station,
    Array.from({ length: 200 }, (_, i) => car(i + 1, { createdAt: FROM, laneNumber: 1 + (i % 40) })),
  )
  const drawn = async (differing: Partial<WireStatisticFilters>, language = 'pl') => {
    const query = filters({ addGraph: true, ...differing })
    const { status, body } = await user.call(stat, { query, headers: { 'accept-language': language } })
    expect(status).toBe(200)
    return body[0]?.graph
  }
  const images = new Set<string | null | undefined>()
  for (const language of languages) images.add(await drawn({}, language))
  expect(images.size).toBe(languages.length)
  images.add(await drawn({ graphType: 'linePlot', statName: 'avgSpeed' }))
  images.add(await drawn({ laneNumbers: '77' }))
  images.add(await drawn({ statResolutionUnit: 'minute', dateTimeStart: '2026-10-13T07:00:00Z', groupBy: 'category' }))
  expect(images.size).toBe(languages.length + 3)
})

test('names every missing and invalid field', async () => {
  const { user } = await opened()
  const refused = async (query: Partial<Record<keyof WireStatisticFilters, unknown>>) => {
    const { status, errors } = await user.call(stat, { query: query as WireStatisticFilters })
    return [status, ...errors.map(({ path, code }) => `${path}: ${code}`).sort()]
  }
  const absent = ['dateTimeEnd', 'dateTimeStart', 'locations', 'statResolutionUnit', 'statResolutionValue']
  expect(await refused({})).toEqual([400, ...absent.map((path) => `${path}: required-parameter-missing`)])
  expect(await refused({ ...filters(), locations: '' })).toEqual([400, 'locations: required-parameter-missing'])
  expect(await refused({ ...filters(), statName: 'speed', statResolutionValue: 0 })).toEqual([
    400,
    'statName: unknown-statistic',
    'statResolutionValue: resolution-too-small',
  ])
  expect(await refused({ ...filters(), statResolutionValue: -3 })).toEqual([
    400,
    'statResolutionValue: resolution-too-small',
  ])
  expect(await refused({ ...filters(), statResolutionUnit: 'week', groupBy: 'colour', graphType: 'pie' })).toEqual([
    400,
    'graphType: unknown-option',
    'groupBy: unknown-option',
    'statResolutionUnit: unknown-option',
  ])
  expect(
    await refused({ ...filters(), dateTimeStart: '0000-01-01T00:00:00Z', dateTimeEnd: '9999-12-31T23:30:00Z' }),
  ).toEqual([400, 'dateTimeEnd: invalid-date', 'dateTimeStart: invalid-date'])
  expect(await refused({ ...filters(), dateTimeStart: 'yesterday' })).toEqual([400, 'dateTimeStart: invalid-date'])
  expect(await refused({ ...filters(), dateTimeStart: '2026-10-20T07:00:00Z' })).toEqual([
    422,
    'dateTimeStart: start-after-end',
  ])
  expect(await refused({ ...filters(), locations: '7,8' })).toEqual([404, 'locations: location-not-found'])
  const years = { dateTimeStart: '1996-10-20T07:00:00Z', statResolutionUnit: 'minute' }
  expect(await refused({ ...filters(), ...years })).toEqual([422, 'statResolutionValue: too-many-periods'])
  expect(
    await refused({ ...filters(), dateTimeStart: '1900-01-01T00:00:00Z', dateTimeEnd: '2199-12-31T23:59:00Z' }),
  ).toEqual([422, 'statResolutionValue: too-many-periods'])
})

test('an empty range has series without figures, and three centuries by year are accepted', async () => {
  const { user } = await opened(1)
  const { body } = await user.call(stat, { query: filters({ dateTimeEnd: FROM, addGraph: true }) })
  expect(body[0]).toMatchObject({ groups: [{ value: '1', series: [], summary: 0 }], periods: [], summary: 0 })
  const ages = { dateTimeStart: '1900-01-01T00:00:00Z', dateTimeEnd: '2199-12-31T23:59:00Z' }
  const long = await user.call(stat, {
    query: filters({ ...ages, statResolutionUnit: 'year', statResolutionValue: 2, addGraph: true }),
  })
  expect(long.status).toBe(200)
  expect(long.body[0]?.periods.length).toBeGreaterThan(99)
})

test('periods of several units count the vehicles between their starts', async () => {
  const { api, station, user } = await opened()
  const random = seededRandom(5)
  const [from, to] = [Date.parse('2025-12-20T00:00:00Z'), Date.parse('2026-10-20T00:00:00Z')]
  const vehicles = Array.from({ length: 900 }, (_, i) =>
    randomVehicle(random, i + 1, new Date(from + random.next() * (i % 2 ? to - from : 7_200_000)), 2),
  )
  await send(station, vehicles)
  await deriveTraffic(api.db, api.clock.now)
  for (const [unit, value] of [
    ['minute', 10],
    ['minute', 90],
    ['hour', 2],
    ['hour', 48],
    ['day', 7],
    ['month', 3],
    ['year', 2],
  ] as const) {
    const range = {
      dateTimeStart: new Date(from).toISOString(),
      dateTimeEnd: new Date(unit === 'minute' && value === 10 ? from + 7_200_000 : to).toISOString(),
    }
    const query = filters({ ...range, statResolutionUnit: unit, statResolutionValue: value })
    const { periods = [], summary } = (await user.call(stat, { query })).body[0] ?? {}
    const starts = periods.map(({ start }) => start)
    const counted = await api.db.query<{ vehicles: number }>(sql`
      select count(v.id)::int as vehicles
      from unnest(${starts}::timestamptz[], ${[...starts.slice(1), range.dateTimeEnd]}::timestamptz[]) p (start, next)
      left join vehicle v on v.created_at >= p.start and v.created_at < p.next
      group by p.start order by p.start`)
    expect(
      periods.map(({ summary }) => summary),
      `${value} ${unit}`,
    ).toEqual(counted.map((one) => one.vehicles))
    expect(summary).toBeGreaterThan(400)
  }
})
