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

/** Figures by plate, counted from the vehicles by the plates that they really have. */
async function recount(
  api: TestApi,
  truth: readonly Truth[],
  { from = '2000-01-01', until = '2100-01-01', station = 0 },
) {
  const rows = await api.db.query<{ plate: string; passages: number; overloads: number; worst: number }>(sql`
    select t.plate, count(*)::int as passages,
           (count(*) filter (where v.overload_sa > 0 or v.overload_ma > 0 or v.overload_tl > 0))::int as overloads,
           max(greatest(v.overload_sa, v.overload_ma, v.overload_tl)) / 10.0::float8 as worst
    from vehicle v
    join unnest(${truth.map(({ read }) => read)}::text[], ${truth.map(({ plate }) => plate)}::text[]) as t (read, plate)
      on t.read = v.plate_lpr
    where to_char(v.created_at at time zone 'Europe/Warsaw', 'YYYY-MM-DD') between ${from} and ${until}
      and (${station}::int = 0 or v.location_id = ${station}::int)
    group by 1`)
  return rows
    .filter(({ overloads }) => overloads >= 3)
    .sort((a, b) => b.overloads - a.overloads || (a.plate < b.plate ? -1 : 1))
}

test('counts of vehicles with misread plates equal a recount by their true plates, whatever arrives late', async () => {
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
  const compare = async (query: object, range: object) => {
    const { content, totalCount } = await listed({ limit: 100, ...query })
    const found = content.map(({ vehicle, passages, overloads, worst }) => ({
      plate: vehicle?.plate,
      passages,
      overloads,
      worst,
    }))
    const sorted = found.sort((a, b) => b.overloads - a.overloads || ((a.plate ?? '') < (b.plate ?? '') ? -1 : 1))
    const expected = await recount(
      api,
      [...truth].map(([read, plate]) => ({ read, plate })),
      range,
    )
    expect(sorted).toEqual(expected)
    expect(totalCount).toBe(expected.length)
    expect(expected.length).toBeGreaterThan(3)
  }

  await storeAll(false)
  await derive()
  expect(truth.size).toBeGreaterThan(45)
  await compare({}, {})
  await storeAll(true)
  await derive()
  await compare({}, {})
  await compare({ from: '2026-10-05', until: '2026-10-14' }, { from: '2026-10-05', until: '2026-10-14' })
  await compare({ locations: '8' }, { station: 8 })
  await compare({ until: '2026-10-12', locations: '7,8', orderBy: 'worst' }, { until: '2026-10-12' })
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

test('a join that turns round with new counts leads to the other plate', async () => {
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
