import type { StationSummary } from '@rogatka/contract/statistics-distributions.ts'
import * as endpoints from '@rogatka/contract/statistics-distributions.ts'
import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import { raw, sql } from '../core/statement.ts'
import { runImport, tryFile } from '../imports/testing.ts'
import { car, send } from '../ingest/testing.ts'
import { type TestApi, testApi } from '../testing/test-api.ts'
import { deriveDistributionDays, deriveTraffic } from './derive.ts'
import { verifyDistributions } from './distribution-verify.ts'
import { randomLorry, stationAt } from './testing.ts'

const NOW = new Date('2026-12-03T12:00:00Z')
const RANGE = { from: '2026-09-01', until: '2026-12-03' }

/** Derives the roll-ups and the distributions, as the jobs do. */
async function derive(api: TestApi) {
  await deriveTraffic(api.db, NOW)
  await deriveDistributionDays(api.db)
}

async function opened() {
  const api = await testApi()
  api.clock.now = NOW
  const stations = await Promise.all([5, 6].map((id) => api.station(stationAt(id, 2))))
  return { api, stations, user: await api.as('Stat') }
}

/** Vehicles of both stations: around both clock changes and the end of a month, close and far apart, one after another. */
async function fill({ api, stations }: Awaited<ReturnType<typeof opened>>, random: Random) {
  let sequence = 0
  const starts = ['2026-10-24T21:30:00Z', '2026-10-31T22:40:00Z', '2026-11-10T04:00:00Z', '2026-12-03T08:00:00Z']
  for (const start of starts)
    for (const station of stations) {
      let at = Date.parse(start)
      const vehicles = Array.from({ length: 150 }, () => {
        at += Math.round(random.next() ** 6 * 700_000)
        return randomLorry(random, ++sequence, new Date(at))
      })
      await send(station, vehicles)
      await send(station, vehicles.slice(0, 10))
    }
  return api
}

/** All vehicles with their axle and group loads, by SQL alone. */
const stored = (api: TestApi, location: number) =>
  api.db.query<{
    speed: number | null
    ctg8p1: number
    cost: number
    load: number | null
    over: boolean
    axles: number[]
    at: Date
    lane: number
  }>(
    raw(`select v.speed, v.ctg8p1, coalesce(v.ctg323, 0) as cost, v.total_load as load, v.created_at as at, v.lane_number as lane,
      greatest(overload_sa, overload_ma, overload_tl) > 0 as over,
      array(select d.axles[i + 1] + d.axles[i + 2] from generate_series(1, coalesce(array_length(d.axles, 1), 0), 6) i) as axles
      from vehicle v left join vehicle_detail d using (location_id, created_at, id)
      where v.location_id = ${location} order by v.created_at, v.id`),
  )

