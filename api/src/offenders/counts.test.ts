import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import * as endpoints from '@rogatka/contract/offenders.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { eventually, type TestApi } from '../testing/test-api.ts'
import { reviewOffenders } from './derive.ts'
import { plantOffenders } from './testing.ts'
import { idOf, NOTHING_WRONG, nextSequence, passage, passages, scene } from './testing-scene.ts'
import { verifyOffenders } from './verify.ts'

type Truth = { read: string; plate: string }

type OffenderCounts = { plate: string; passages: number; overloads: number; worst: number; lastSeen: Date }

/** Figures by plate, counted from the vehicles by the plates that they really have, with most overloads first. */
async function recount(
  api: TestApi,
  truth: readonly Truth[],
  { from = '2000-01-01', until = '2100-01-01', stations = [7, 8] },
  minOverloads = 3,
) {
  const rows = await api.db.query<OffenderCounts>(sql`
    select t.plate, count(*)::int as passages,
           (count(*) filter (where v.overload_sa > 0 or v.overload_ma > 0 or v.overload_tl > 0))::int as overloads,
           max(greatest(v.overload_sa, v.overload_ma, v.overload_tl)) / 10.0::float8 as worst, max(v.created_at) as "lastSeen"
    from vehicle v
    join unnest(${truth.map(({ read }) => read)}::text[], ${truth.map(({ plate }) => plate)}::text[]) as t (read, plate)
      on t.read = v.plate_lpr
    where to_char(v.created_at at time zone 'Europe/Warsaw', 'YYYY-MM-DD') between ${from} and ${until}
      and v.location_id = any(${stations.map(String)}::int[])
    group by 1`)
  return rows.filter(({ overloads }) => overloads >= minOverloads).sort(byOverloads)
}

const byOverloads = (a: OffenderCounts, b: OffenderCounts) => b.overloads - a.overloads || (a.plate < b.plate ? -1 : 1)

