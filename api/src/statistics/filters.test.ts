import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { type StatName, statNames } from '@rogatka/contract/options.ts'
import { stat, type WireStatistic, type WireStatisticFilters } from '@rogatka/contract/statistics.ts'
import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { send } from '../ingest/testing.ts'
import { testApi } from '../testing/test-api.ts'
import { deriveTraffic } from './derive.ts'
import { randomVehicle, stationAt } from './testing.ts'

/* Figures with filters by time, class and country, and of earlier periods, against a count of what was sent. */

type SentVehicle = WireMeasurement & { at: number }

const inPoland = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Warsaw',
  weekday: 'short',
  hour: '2-digit',
  hourCycle: 'h23',
})
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const FROM = Date.parse('2026-09-14T22:00:00Z')
const TO = Date.parse('2026-11-15T23:00:00Z')
const AUTUMN = Date.parse('2026-10-25T00:00:00Z')
const HOUR = 3_600_000
const clocks = new Map<number, { hour: number; weekday: number }>()
/** Hour and weekday (0 Monday) in Poland. */
function clockOf(at: number) {
  const hour = Math.floor(at / HOUR)
  const known = clocks.get(hour)
  if (known) return known
  const parts = Object.fromEntries(inPoland.formatToParts(at).map(({ type, value }) => [type, value]))
  const clock = { hour: Number(parts.hour), weekday: DAYS.indexOf(parts.weekday ?? '') }
  clocks.set(hour, clock)
  return clock
}

/** Vehicles of two months, a third of them around the change of the clock. */
const vehicles = (random: Random, count: number): SentVehicle[] =>
  Array.from({ length: count }, (_, i) => {
    const at = i % 3 === 0 ? AUTUMN - 30 * HOUR + random.below(60) * HOUR : FROM + random.below(TO - FROM)
    const measured = randomVehicle(random, i + 1, new Date(at), 2)
    const nationality = random.pick(['PL', 'PL', 'LT', 'D', null])
    return { ...measured, at, nationality, ctg323: random.pick([null, 0, 1, 5, 8]) }
  })

type Filters = { hours?: number[]; weekdays?: number[]; ctg323?: number[]; nationalities?: string[] }

function matches({ at, ctg323, nationality }: SentVehicle, filters: Filters): boolean {
  const { hour, weekday } = clockOf(at)
  const isAmong = <T>(list: readonly T[] | undefined, value: T) => !list?.length || list.includes(value)
  return (
    isAmong(filters.hours, hour) &&
    isAmong(filters.weekdays, weekday) &&
    isAmong(filters.ctg323, ctg323 ?? 0) &&
    isAmong(filters.nationalities, nationality ?? '-')
  )
}

/** Half up, as figures are rounded. */
const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals

/** A figure of vehicles; `hours` is the time that is counted. */
function figureOf(statName: StatName, sent: readonly SentVehicle[], hours: number): number | null {
  if (statName === 'traffic') return hours === 0 ? null : sent.length
  const speeds = sent.flatMap(({ speed }) => (speed ? [speed] : []))
  const loads = sent.flatMap(({ axles }) =>
    axles ? [axles.reduce((sum, { leftWeight, rightWeight }) => sum + (leftWeight ?? 0) + (rightWeight ?? 0), 0)] : [],
  )
  const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
  if (statName === 'trafficDensity') {
    const inverse = sumOf(speeds.map((speed) => Math.round(1_000_000 / Math.max(5, speed))))
    return speeds.length === 0 ? null : rounded((sent.length / hours) * (inverse / speeds.length / 1_000_000), 2)
  }
  const values = statName.endsWith('Speed') ? speeds : loads
  if (values.length === 0) return null
  if (statName.startsWith('min')) return Math.min(...values)
  if (statName.startsWith('max')) return Math.max(...values)
  return rounded(sumOf(values) / values.length, statName === 'avgSpeed' ? 1 : 0)
}