test('figures equal a count of single vehicles, also of dirty days and of today', async () => {
  const opening = await opened()
  const { api, user } = opening
  await fill(opening, seededRandom(7))
  const query = { ...RANGE, locations: '5,6' }
  const read = async () => ({
    summary: (await user.call(endpoints.summary, { query })).body,
    speed: (await user.call(endpoints.speed, { query })).body,
    headway: (await user.call(endpoints.headway, { query })).body,
    loads: (await user.call(endpoints.loads, { query })).body,
    equivalents: (await user.call(endpoints.equivalentAxles, { query })).body,
    profile: (await user.call(endpoints.profile, { query })).body,
  })
  const dirty = await read()
  await derive(api)
  const { days, differences } = await verifyDistributions(api.db)
  expect({ days: days > 6, differences }).toEqual({ days: true, differences: [] })
  const clean = await read()
  expect(clean).toEqual(dirty)

  for (const [index, location] of [5, 6].entries()) {
    const vehicles = await stored(api, location)
    const speeds = vehicles.flatMap(({ speed }) => speed ?? []).sort((a, b) => a - b)
    const summary = clean.summary[index]
    expect(summary?.vehicles).toBe(vehicles.length)
    expect(summary?.v85).toBe(speeds[Math.ceil(speeds.length * 0.85) - 1])
    expect(clean.speed[index]?.counts.reduce((a, b) => a + b)).toBe(speeds.length)
    // Heavy vehicles may drive 80 km/h, others 100; the COST 323 class tells those without a category.
    const isAbove = ({ speed, ctg8p1, cost }: (typeof vehicles)[number]) =>
      (speed ?? 0) > ([3, 8, 9, 5].includes(ctg8p1) || (ctg8p1 === 0 && [2, 3, 4, 5, 6, 7].includes(cost)) ? 80 : 100)
    expect(clean.speed[index]?.aboveLimit).toBe(vehicles.filter(isAbove).length)

    const heavy = vehicles.filter(({ ctg8p1 }) => [3, 8, 9, 5].includes(ctg8p1))
    const weighed = heavy.filter(({ load }) => load !== null)
    expect(summary?.heavyVehicles).toBe(heavy.length)
    expect(summary?.overloadedShare).toBeCloseTo(weighed.filter(({ over }) => over).length / weighed.length, 4)

    const loads = clean.loads[index]
    const withLoad = vehicles.filter(({ load }) => load !== null)
    expect(loads?.weighed).toBe(withLoad.length)
    expect(loads?.gross.counts).toEqual(
      histogram(withLoad.map(({ load }) => Math.min(59, Math.floor((load ?? 0) / 1000)))),
    )
    expect(loads?.axles).toBe(withLoad.reduce((sum, { axles }) => sum + axles.length, 0))
    const power4 = withLoad.reduce(
      (sum, { axles }) => sum + axles.reduce((all, kg) => all + (kg * 9.80665e-5) ** 4, 0),
      0,
    )
    expect((clean.equivalents[index]?.n100 ?? 0) / power4).toBeCloseTo(1, 6)
    expect((clean.equivalents[index]?.n115 ?? 0) / power4).toBeCloseTo(1 / 1.15 ** 4, 6)

    const gaps = [1, 2].flatMap((lane) => {
      const times = vehicles.filter((vehicle) => vehicle.lane === lane).map(({ at }) => at.getTime())
      return times
        .slice(1)
        .map((at, i) => at - (times[i] ?? 0))
        .filter((gap) => gap <= 600_000)
    })
    expect(clean.headway[index]?.counts.reduce((a, b) => a + b)).toBe(gaps.length)
    expect(clean.headway[index]?.mean).toBeCloseTo(gaps.reduce((a, b) => a + b) / gaps.length / 1000, 1)
    expect(clean.headway[index]?.shareBelow2).toBeCloseTo(gaps.filter((gap) => gap < 2000).length / gaps.length, 4)

    const hours = vehicles.map(({ at }) =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone: 'Europe/Warsaw',
        weekday: 'short',
        hour: '2-digit',
        hourCycle: 'h23',
      }).format(at),
    )
    const sunday = clean.profile[index]?.weekdays[6]
    expect(sunday?.[2]).toBe(hours.filter((text) => text.startsWith('Sun') && text.endsWith('02')).length)
  }
})

/** Counts by bin. */
const histogram = (bins: readonly number[]) =>
  Array.from({ length: Math.max(...bins) + 1 }, (_, bin) => bins.filter((one) => one === bin).length)

test('a late vehicle changes the headway of the first vehicle of the next day', async () => {
  const { api, stations, user } = await opened()
  const [station] = stations as [(typeof stations)[0]]
  const headways = async () =>
    (await user.call(endpoints.headway, { query: { ...RANGE, locations: '5' } })).body[0]?.counts.reduce(
      (a, b) => a + b,
      0,
    )
  await send(station, [car(1, { createdAt: '2026-10-31T23:00:01Z' })])
  await derive(api)
  expect(await headways()).toBe(0)
  await send(station, [car(2, { createdAt: '2026-10-31T22:59:59Z' })])
  expect(await headways()).toBe(0)
  await derive(api)
  expect(await headways()).toBe(1)
  expect((await verifyDistributions(api.db)).differences).toEqual([])
})