test('counts of vehicles with misread plates equal a recount by their true plates, also after late arrivals', async () => {
  const { api, stations, listed, store, derive } = await scene()
  const random = seededRandom(14)
  const truth = new Map<string, string>()
  const planted: [WireMeasurement, number][] = []
  for (let one = 0; one < 30; one++) {
    // Of digits that are never misread but one, so that no two vehicles look alike.
    const digit = (place: number) => '3479'[(one >> place) % 4]
    const plate = `WGM${digit(0)}${digit(2)}8${digit(4)}1`
    for (let day = 1; day <= 18; day++) {
      const misread = random.happens(0.1) ? plate.replace('8', 'B') : plate
      truth.set(misread, plate)
      const at = Date.UTC(2026, 9, day, random.below(24), random.below(60))
      planted.push([passage(misread, new Date(at), random.happens(one / 60)), random.below(2)])
    }
  }
  const isLate = planted.map(() => random.happens(0.2))
  const storeAll = async (late: boolean) => {
    for (const at of [0, 1] as const)
      await store(
        stations[at],
        planted.filter(([, station], index) => station === at && isLate[index] === late).map(([sent]) => sent),
      )
  }
  const compare = async (query: object, range: Parameters<typeof recount>[2], minOverloads = 3) => {
    const { content, totalCount, totalOverloads } = await listed({ limit: 100, minOverloads, ...query })
    const found = content.map(({ vehicle, passages, overloads, worst, lastSeen }) => {
      return { plate: vehicle?.plate ?? '', passages, overloads, worst, lastSeen: new Date(lastSeen) }
    })
    const plates = [...truth].map(([read, plate]) => ({ read, plate }))
    const expected = await recount(api, plates, range, minOverloads)
    expect(found.toSorted(byOverloads)).toEqual(expected)
    expect(totalCount).toBe(expected.length)
    expect(totalOverloads).toBe(expected.reduce((sum, { overloads }) => sum + overloads, 0))
    expect(expected.length).toBeGreaterThan(3)
    return found
  }

  await storeAll(false)
  await derive()
  expect(truth.size).toBeGreaterThan(45)
  await compare({}, {})
  await storeAll(true)
  await derive()
  await compare({}, {})
  await compare({ from: '2026-10-05', until: '2026-10-14' }, { from: '2026-10-05', until: '2026-10-14' })
  await compare({ locations: '8' }, { stations: [8] })
  // Ranges that cut days of some vehicles off, have all of others and none of a station, in each order.
  const sorts = {
    overloads: (one: OffenderCounts) => one.overloads,
    share: (one: OffenderCounts) => one.overloads / one.passages,
    lastSeen: (one: OffenderCounts) => one.lastSeen.getTime(),
    worst: (one: OffenderCounts) => one.worst,
  }
  for (const range of [{ until: '2026-10-12' }, { from: '2026-10-04' }, { from: '2026-10-04', until: '2026-10-07' }])
    for (const [orderBy, figure] of Object.entries(sorts))
      for (const [minOverloads, stations] of [
        [1, undefined],
        [1, [8]],
        [2, [7, 8]],
      ] as const) {
        const orderDirection = random.happens(0.5) ? 'asc' : 'desc'
        const found = await compare(
          { ...range, orderBy, orderDirection, ...(stations && { locations: stations.join() }) },
          { ...range, ...(stations && { stations: [...stations] }) },
          minOverloads,
        )
        const sorted = found.map(figure).sort((a, b) => (orderDirection === 'asc' ? a - b : b - a))
        expect(found.map(figure)).toEqual(sorted)
      }
  expect(await verifyOffenders(api.db, api.clock.now)).toEqual(NOTHING_WRONG)

  // Derived from nothing, all is the same.
  const before = await api.db.query(sql`
    select s.form, d.day::text, d.location_id, d.passages, d.overloads, d.worst, d.last_seen
    from offender_day d join spelling s on s.id = d.vehicle_id order by 1, 2, 3`)
  await api.db.execute(sql`truncate spelling, offender_mark cascade`)
  await api.db.execute(sql`update offender_progress set through = 0`)
  await derive()
  expect(
    await api.db.query(sql`
    select s.form, d.day::text, d.location_id, d.passages, d.overloads, d.worst, d.last_seen
    from offender_day d join spelling s on s.id = d.vehicle_id order by 1, 2, 3`),
  ).toEqual(before)
  // While transactions of other databases run, the job counts the latest hours again.
  await eventually(async () => {
    await derive()
    const again = await api.db.query(sql`select from arrival, offender_progress where written_by >= through`)
    expect(again).toEqual([])
  })
  await api.db.execute(sql`update offender_day set passages = passages + 1 where (vehicle_id, day) = (
    select vehicle_id, day from offender_day order by 2 desc, 1 limit 1)`)
  const { differences, wrongSums } = await verifyOffenders(api.db, api.clock.now)
  expect([differences.length, wrongSums]).toEqual([1, 1])
})

test('finds planted repeaters by their misread plates, and no sister lorry', async () => {
  const { stations, user, store, derive } = await scene()
  const start = new Date('2026-08-20T00:00:00Z')
  const planted = plantOffenders({ seed: 20, repeaters: 20, lorries: 40, cars: 200, stations: 2, start, days: 60 })
  for (const [at, station] of stations.entries())
    await store(
      station,
      planted
        .filter((one) => one.station === at)
        .map((one) =>
          passage(one.read, one.at, one.overloaded, {
            nationality: one.readCountry,
            axles: [0, one.firstAxleGap, 562, 131, 131, 131].slice(0, one.axles).map((gap) => {
              const weight = one.overloaded ? 5_600 : 1_000
              return { leftWeight: weight, rightWeight: weight, gap }
            }),
          }),
        ),
    )
  await derive()
  const { body } = await user.call(endpoints.list, { query: { limit: 100, minOverloads: 3 } })
  const truth = new Set(planted.flatMap(({ plate, isPlanted }) => (isPlanted ? [plate] : [])))
  const found = body.content.map(({ vehicle }) => vehicle?.plate ?? '')
  expect(truth.size).toBe(20)
  expect(found.filter((plate) => !truth.has(plate))).toEqual([])
  expect(found.length).toBeGreaterThanOrEqual(19)
})