/** Hours of [from, to) that a filter counts. */
const hoursOf = (from: number, to: number, { hours, weekdays }: Filters) =>
  Array.from({ length: (to - from) / HOUR }, (_, hour) => from + hour * HOUR).filter((at) =>
    matches({ at } as SentVehicle, { ...(hours && { hours }), ...(weekdays && { weekdays }) }),
  ).length

const FILTERS: Filters[] = [
  { hours: [6, 7, 2] },
  { weekdays: [0, 6] },
  { hours: [22, 23, 0, 1, 2, 3], weekdays: [5, 6] },
  { ctg323: [0, 5] },
  { nationalities: ['LT', '-'] },
  { nationalities: ['PL'], ctg323: [1], weekdays: [0, 1, 2, 3, 4, 5], hours: [8, 9, 10, 11, 12, 13, 14, 15, 16] },
]
const RANGES = [
  { unit: 'hour', from: '2026-10-23T22:00:00.000Z', to: '2026-10-26T23:00:00.000Z' },
  { unit: 'day', from: '2026-10-04T22:00:00.000Z', to: '2026-11-01T23:00:00.000Z' },
  { unit: 'month', from: '2026-09-30T22:00:00.000Z', to: '2026-11-10T23:00:00.000Z' },
] as const

test('figures with filters by time, class and country equal a recount, before and after derivation', async () => {
  const api = await testApi()
  api.clock.now = new Date('2026-11-16T12:00:00Z')
  const sent = vehicles(seededRandom(5), 900)
  const station = await api.station(stationAt(7, 2))
  for (let at = 0; at < sent.length; at += 450) {
    const { body } = await send(
      station,
      sent.slice(at, at + 450).map(({ at: _, ...measurement }) => measurement),
    )
    expect(body.rejected).toEqual([])
  }
  const user = await api.as('Stat')
  const call = async (query: Partial<WireStatisticFilters>) => {
    const { status, body } = await user.call(stat, {
      query: { locations: '7', statResolutionValue: 1, addGraph: false, ...query } as WireStatisticFilters,
    })
    expect(status).toBe(200)
    return body[0] as WireStatistic
  }
  for (const derived of [false, true]) {
    if (derived) expect(await deriveTraffic(api.db, api.clock.now)).toBeGreaterThan(50)
    for (const { unit, from, to } of RANGES) {
      for (const filters of FILTERS) {
        const check = async (statName: StatName) => {
          const about = `${statName} by ${unit} of ${JSON.stringify(filters)}`
          const lists = Object.fromEntries(Object.entries(filters).map(([key, list]) => [key, list.join()]))
          const { periods, summary, groups } = await call({
            dateTimeStart: from,
            dateTimeEnd: to,
            statResolutionUnit: unit,
            statName,
            ...lists,
          })
          const figure = (start: number, end: number, lane?: number) =>
            figureOf(
              statName,
              sent.filter(
                (vehicle) =>
                  vehicle.at >= start &&
                  vehicle.at < end &&
                  (lane ?? vehicle.laneNumber) === vehicle.laneNumber &&
                  matches(vehicle, filters),
              ),
              hoursOf(start, end, filters),
            )
          const starts = [...periods.map(({ start }) => Date.parse(start)), Date.parse(to)]
          const expected = (lane?: number) =>
            periods.map((_, i) => figure(starts[i] as number, starts[i + 1] as number, lane))
          expect(
            periods.map((period) => period.summary),
            about,
          ).toEqual(expected())
          expect(groups[0]?.series, about).toEqual(expected(1))
          expect(summary, about).toBe(figure(Date.parse(from), Date.parse(to)))
        }
        await Promise.all(statNames.map(check))
      }
    }
  }
})