test('vehicles of W records, whose time is only an hour, have no headways and change none', async () => {
  const { api } = await opened()
  const station = await api.station({ ...stationAt(12, 2), name: 'Raczki' })
  const user = await api.as('Exchange', 'Stat')
  const w = 'W0000001211202611101009   0867080515366012323766018415829004315873004315873'
  const tried = await tryFile(api, user, [w, w, w].join('\n'))
  expect(await runImport(api, user, tried.id)).toMatchObject({ written: 3 })
  const headways = async () => {
    const query = { from: '2026-11-10', until: '2026-11-10', locations: '12' }
    const [body] = (await user.call(endpoints.headway, { query })).body
    const [ofStation] = (await user.call(endpoints.summary, { query })).body
    return [body?.counts.indexOf(1), body?.counts.reduce((a, b) => a + b, 0), body?.mean, ofStation?.meanHeadway]
  }
  expect(await headways()).toEqual([-1, 0, null, null])
  // In the lane and hour of the records, 4 s apart: the bin from 4 s on.
  const at = (second: number) => `2026-11-10T09:00:0${second}Z`
  await send(station, [car(1, { createdAt: at(1), laneNumber: 1 }), car(2, { createdAt: at(5), laneNumber: 1 })])
  expect(await headways()).toEqual([8, 1, 4, 4])
  await derive(api)
  expect(await headways()).toEqual([8, 1, 4, 4])
  const [stored] = await api.db.query(sql`select sum(headway_sum)::int as ms from headway_day`)
  expect(stored).toEqual({ ms: 4_000 })
  expect((await verifyDistributions(api.db)).differences).toEqual([])
})

test('distributions are kept when vehicles are deleted, and verify finds manual changes', async () => {
  const opening = await opened()
  const { api, user } = opening
  await fill(opening, seededRandom(8))
  await derive(api)
  const query = { ...RANGE, until: '2026-11-30', locations: '5,6' }
  const before = (await user.call(endpoints.loads, { query })).body
  await api.db.execute(sql`delete from vehicle where created_at < '2026-11-01'`)
  await api.db.execute(sql`insert into traffic_mark (location_id, day) values (5, '2026-10-25')`)
  await derive(api)
  expect((await user.call(endpoints.loads, { query })).body).toEqual(before)
  expect((await verifyDistributions(api.db)).differences).toEqual([])

  // After an upgrade all days are marked: what is stored of deleted vehicles is read until then, and stays.
  const figures = async () => {
    const { body } = await user.call(endpoints.summary, { query })
    const shares = (await user.call(endpoints.equivalentAxles, { query: { ...query, laneNumbers: '1' } })).body
    return { body, shares, speeds: (await user.call(endpoints.speed, { query })).body }
  }
  const all = await figures()
  expect(all.body[0]?.vehicles).toBeGreaterThan(150)
  await api.db.execute(sql`
    insert into distribution_mark (location_id, day) select distinct location_id, day from traffic_day`)
  expect(await figures()).toEqual(all)
  await derive(api)
  expect(await figures()).toEqual(all)

  // Days of vehicles that were deleted before there were distributions have hours alone.
  const october = { ...query, until: '2026-10-31' }
  const { vehicles, days } = (await user.call(endpoints.summary, { query: october })).body[0] ?? {}
  for (const name of ['profile', 'hour', 'speed', 'speed_total', 'load', 'axle', 'axle_total', 'headway'])
    await api.db.execute(raw(`delete from ${name}_day where day < '2026-11-01'`))
  await api.db.execute(sql`
    insert into distribution_mark (location_id, day) select distinct location_id, day from traffic_day`)
  for (const isDerived of [false, true]) {
    if (isDerived) await derive(api)
    const [summary] = (await user.call(endpoints.summary, { query: october })).body
    expect(summary).toMatchObject({ vehicles, days, v85: null, overloadedShare: null, n100PerDay: null })
  }
  expect((await verifyDistributions(api.db)).differences).toEqual([])

  await api.db.execute(sql`update load_day set load4_sum = load4_sum + 1 where day = '2026-11-10'`)
  await api.db.execute(sql`update speed_month set first = first + 1 where month = '2026-11-01'`)
  const { differences } = await verifyDistributions(api.db)
  expect([...new Set(differences.map(({ table }) => table))].sort()).toEqual(['load_day', 'load_month', 'speed_month'])
})