test('hours are read after their end, interrupted runs are completed, and joins are reviewed', async () => {
  const { api, stations, plates, store, derive } = await scene()
  const [station] = stations
  api.clock.now = new Date('2026-10-20T07:59:59.999Z')
  const vehicles = passages('WGM4K281', 7, 3)
  // Of a plate that is seen twice the misread one is none yet.
  await store(station, [...vehicles.slice(0, 2), passage('WGM4K2811', '2026-10-15T10:00:00Z', true)])
  await store(station, [passage('WGM7A773', '2026-10-20T07:30:00Z', true)])
  await derive()
  expect(await plates({ minOverloads: 1 })).toEqual([
    ['WGM4K281', 2, 2],
    ['WGM4K2811', 1, 1],
  ])
  api.clock.now = new Date('2026-10-20T08:00:00Z')
  await derive()
  await store(station, vehicles.slice(2))
  await derive()
  await reviewOffenders(api.db, api.clock.now)
  expect(await plates({ minOverloads: 1 })).toEqual([
    ['WGM4K281', 8, 4],
    ['WGM7A773', 1, 1],
  ])
  expect(await verifyOffenders(api.db, api.clock.now)).toEqual(NOTHING_WRONG)
})

test('a join reverses its direction if new counts favour the other plate', async () => {
  const { api, stations, plates, store, derive } = await scene()
  const german = { nationality: 'D' }
  // The first to be evaluated is the one that is to be joined in the end.
  await store(stations[0], [
    ...passages('MK8841', 10, 3, german),
    passage('MKB841', '2026-10-15T11:00:00Z', true, german),
  ])
  await derive()
  expect(await plates({ minOverloads: 1 })).toEqual([['MK8841', 11, 4]])
  const more = Array.from({ length: 5 }, (_, hour) =>
    passages('MKB841', 12, 0, german).map((one) => ({
      ...one,
      createdAt: one.createdAt.replace('T10', `T${12 + hour}`),
    })),
  )
  await store(
    stations[0],
    more.flat().map((one) => ({ ...one, sequence: nextSequence() })),
  )
  await derive()
  expect(await plates({ minOverloads: 1 })).toEqual([['MKB841', 71, 4]])
  expect(await verifyOffenders(api.db, api.clock.now)).toEqual(NOTHING_WRONG)
})

test('a coincidence of a frequent lorry prevents a join, however long ago', async () => {
  const { api, stations, user, plates, store, derive } = await scene()
  const [near, far] = stations
  const start = Date.parse('2026-10-10T00:00:00Z')
  // The sister lorry is 90 km away half an hour later, and 1,000 passages follow.
  await store(near, [
    ...passages('WGM4K281', 2, 2),
    ...Array.from({ length: 1_000 }, (_, minute) => passage('WGM4K281', new Date(start + minute * 60_000), false)),
  ])
  await store(far, [passage('WGM4K28I', '2026-10-01T10:30:00Z', true)])
  await store(near, [passage('WGM4K2B1', '2026-10-02T10:30:00Z', true)])
  await derive()
  expect(await plates({ minOverloads: 1 })).toEqual([
    ['WGM4K281', 1_003, 3],
    ['WGM4K28I', 1, 1],
  ])
  expect(await verifyOffenders(api.db, api.clock.now)).toEqual(NOTHING_WRONG)
  const { body } = await user.call(endpoints.read, { params: { id: await idOf(user, 'WGM4K281') } })
  expect(body.lastPassages.map(({ createdAt }) => Date.parse(createdAt))).toEqual(
    Array.from({ length: 20 }, (_, nth) => start + (999 - nth) * 60_000),
  )
})