test('earlier periods are those of the same weekdays and local hours, without the hour that occurs twice', async () => {
  const api = await testApi()
  api.clock.now = new Date('2026-11-16T12:00:00Z')
  const station = await api.station(stationAt(7, 1))
  const sent = vehicles(seededRandom(6), 400).map((vehicle) => ({ ...vehicle, laneNumber: 1 }))
  await send(
    station,
    sent.map(({ at: _, ...measurement }) => measurement),
  )
  const user = await api.as('Stat')
  const hourly = { locations: '7', statResolutionUnit: 'hour', statResolutionValue: 1, addGraph: false } as const
  const count = (from: number, to: number) => sent.filter(({ at }) => at >= from && at < to).length
  // The day of the change, by hour, beside the Sunday before.
  const day = { dateTimeStart: '2026-10-24T22:00:00.000Z', dateTimeEnd: '2026-10-25T23:00:00.000Z' }
  const { body } = await user.call(stat, { query: { ...hourly, ...day, compare: 'before' } })
  const week = 7 * 24 * HOUR
  // Hour 02 comes twice; its second one was not there a week before. From then on the clock is an hour later.
  const shifts = Array.from({ length: 25 }, (_, hour) => (hour < 3 ? week : hour === 3 ? null : week + HOUR))
  expect(body[0]?.periods.map(({ earlier }) => earlier)).toEqual(
    body[0]?.periods.map(({ start }, hour) => {
      const at = Date.parse(start) - (shifts[hour] ?? 0)
      return shifts[hour] === null ? null : count(at, at + HOUR)
    }),
  )
  const before = { start: Date.parse('2026-10-17T22:00:00.000Z'), end: Date.parse('2026-10-18T22:00:00.000Z') }
  expect(body[0]?.earlier).toEqual({
    start: new Date(before.start).toISOString(),
    end: new Date(before.end).toISOString(),
    summary: count(before.start, before.end),
  })
  expect(count(before.start, before.end)).toBeGreaterThan(0)

  // Eleven days are compared with those two weeks earlier, months with as many months before.
  const days = { dateTimeStart: '2026-10-31T23:00:00.000Z', dateTimeEnd: '2026-11-11T23:00:00.000Z' }
  const byDay = await user.call(stat, { query: { ...hourly, ...days, statResolutionUnit: 'day', compare: 'before' } })
  expect(byDay.body[0]?.earlier).toMatchObject({
    start: '2026-10-17T22:00:00.000Z',
    end: '2026-10-28T23:00:00.000Z',
    summary: count(Date.parse('2026-10-17T22:00:00.000Z'), Date.parse('2026-10-28T23:00:00.000Z')),
  })
  const months = { dateTimeStart: '2026-09-30T22:00:00.000Z', dateTimeEnd: '2026-11-10T23:00:00.000Z' }
  const byMonth = async (compare: 'before' | 'year') =>
    (await user.call(stat, { query: { ...hourly, ...months, statResolutionUnit: 'month', compare } })).body[0]?.earlier
  expect(await byMonth('before')).toMatchObject({ start: '2026-07-31T22:00:00.000Z', end: '2026-09-10T22:00:00.000Z' })
  expect(await byMonth('year')).toMatchObject({ start: '2025-09-30T22:00:00.000Z', end: '2025-11-10T23:00:00.000Z' })
  const without = await user.call(stat, { query: { ...hourly, ...day } })
  expect(without.body[0]).not.toHaveProperty('earlier')
})