test('shares of overloaded vehicles are of those that were judged', async () => {
  const { api, user } = await opened()
  const lanes = [
    { laneNumber: 1, accuracyClass: 'B+(7)' },
    { laneNumber: 2, accuracyClass: null },
  ]
  const station = await api.station({ ...stationAt(7, 2), lanes })
  // Of 100 lorries two in each lane have axles of 20 t; nobody judges those of the second lane.
  const axles = (kg: number) => [0, 400].map((gap) => ({ leftWeight: kg / 2, rightWeight: kg / 2, gap }))
  const lorry = (number: number, laneNumber: number) =>
    car(100 * laneNumber + number, {
      createdAt: `2026-11-10T10:${String(number).padStart(2, '0')}:0${laneNumber}Z`,
      ctg8p1: 3,
      laneNumber,
      axles: axles(number < 2 ? 20_000 : 5_000),
    })
  await send(
    station,
    [1, 2].flatMap((lane) => Array.from({ length: 50 }, (_, number) => lorry(number, lane))),
  )
  const query = { ...RANGE, locations: '7' }
  const share = (4 * 20 ** 4) / (4 * 20 ** 4 + 96 * 5 ** 4)
  const read = async (lanes = {}) => {
    const filtered = { query: { ...query, ...lanes } }
    const [summary] = (await user.call(endpoints.summary, { query })).body
    const [loads] = (await user.call(endpoints.loads, filtered)).body
    const [equivalents] = (await user.call(endpoints.equivalentAxles, filtered)).body
    return { summary, loads, equivalents }
  }
  for (const isDerived of [false, true]) {
    if (isDerived) await derive(api)
    const { summary, loads, equivalents } = await read()
    expect(summary?.overloadedShare).toBe(0.04)
    expect(summary?.categories).toEqual([{ category: '3', vehicles: 100, weighed: 100, judged: 50, overloaded: 2 }])
    expect(loads).toMatchObject({ weighed: 100, judged: 50, overloaded: 2 })
    expect(equivalents?.overloadedShare).toBeCloseTo(share, 4)
    const second = await read({ laneNumbers: '2' })
    expect(second.loads).toMatchObject({ weighed: 50, judged: 0, overloaded: 0 })
    expect(second.equivalents).toMatchObject({ overloadedShare: null, avoidableShare: null, months: [{ weighed: 50 }] })
  }

  // Rows from before vehicles were counted as judged are of unknown ones.
  await api.db.execute(sql`update load_day set judged = null, judged_load4_sum = null`)
  await api.db.execute(sql`update load_month set judged = null, judged_load4_sum = null`)
  expect((await verifyDistributions(api.db)).differences.map(({ table }) => table)).toEqual([
    'load_day',
    'load_day',
    'load_day',
    'load_day',
    'load_day',
    'load_day',
  ])
  const unknown = await read()
  expect(unknown.summary?.overloadedShare).toBeNull()
  expect(unknown.equivalents).toMatchObject({ overloadedShare: null, avoidableShare: null })
})