test('a repeat offender has overloads on three days within 12 months, which the list can demand', async () => {
  const { stations, user, listed, plates, store, derive } = await scene()
  const [near, far] = stations
  const day = (date: string, hour = 10) => `2026-${date}T${hour}:00:00Z`
  await store(near, [
    ...['10-01', '10-03', '10-07', '10-09'].map((date) => passage('WGM3A331', day(date), true)),
    // One trip.
    ...[10, 12, 14].map((hour) => passage('WGM4A442', day('10-05', hour), true)),
    passage('WGM4A442', day('10-06'), true),
  ])
  await store(far, [passage('WGM7A773', day('10-02'), true), passage('WGM7A773', day('10-03'), true)])
  await store(near, [passage('WGM7A773', day('10-04'), true)])
  await derive()
  const since = async (query: object) =>
    (await listed(query)).content.map(({ vehicle, offenderSince }) => [vehicle?.plate, offenderSince])
  expect(await since({})).toEqual([
    ['WGM3A331', '2026-10-07'],
    ['WGM4A442', null],
    ['WGM7A773', '2026-10-04'],
  ])
  const repeated = [
    ['WGM3A331', 4, 4],
    ['WGM7A773', 3, 3],
  ]
  expect(await plates({ repeatOnly: true })).toEqual(repeated)
  expect(await plates({ repeatOnly: true, from: '2026-10-01' })).toEqual(repeated)
  expect(await plates({ repeatOnly: true, minOverloads: 1, locations: '8' })).toEqual([['WGM7A773', 2, 2]])
  const { body } = await user.call(endpoints.read, { params: { id: await idOf(user, 'WGM7A773') } })
  expect(body.offenderSince).toBe('2026-10-04')
})

test('days of a range begin and end at midnight in Warsaw when clocks change', async () => {
  const { api, stations, store, derive } = await scene()
  // Midnight of the 28th and 29th of March, between which an hour is missing, and of the 25th and 26th of October.
  for (const [now, midnights, days] of [
    [
      '2026-03-31T08:00:00Z',
      ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
      ['2026-03-28', '2026-03-29', '2026-03-30'],
    ],
    [
      '2026-10-27T08:00:00Z',
      ['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
      ['2026-10-24', '2026-10-25', '2026-10-26'],
    ],
  ] as const) {
    api.clock.now = new Date(now)
    const plate = now.startsWith('2026-03') ? 'WGM3A331' : 'WGM7A773'
    const times = midnights.flatMap((midnight) => [Date.parse(midnight) - 1, Date.parse(midnight)])
    await store(stations[0], [
      ...times.map((at) => passage(plate, new Date(at), true)),
      passage(plate, new Date((times[1] as number) + 1), false),
    ])
    await derive()
    const user = await api.as('Offenders')
    const range = async (from: string, until: string, more: object = {}) =>
      (await user.call(endpoints.list, { query: { minOverloads: 1, from, until, ...more } })).body.content.map(
        ({ vehicle, passages, overloads, lastSeen }) => [vehicle?.plate, passages, overloads, Date.parse(lastSeen)],
      )
    const [before, day, after] = days
    expect(await range(before, before)).toEqual([[plate, 1, 1, times[0]]])
    expect(await range(day, day)).toEqual([[plate, 3, 2, times[2]]])
    expect(await range(after, after)).toEqual([[plate, 1, 1, times[3]]])
    expect(await range(before, day)).toEqual([[plate, 4, 3, times[2]]])
    expect(await range(day, after, { locations: '7' })).toEqual([[plate, 4, 3, times[3]]])
    expect(await range(before, day, { orderBy: 'lastSeen' })).toEqual([[plate, 4, 3, times[2]]])
  }
  expect(await verifyOffenders(api.db, api.clock.now)).toEqual(NOTHING_WRONG)
})