test('a range that is not over is compared with the same part of the earlier one, without deleted parts of an hour', async () => {
  const api = await testApi()
  api.clock.now = new Date('2026-11-15T11:20:00Z')
  const station = await api.station(stationAt(7, 1))
  const sent = vehicles(seededRandom(8), 400).map((vehicle) => ({ ...vehicle, laneNumber: 1 }))
  const past = sent.filter(({ at }) => at < api.clock.now.getTime())
  await send(
    station,
    past.map(({ at: _, ...measurement }) => measurement),
  )
  const user = await api.as('Stat')
  const query = {
    dateTimeStart: '2026-10-31T23:00:00.000Z',
    dateTimeEnd: '2026-11-30T23:00:00.000Z',
    locations: '7',
    statResolutionUnit: 'month',
    statResolutionValue: 1,
    addGraph: false,
    compare: 'before',
  } as const
  const earlier = async () => (await user.call(stat, { query })).body[0]?.earlier
  const until = (end: string) => ({
    start: '2026-09-30T22:00:00.000Z',
    end,
    summary: past.filter(({ at }) => at >= Date.parse('2026-09-30T22:00:00Z') && at < Date.parse(end)).length,
  })
  expect(await earlier()).toEqual(until('2026-10-15T10:20:00.000Z'))
  await send(station, [{ ...randomVehicle(seededRandom(9), 9_001, new Date('2026-10-15T10:10:00Z'), 1) }])
  await api.db.execute(sql`delete from vehicle where created_at < '2026-10-16T00:00:00Z'`)
  expect(await earlier()).toEqual(until('2026-10-15T10:00:00.000Z'))
})

test('refuses filters by country and COST class for a time whose vehicles are deleted, and keeps those by hour', async () => {
  const api = await testApi()
  api.clock.now = new Date('2026-11-16T12:00:00Z')
  const station = await api.station(stationAt(7, 1))
  const sent = vehicles(seededRandom(7), 200)
  await send(
    station,
    sent.map(({ at: _, ...measurement }) => ({ ...measurement, laneNumber: 1 })),
  )
  const user = await api.as('Stat')
  const query = (differing: Partial<WireStatisticFilters>): WireStatisticFilters => ({
    dateTimeStart: new Date(FROM).toISOString(),
    dateTimeEnd: new Date(TO).toISOString(),
    locations: '7',
    statResolutionUnit: 'month',
    statResolutionValue: 1,
    addGraph: false,
    ...differing,
  })
  const noon = async () => (await user.call(stat, { query: query({ hours: '12' }) })).body[0]?.summary
  const before = await noon()
  expect(before).toBe(sent.filter((vehicle) => matches(vehicle, { hours: [12] })).length)
  const poles = await user.call(stat, { query: query({ nationalities: 'PL' }) })
  expect(poles.body[0]?.summary).toBe(sent.filter(({ nationality }) => nationality === 'PL').length)

  // Hours of the day are read hour by hour, weekdays by days.
  const long = { dateTimeStart: '1980-01-01T00:00:00.000Z' }
  const tooLong = await user.call(stat, { query: query({ ...long, hours: '12' }) })
  expect([tooLong.status, tooLong.errors]).toMatchObject([
    422,
    [{ path: 'dateTimeStart', code: 'too-many-hours-to-count' }],
  ])
  expect((await user.call(stat, { query: query({ ...long, weekdays: '1' }) })).status).toBe(200)

  const kept = '2026-10-20T00:00:00.000Z'
  await api.db.execute(sql`delete from vehicle where created_at < ${kept}::timestamptz`)
  expect(await noon()).toBe(before)
  for (const filters of [{ nationalities: 'PL' }, { ctg323: '5' }]) {
    const refused = await user.call(stat, { query: query(filters) })
    expect([refused.status, refused.errors]).toMatchObject([422, [{ path: 'dateTimeStart', code: 'vehicles-deleted' }]])
  }
  const later = await user.call(stat, {
    query: query({ nationalities: 'PL', dateTimeStart: '2026-10-31T23:00:00.000Z' }),
  })
  expect(later.status).toBe(200)
})

test('shows the speed limit with speeds only', async () => {
  const api = await testApi()
  await api.station(stationAt(7, 1))
  const user = await api.as('Stat')
  const limitOf = async (statName: StatName) => {
    const { body } = await user.call(stat, {
      query: {
        dateTimeStart: new Date(FROM).toISOString(),
        dateTimeEnd: new Date(TO).toISOString(),
        locations: '7',
        statResolutionUnit: 'day',
        statResolutionValue: 1,
        addGraph: false,
        statName,
      },
    })
    return body[0]?.speedLimit
  }
  expect([await limitOf('avgSpeed'), await limitOf('traffic')]).toEqual([100, undefined])
})