test('axles per day are of complete days on which the lanes weighed; today counts neither as a day', async () => {
  const { api, stations, user } = await opened()
  const [station] = stations as [(typeof stations)[0]]
  const axlesWith = (gap: number) => [0, gap].map((gap) => ({ leftWeight: 5_000, rightWeight: 5_000, gap }))
  let sequence = 0
  const lorries = (day: string, count: number, laneNumber: number, weighed = true, gap = 400) =>
    Array.from({ length: count }, (_, number) =>
      car(++sequence, {
        createdAt: `${day}T09:${10 + number}:00Z`,
        ctg8p1: 3,
        laneNumber,
        axles: weighed ? axlesWith(gap) : null,
      }),
    )
  /** A car in each hour from 05 to 23, which is not weighed. */
  const cover = (day: string) =>
    Array.from({ length: 18 }, (_, hour) =>
      car(++sequence, { createdAt: `${day}T${String(hour + 4).padStart(2, '0')}:05:00Z`, laneNumber: 1, axles: null }),
    )
  // Lane 2 is open on one of three complete days, on another one its scale fails; another day is incomplete, and today.
  await send(station, [
    // On the day before, both axles are one group, so that none is a first axle alone.
    ...[...cover('2026-11-28'), ...lorries('2026-11-28', 4, 1, true, 100)],
    ...[...cover('2026-11-29'), ...lorries('2026-11-29', 12, 1), ...lorries('2026-11-29', 8, 2)],
    ...[...cover('2026-11-30'), ...lorries('2026-11-30', 6, 1), ...lorries('2026-11-30', 9, 2, false)],
    ...[...cover('2026-12-01'), ...lorries('2026-12-01', 7, 1, false)],
    ...[...lorries('2026-12-02', 3, 1), ...lorries('2026-12-02', 2, 2)],
    ...lorries('2026-12-03', 5, 1),
  ])
  const query = { from: '2026-11-29', until: '2026-12-03', locations: '5' }
  // Two axles of 10 t each.
  const perLorry = 2 * 0.980665 ** 4
  const daily = async (filter = {}) => {
    const [body] = (await user.call(endpoints.equivalentAxles, { query: { ...query, ...filter } })).body
    return [body?.days, body?.n100PerDay == null ? null : body.n100PerDay / perLorry]
  }
  for (const isDerived of [false, true]) {
    if (isDerived) await derive(api)
    const [summary] = (await user.call(endpoints.summary, { query })).body
    expect(summary).toMatchObject({ days: 4, unfinishedDays: 1, completeDays: 3, vehicles: 54 + 52 })
    // (12 + 8 + 6) / 2
    expect((summary?.n100PerDay ?? 0) / perLorry).toBeCloseTo(13, 5)
    expect(await daily()).toEqual([2, expect.closeTo(13, 5)])
    expect(await daily({ laneNumbers: '2' })).toEqual([1, expect.closeTo(8, 5)])
    // A day without this category is one of none of it.
    expect(await daily({ laneNumbers: '2', ctg8p1: '9' })).toEqual([1, 0])
    // Filters that are counted one by one: 29 November is a Sunday, and its lorries pass after 10.
    expect(await daily({ hours: '10' })).toEqual([2, expect.closeTo(13, 5)])
    expect(await daily({ weekdays: '6', hours: '11' })).toEqual([1, 0])
    expect(await daily({ from: '2026-12-01' })).toEqual([0, null])
    expect(await daily({ from: '2026-11-28', until: '2026-11-28' })).toEqual([1, expect.closeTo(4, 5)])
    // Of four days, three that count, and of a lane one that does.
    expect(await daily({ from: '2026-11-28', until: '2026-12-01' })).toEqual([3, expect.closeTo(10, 5)])
    expect(await daily({ from: '2026-11-28', until: '2026-12-01', laneNumbers: '2' })).toEqual([
      1,
      expect.closeTo(8, 5),
    ])
  }
  const onlyToday = { query: { ...query, from: '2026-12-03' } }
  const [summary] = (await user.call(endpoints.summary, onlyToday)).body
  expect(summary).toMatchObject({ days: 0, unfinishedDays: 1, vehicles: 5, n100PerDay: null })
})

test('hourly means of a lane are over the days on which it was open', async () => {
  const { api, stations, user } = await opened()
  const [station] = stations as [(typeof stations)[0]]
  // Lane 1 has a vehicle an hour on four days, from 1 November on; lane 2 two on the third of them, one between 9 and 10.
  const hours = Array.from({ length: 4 * 24 }, (_, hour) => hour)
  const at = (hour: number, minute: number) =>
    new Date(Date.parse('2026-10-31T23:00:00Z') + hour * 3_600_000 + minute * 60_000).toISOString()
  const vehicles = hours.flatMap((hour) => {
    const isOpen = Math.floor(hour / 24) === 2
    const ofLane2 = isOpen ? (hour % 24 === 9 ? [1] : [1, 2]) : []
    return [
      car(3 * hour + 1, { createdAt: at(hour, 0), laneNumber: 1 }),
      ...ofLane2.map((minute) => car(3 * hour + 1 + minute, { createdAt: at(hour, minute), laneNumber: 2 })),
    ]
  })
  await send(station, vehicles)
  const query = { from: '2026-11-01', until: '2026-11-04', locations: '5', laneNumbers: '2' }
  const expected = Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 1 : 2))
  for (const isDerived of [false, true]) {
    if (isDerived) await derive(api)
    const [summary] = (await user.call(endpoints.summary, { query })).body
    expect(summary).toMatchObject({ completeDays: 1, adt: 47 })
    const [profile] = (await user.call(endpoints.profile, { query })).body
    expect(profile?.dailyMeans).toEqual(expected)
    // 3 November is a Tuesday; on the other days the lane was closed.
    expect(profile?.weekdayMeans).toEqual(
      Array.from({ length: 7 }, (_, weekday) => (weekday === 1 ? expected : Array(24).fill(null))),
    )
  }
})

