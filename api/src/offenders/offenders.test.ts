import { audit } from '@rogatka/contract/activity.ts'
import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import * as inspections from '@rogatka/contract/inspections.ts'
import * as endpoints from '@rogatka/contract/offenders.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { expect, test } from 'vitest'
import { openFiles } from '../core/open-files.ts'
import { sql } from '../core/statement.ts'
import { send } from '../ingest/testing.ts'
import { deleteExpiredInspections } from '../inspections/maintenance.ts'
import { addRequest, lorry } from '../inspections/testing.ts'
import { type Client, eventually, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { dropExpired } from '../vehicle/maintenance.ts'
import { offenderHistories } from './count-queries.ts'
import { deriveOffenders, reviewOffenders } from './derive.ts'
import { plantOffenders } from './testing.ts'
import { verifyOffenders } from './verify.ts'

/** 90 km from the test station. */
const FAR_STATION = { ...testStation, id: 8, shortName: 'S8 Far', name: 'Far', chainage: '91+000' }

const NOTHING_WRONG = { differences: [], wrongSums: 0, wrongCarriers: 0, wrongVehicles: 0, unread: 0 }

let sequences = 0

/** A lorry of 37.5 t, overloaded of 56 t. */
const passage = (
  plateLpr: string | null,
  at: Date | string,
  overloaded: boolean,
  more: Partial<WireMeasurement> = {},
) => {
  const weight = overloaded ? 5_600 : 3_750
  const gaps = [0, 374, 562, 131, 131]
  return lorry(++sequences, {
    createdAt: new Date(at).toISOString(),
    plateLpr,
    axles: gaps.map((gap) => ({ leftWeight: weight, rightWeight: weight, gap })),
    ...more,
  })
}

/** Passages on days of October from the first, at noon, the first `overloads` of them overloaded. */
const passages = (plate: string, count: number, overloads: number, more: Partial<WireMeasurement> = {}) =>
  Array.from({ length: count }, (_, day) =>
    passage(plate, `2026-10-${String(day + 1).padStart(2, '0')}T10:00:00Z`, day < overloads, more),
  )

async function scene() {
  const api = await testApi()
  const stations = [await api.station(), await api.station(FAR_STATION)] as const
  const user = await api.as('Offenders')
  const listed = async (query: object = {}) => (await user.call(endpoints.list, { query })).body
  const plates = async (query: object = {}) =>
    (await listed(query)).content.map(({ vehicle, passages, overloads }) => [vehicle?.plate, passages, overloads])
  const store = async (station: Client, vehicles: WireMeasurement[]) => {
    for (let from = 0; from < vehicles.length; from += 1_000)
      expect((await send(station, vehicles.slice(from, from + 1_000))).body.rejected).toEqual([])
  }
  return { api, stations, user, listed, plates, store, derive: () => deriveOffenders(api.db, api.clock.now) }
}

const idOf = async (user: Client, plate: string, query: object = {}): Promise<number> => {
  const { content } = (await user.call(endpoints.list, { query: { minOverloads: 1, limit: 100, ...query } })).body
  return content.find(({ vehicle }) => vehicle?.plate === plate)?.vehicle?.id as number
}

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
    more.flat().map((one) => ({ ...one, sequence: ++sequences })),
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

test('a detail names spellings with the reason of their join, months, stations, passages and inspections', async () => {
  const { api, stations, user, listed, store, derive } = await scene()
  const sent = [
    ...passages('WGM 4K281', 12, 4),
    passage('WGM4K28I', '2026-09-29T22:30:00Z', true),
    passage('WGM4K281', '2026-09-28T12:00:00Z', false, { nationality: null }),
  ]
  await store(stations[0], sent.slice(0, 13))
  await store(stations[1], sent.slice(13))
  const key = sent[3] as WireMeasurement
  // Inspected an hour after it passed.
  const { now } = api.clock
  api.clock.now = new Date(Date.parse(key.createdAt) + 3_600_000)
  const officer = await api.as('Inspections')
  const added = await officer.call(
    inspections.add,
    addRequest(key.sequence, { createdAt: key.createdAt, state: 'takenOver' }),
  )
  await officer.call(inspections.close, {
    params: { id: added.body.id },
    body: { version: 1, results: [9], carrier: 'Trans-Pol', taxId: '1234563218' },
  })
  api.clock.now = now
  await derive()

  const id = await idOf(user, 'WGM4K281')
  const { body } = await user.call(endpoints.read, { params: { id } })
  expect(body).toMatchObject({
    id,
    plate: 'WGM4K281',
    country: 'PL',
    carrier: { key: '1234563218', name: 'Trans-Pol', taxId: '1234563218' },
    passages: 14,
    overloads: 5,
    share: 35.7,
    firstSeen: '2026-09-28',
    lastSeen: '2026-10-12T10:00:00.000Z',
    offenderSince: '2026-10-02',
    spellings: [
      { plate: 'WGM4K281', country: 'PL', passages: 12, joined: null },
      { plate: 'WGM4K281', country: null, passages: 1, joined: { to: 'WGM4K281', rule: 1 } },
      {
        plate: 'WGM4K28I',
        country: 'PL',
        readings: ['WGM4K28I:PL'],
        joined: { to: 'WGM4K281', counts: [1, 12], firstAxleGaps: [374, 374] },
      },
    ],
    months: [
      { month: '2026-10', passages: 12, overloads: 4 },
      { month: '2026-09', passages: 2, overloads: 1 },
    ],
    stations: [
      { location: { id: 7, shortName: 'S8 Test' }, passages: 13, overloads: 5 },
      { location: { id: 8, shortName: 'S8 Far' }, passages: 1, overloads: 0 },
    ],
    inspections: [{ id: added.body.id, state: 'closed', results: [9], confirmed: null }],
  })
  expect(body.lastPassages[0]).toMatchObject({ createdAt: '2026-10-12T10:00:00.000Z', overload: false })
  expect(body.lastPassages).toHaveLength(14)
  const [row] = (await listed()).content
  expect(row).toMatchObject({
    vehicle: { id, plate: 'WGM4K281', joined: 2 },
    vehicles: 1,
    inspections: 1,
    lastInspection: { id: added.body.id, results: [9] },
    weeks: [0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0],
  })
  expect((await listed({ groupBy: 'carrier' })).content).toMatchObject([
    { vehicle: null, carrier: { name: 'Trans-Pol', taxId: '1234563218' }, vehicles: 1, passages: 14, overloads: 5 },
  ])
  expect((await listed({ groupBy: 'carrier', minOverloads: 6 })).totalCount).toBe(0)
  for (const orderBy of ['overloads', 'worst'])
    expect((await listed({ groupBy: 'carrier', orderBy, from: '2026-10-02' })).content).toMatchObject([
      { passages: 11, overloads: 3, worst: body.worst },
    ])
  const carrier = (await user.call(endpoints.readCarrier, { query: { key: '1234563218' } })).body
  expect(carrier).toMatchObject({
    carrier: { name: 'Trans-Pol' },
    passages: 14,
    overloads: 5,
    vehicles: [{ id, plate: 'WGM4K281', country: 'PL', joined: 2, passages: 14, overloads: 5 }],
    inspections: [{ id: added.body.id }],
  })
  expect(carrier.lastPassages).toEqual(body.lastPassages)
  const unknown = await user.call(endpoints.readCarrier, { query: { key: 'trans-pol' } })
  expect(unknown.errors[0]?.code).toBe('offender-not-found')
  // The latest inspection decides, until it is deleted.
  const next = sent[8] as WireMeasurement
  api.clock.now = new Date(Date.parse(next.createdAt) + 3_600_000)
  const other = await api.as('Inspections')
  const later = await other.call(
    inspections.add,
    addRequest(next.sequence, { createdAt: next.createdAt, state: 'takenOver' }),
  )
  await other.call(inspections.close, {
    params: { id: later.body.id },
    body: { version: 1, results: [9], carrier: 'Kruszywa Narew' },
  })
  api.clock.now = now
  await derive()
  const carriers = async () =>
    (await listed({ groupBy: 'carrier' })).content.map((row) => [row.carrier?.key, row.overloads])
  expect(await carriers()).toEqual([['kruszywa narew', 5]])
  const wrongCarriers = async () => (await verifyOffenders(api.db, now)).wrongCarriers
  expect(await wrongCarriers()).toBe(0)
  await api.db.execute(sql`update inspection set carrier = 'Inny' where id = ${later.body.id}`)
  expect(await wrongCarriers()).toBe(1)
  expect((await user.call(endpoints.readCarrier, { query: { key: '1234563218' } })).status).toBe(404)
  await deleteExpiredInspections(api.db, openFiles(api.app.api.config), now, { inspectionRetentionDays: 1 })
  await derive()
  expect(await carriers()).toEqual([])
  // By the id of any of its spellings.
  const [variant] = await api.db.query<{ id: number }>(sql`select id from spelling where form = 'WGM4K28I'`)
  expect((await user.call(endpoints.read, { params: { id: variant?.id as number } })).body.id).toBe(id)
})

test('lists are sorted, cut into pages, and refuse what is not a range', async () => {
  const { stations, user, listed, plates, store, derive } = await scene()
  await store(stations[0], [
    ...passages('WGM3A331', 10, 5),
    ...passages('WGM4A442', 4, 4),
    ...passages('WGM7A773', 12, 3, { nationality: 'D' }),
    ...passages('WGM9A994', 9, 2),
    ...passages('WGM9A773', 9, 0),
  ])
  await derive()
  expect(await plates()).toEqual([
    ['WGM3A331', 10, 5],
    ['WGM4A442', 4, 4],
    ['WGM7A773', 12, 3],
  ])
  const names = async (query: object) => (await plates(query)).map(([plate]) => plate)
  expect(await names({ orderBy: 'share' })).toEqual(['WGM4A442', 'WGM3A331', 'WGM7A773'])
  expect(await names({ orderBy: 'lastSeen', orderDirection: 'asc' })).toEqual(['WGM4A442', 'WGM3A331', 'WGM7A773'])
  expect(await names({ orderBy: 'lastSeen', from: '2026-10-01' })).toEqual(['WGM7A773', 'WGM3A331', 'WGM4A442'])
  expect(await names({ limit: 1, page: 2 })).toEqual(['WGM4A442'])
  const countedUntil = '2026-10-20T08:00:00.000Z'
  expect(await listed({ limit: 1, page: 9 })).toEqual({ content: [], totalCount: 3, totalOverloads: 12, countedUntil })
  expect(await names({ minOverloads: 1, until: '2026-10-01' })).toHaveLength(4)
  expect(await names({ minOverloads: 6 })).toEqual([])
  const refused = await user.call(endpoints.list, { query: { from: '2026-10-02', until: '2026-10-01' } })
  expect(refused.errors.map(({ path, code }) => `${path} ${code}`)).toEqual(['until start-after-end'])
  for (const from of ['0000-01-01', '2200-01-01'])
    expect((await user.call(endpoints.list, { query: { from } })).errors[0]?.code).toBe('invalid-date')
  expect((await user.call(endpoints.read, { params: { id: 999_999 } })).errors[0]?.code).toBe('offender-not-found')
})

test('the largest excess of a range sorts thousands of vehicles, whatever they exceeded before', async () => {
  const { api, listed } = await scene()
  await api.db.execute(sql`
    with vehicle as (
      insert into spelling (form, country, fold, may_be_misread, is_overloaded, last_seen)
      select 'WX' || n, 'PL', 'WX' || n, false, true, '2026-08-01' from generate_series(1, 1200) n returning id, form
    )
    insert into offender_day (vehicle_id, day, location_id, passages, overloads, worst, last_seen)
    select id, day, 7, 5, 3, case when day < '2026-08-01' then 300 when right(form, 2) = '77' then 301 + id % 7 else id % 290 end,
           day + time '12:00'
    from vehicle cross join (values ('2026-05-01'::date), ('2026-08-15')) d (day)`)
  await api.db.execute(sql`update spelling set vehicle_id = id`)
  await api.db.execute(sql`
    insert into offender (vehicle_id, passages, overloads, worst, last_seen)
    select vehicle_id, sum(passages), sum(overloads), max(worst), max(last_seen) from offender_day group by 1`)
  await api.db.execute(sql`
    insert into offender_history (vehicle_id, location_id, overloads, days, passages_through, last_seen, overloaded_days,
      overloads_through, worst)
    ${offenderHistories(sql`true`)}`)
  const expected = (limit: number) =>
    api.db.query<{ id: number; worst: number }>(sql`
      select vehicle_id as id, (max(worst) / 10.0)::float8 as worst from offender_day where day >= '2026-08-01'
      group by 1 order by 2 desc, 1 limit ${limit}`)
  // 12 of them exceeded more in August than all others ever, 20 of them did not.
  for (const limit of [12, 20]) {
    const { content, totalCount } = await listed({ from: '2026-08-01', orderBy: 'worst', limit })
    expect(totalCount).toBe(1_200)
    expect(content.map(({ vehicle, worst }) => ({ id: vehicle?.id, worst }))).toEqual(await expected(limit))
  }
})

test('a split plate stays apart whatever follows, and is audited', async () => {
  const { api, stations, user, plates, store, derive } = await scene()
  await store(stations[0], [...passages('WGM4K281', 12, 4), passage('WGM4K28I', '2026-10-14T10:00:00Z', true)])
  await derive()
  expect(await plates({ minOverloads: 1 })).toEqual([['WGM4K281', 13, 5]])
  const id = await idOf(user, 'WGM4K281')
  const split = (plate: string) => user.call(endpoints.split, { params: { id }, body: { plate } })
  expect((await split('WGM4K281')).errors.map(({ path, code }) => `${path} ${code}`)).toEqual([
    'plate spelling-not-joined',
  ])
  const own = (await split('WGM 4K28I')).body.id
  const apart = [
    ['WGM4K281', 12, 4],
    ['WGM4K28I', 1, 1],
  ]
  expect(await plates({ minOverloads: 1 })).toEqual(apart)
  expect((await user.call(endpoints.read, { params: { id: own } })).body.plate).toBe('WGM4K28I')
  // Repeated after a lost response.
  expect(await split('WGM4K28I')).toMatchObject({ status: 200, body: { id: own } })
  expect((await split('WGM4K2BI')).errors[0]?.code).toBe('spelling-not-joined')

  await store(stations[0], [passage('WGM4K281', '2026-10-16T10:00:00Z', true)])
  await derive()
  await reviewOffenders(api.db, api.clock.now)
  expect(await plates({ minOverloads: 1 })).toEqual([
    ['WGM4K281', 13, 5],
    ['WGM4K28I', 1, 1],
  ])
  expect(await verifyOffenders(api.db, api.clock.now)).toEqual(NOTHING_WRONG)

  const now = api.clock.now.getTime()
  const range = {
    dateTimeStart: new Date(now - HOUR_MS).toISOString(),
    dateTimeEnd: new Date(now + HOUR_MS).toISOString(),
  }
  const logOf = async (reader: Client) =>
    (await reader.call(audit, { query: range })).body.content.find(({ action }) => action === 'offender-split')
  expect(await logOf(await api.withPermissions(['ROLE_7', 'ROLE_20']))).toMatchObject({
    subject: 'WGM4K281',
    before: { plateLpr: 'WGM4K281' },
    after: { plateLpr: 'WGM4K28I' },
  })
  expect(await logOf(await api.withPermissions(['ROLE_7', 'ROLE_20', 'ROLE_37']))).toMatchObject({
    subject: 'WG******',
  })
})

test('users of anonymised data are refused everything', async () => {
  const { api, stations, user, store, derive } = await scene()
  await store(stations[0], passages('WGM4K281', 4, 4))
  await derive()
  const masked = await api.as('Offenders', 'Anonymization')
  const params = { id: await idOf(user, 'WGM4K281') }
  for (const { status, errors } of [
    await masked.call(endpoints.list),
    await masked.call(endpoints.list, { query: { groupBy: 'carrier' } }),
    await masked.call(endpoints.list, { query: { orderBy: 'share', minOverloads: 5 } }),
    await masked.call(endpoints.read, { params }),
    await masked.call(endpoints.readCarrier, { query: { key: 'trans-pol' } }),
    await masked.call(endpoints.split, { params, body: { plate: 'WGM4K281' } }),
  ])
    expect([status, errors[0]?.code]).toEqual([403, 'forbidden'])
})

test('days end with their vehicles or after 24 months, plates with their last vehicle', async () => {
  const { api, stations, plates, store, derive } = await scene()
  await store(stations[0], [
    ...passages('WGM4K281', 4, 4),
    passage('WGM4K281', '2026-08-31T12:00:00Z', true),
    passage('WGM4K281', '2026-09-01T12:00:00Z', true),
    passage('WGM3A333', '2026-08-20T12:00:00Z', true),
  ])
  await derive()
  expect(await plates({ minOverloads: 1 })).toEqual([
    ['WGM4K281', 6, 6],
    ['WGM3A333', 1, 1],
  ])
  const { config } = api.app.api
  await dropExpired(api.db, openFiles(config), api.clock.now, { ...config, retentionDays: 49 })
  await reviewOffenders(api.db, api.clock.now)
  expect(await plates({ minOverloads: 1 })).toEqual([['WGM4K281', 5, 5]])
  expect(await verifyOffenders(api.db, api.clock.now)).toEqual(NOTHING_WRONG)
  expect(await api.db.query(sql`select form from spelling`)).toEqual([{ form: 'WGM4K281' }])

  // 1 September to 4 October of 2026, two years later.
  await reviewOffenders(api.db, new Date('2028-10-03T08:00:00Z'))
  expect(await plates({ minOverloads: 1 })).toEqual([['WGM4K281', 2, 2]])
  await reviewOffenders(api.db, new Date('2028-10-05T08:00:00Z'))
  expect(await plates({ minOverloads: 1 })).toEqual([])
})