test('filters by lane, category and daypart; averages need complete days', async () => {
  const { api, stations, user } = await opened()
  const [station] = stations as [(typeof stations)[0]]
  // A car in each hour of a Monday, by day in lane 1, else in lane 2; a lorry in the evening.
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  const at = (hour: number) => `2026-11-0${hour === 0 ? 1 : 2}T${String((hour + 23) % 24).padStart(2, '0')}:10:00Z`
  await send(station, [
    ...hours.map((hour) =>
      car(hour + 1, { createdAt: at(hour), laneNumber: hour >= 6 && hour < 18 ? 1 : 2, speed: 50 + hour }),
    ),
    car(100, { createdAt: '2026-11-02T18:30:00Z', ctg8p1: 3, laneNumber: 2, speed: 80 }),
  ])
  await send(station, [car(200, { createdAt: '2026-11-03T12:00:00Z' })])
  await derive(api)
  const query = { ...RANGE, locations: '5' }
  const total = async (filters: object) =>
    (await user.call(endpoints.speed, { query: { ...query, until: '2026-11-02', ...filters } })).body[0]?.counts.reduce(
      (a, b) => a + b,
      0,
    )
  expect(await total({})).toBe(25)
  expect(await total({ laneNumbers: '1' })).toBe(12)
  expect(await total({ ctg8p1: '3' })).toBe(1)
  expect(await total({ dayparts: 'evening' })).toBe(5)
  expect(await total({ dayparts: 'night,day' })).toBe(20)
  const { body } = await user.call(endpoints.summary, { query })
  expect(body[0]).toMatchObject({
    days: 2,
    completeDays: 1,
    adt: 25,
    adtHeavy: 1,
    adtOfDayparts: { day: 12, evening: 5, night: 8 },
    adtTuesdayToThursday: null,
    // November has one complete day.
    aadt: null,
    months: 0,
    weekdayFactors: [{ weekday: 0, mean: 25, factor: null }],
    vehicles: 26,
  })
})

test('refuses ranges of which too many days are not derived yet', async () => {
  const { api, user } = await opened()
  const query = { from: '2024-01-01', until: '2026-12-03', locations: '5' }
  const mark = (days: number) =>
    api.db.execute(sql`
      insert into traffic_mark (location_id, day) select 5, '2024-01-01'::date + i from generate_series(1, ${days}::int) i`)
  await mark(500)
  expect((await user.call(endpoints.summary, { query })).status).toBe(200)
  await mark(501)
  const { status, errors, headers } = await user.call(endpoints.speed, { query })
  expect([status, errors[0]?.code, headers['retry-after']]).toEqual([503, 'figures-not-derived', '60'])
})

test('refuses ranges with too many vehicles that are not derived: of earlier days until they are, of today always', async () => {
  const { api, stations, user } = await opened()
  const count = (hour: string, vehicles: number) =>
    api.db.execute(sql`
      insert into traffic_hour (location_id, hour, lane_number, ctg8p1, violations, speed_range, overspeed_range, vehicles,
        speeds, speed_sum, slowness_sum, loads, load_sum)
      values (5, ${hour}::timestamptz, 1, 7, 0, 1, 0, ${vehicles}, 0, 0, 0, 0, 0)
      on conflict (location_id, hour, lane_number, ctg8p1, violations, speed_range, overspeed_range)
      do update set vehicles = excluded.vehicles`)
  const refusal = async (query: typeof RANGE) => {
    const { status, errors, headers } = await user.call(endpoints.summary, { query: { ...query, locations: '5' } })
    return [status, errors[0]?.path, errors[0]?.code, headers['retry-after']]
  }
  // Vehicles are stored from the beginning of the range on.
  await send(stations[0] as (typeof stations)[0], [car(1, { createdAt: '2026-09-01T12:00:00Z' })])
  await derive(api)
  await api.db.execute(sql`insert into traffic_mark (location_id, day) values (5, '2026-12-02'), (5, '2026-12-03')`)
  await count('2026-12-02T23:00:00Z', 250_001)
  expect(await refusal(RANGE)).toEqual([422, 'until', 'too-many-vehicles-today', undefined])
  expect((await refusal({ ...RANGE, until: '2026-12-02' }))[0]).toBe(200)
  await count('2026-12-02T22:00:00Z', 250_001)
  const notDerived = [503, null, 'figures-not-derived', '60']
  expect(await refusal(RANGE)).toEqual(notDerived)
  expect(await refusal({ ...RANGE, until: '2026-12-02' })).toEqual(notDerived)
  await count('2026-12-02T22:00:00Z', 1)
  await count('2026-12-02T23:00:00Z', 249_999)
  expect((await refusal(RANGE))[0]).toBe(200)
})

test('refuses filters that count single vehicles where some are deleted or too many, but hours of the profile', async () => {
  const { api, stations, user } = await opened()
  const at = (day: string) => car(Number(day), { createdAt: `2026-11-${day}T08:30:00Z` })
  await send(stations[0] as (typeof stations)[0], ['02', '03', '20'].map(at))
  await derive(api)
  const ask = async (endpoint: { path: string }, filters: object) => {
    const query = { from: '2026-11-01', until: '2026-11-30', locations: '5', ...filters }
    const { status, errors } = await user.call(endpoint as typeof endpoints.profile, { query })
    return [status, errors?.[0]?.path, errors?.[0]?.code].filter((one) => one !== undefined).join(' ')
  }
  const isCounted = [{ hours: '9' }, { ctg323: '5' }, { nationalities: 'PL' }]
  for (const filters of isCounted) expect(await ask(endpoints.summary, filters)).toBe('200')
  await api.db.execute(sql`
    update traffic_hour set vehicles = 500001 where location_id = 5 and hour = '2026-11-20T08:00:00Z'`)
  await api.db.execute(sql`insert into traffic_mark (location_id, day) values (5, '2026-11-20')`)
  await derive(api)
  for (const filters of isCounted.slice(1))
    expect(await ask(endpoints.summary, filters)).toBe('422 from too-many-vehicles-to-count')
  expect(await ask(endpoints.speed, { hours: '9' })).toBe('422 from too-many-vehicles-to-count')
  expect(await ask(endpoints.profile, { nationalities: 'PL' })).toBe('422 from too-many-vehicles-to-count')
  // Of other hours, weekdays and lanes there are few.
  for (const some of [{ hours: '10' }, { nationalities: 'PL', weekdays: '0' }, { ctg323: '5', laneNumbers: '2' }])
    expect(await ask(endpoints.summary, some)).toBe('200')
  expect(await ask(endpoints.profile, { hours: '9' })).toBe('200')

  await api.db.execute(sql`delete from vehicle where created_at < '2026-11-03T00:00:00Z'`)
  for (const filters of isCounted.slice(1))
    expect(await ask(endpoints.summary, filters)).toBe('422 from vehicles-deleted')
  expect(await ask(endpoints.speed, { hours: '9' })).toBe('422 from vehicles-deleted')
  expect(await ask(endpoints.summary, { weekdays: '0' })).toBe('200')
  expect(await ask(endpoints.profile, { hours: '9', weekdays: '0' })).toBe('200')
  expect(await ask(endpoints.summary, { hours: '10', from: '2026-11-03' })).toBe('200')
})

test('averages of some hours are known where speeds and loads are not: of deleted vehicles, and of too many', async () => {
  const { api, stations, user } = await opened()
  await fill({ api, stations, user }, seededRandom(4))
  await derive(api)
  const summaries = async (filters: object = {}) => {
    const query = { ...RANGE, locations: '5', hours: '23,0,6,9', ...filters }
    return (await user.call(endpoints.summary, { query })).body[0] as StationSummary
  }
  const counted = await summaries()
  expect(counted).toMatchObject({ notCounted: null, v85: expect.any(Number) })
  expect(counted.categories.length).toBeGreaterThan(0)
  const unknown = {
    categories: [],
    overloadedShare: null,
    meanSpeed: null,
    v85: null,
    meanHeadway: null,
    equivalents: null,
    n100PerDay: null,
  }
  await api.db.execute(sql`delete from vehicle where created_at < '2026-10-26T00:00:00Z'`)
  expect(await summaries()).toEqual({ ...counted, ...unknown, notCounted: 'vehicles-deleted' })
  // 501 days of which most have no vehicle.
  const long = await summaries({ from: '2025-07-20' })
  expect(long).toMatchObject({ ...unknown, vehicles: counted.vehicles, adt: counted.adt })
})

test('refuses unknown stations, and ranges that are reversed or too long', async () => {
  const { user } = await opened()
  const refusal = async (query: object) =>
    (await user.call(endpoints.summary, { query: { ...RANGE, locations: '5', ...query } })).errors.map(
      ({ code }) => code,
    )
  expect(await refusal({ locations: '5,77' })).toEqual(['location-not-found'])
  expect(await refusal({ until: '2026-08-31' })).toEqual(['start-after-end'])
  expect(await refusal({ from: '1990-01-01' })).toEqual(['too-many-periods'])
})
