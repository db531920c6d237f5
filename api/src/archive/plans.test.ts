import { type search as endpoint, searchQuery } from '@rogatka/contract/archive.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { isOnOneServer } from '../testing/databases.ts'
import { explaining, type PlanRead } from '../testing/plans.ts'
import { type CallOptions, testApi } from '../testing/test-api.ts'
import { platesFor } from './found-plates.ts'
import { countOf, listedRecords, listedRows, search, searchRows } from './search.ts'
import { fillArchive } from './testing.ts'

/*
 * Query plans of each kind of search, on enough vehicles for a free choice of the planner: which months and indexes,
 * and how many rows and blocks. It may choose between good plans, but must not read a whole month, a needless one, or
 * more than a few rows.
 */

const [FROM, TO] = [new Date('2026-08-20T00:00:00Z'), new Date('2026-10-19T00:00:00Z')]
const VEHICLES = 240_000

/** Statements beside the search itself: settings, stations, and details of the vehicles found. */
const BESIDE = /set_config|join vehicle_detail|vehicle_image|from location\b/

/** Excludes cheap reads: daily and hourly counts and arrivals, and details, of which there are none. */
const isCostly = ({ by }: PlanRead) => !/^(all of )?(vehicle_day|vehicle_detail|traffic_hour|arrival|pg_)/.test(by)

type Query = NonNullable<CallOptions<typeof endpoint>['query']>

/** Allowed months and indexes, and maximum numbers of rows and blocks. */
type ReadLimits = { by: string[]; months: string[]; rows: number; blocks: number }

const sum = (numbers: number[]) => numbers.reduce((some, one) => some + one, 0)

/** Indexes for the marks of the vehicles on a page. */
const OF_MARKS = ['wanted_hit_pkey', 'wanted_plate_pkey', 'all of wanted_plate']

function expectWithin(name: string, reads: PlanRead[], { by, months, rows, blocks }: ReadLimits) {
  const kinds = [...new Set(reads.map((read) => read.by))]
  const touched = [...new Set(reads.map(({ month }) => month).filter((month) => month !== null))]
  expect({ name, kinds }).toEqual({ name, kinds: kinds.filter((kind) => [...by, ...OF_MARKS].includes(kind)) })
  expect({ name, touched }).toEqual({ name, touched: touched.filter((month) => months.includes(month)) })
  const own = reads.filter((read) => !/wanted_(hit|plate)/.test(read.by))
  expect(sum(own.map((read) => read.rows)), `${name}: rows`).toBeLessThanOrEqual(rows)
  expect(sum(own.map((read) => read.blocks)), `${name}: blocks`).toBeLessThanOrEqual(blocks)
}

test.runIf(isOnOneServer)('every kind of search reads only the months and rows it needs, by an index', async () => {
  const api = await testApi()
  await fillArchive(api.db, VEHICLES, 8, FROM, TO)
  const user = await api.as('ArchiveMeasurements')
  await api.db.execute(
    sql`insert into app_user (username, password_hash) select 'colleague' || n, '' from generate_series(1, 20) as n`,
  )
  await api.db.execute(sql`
    insert into tag (created_at, vehicle_id, location_id, user_id, type, private)
    select v.created_at, v.id, v.location_id, u.id, 1, true
    from app_user u join vehicle v on v.id % 5000 = u.id`)
  await api.db.execute(sql`
    insert into wanted_plate (user_id, type_of_list, plate, misread, allow_misread, description, created_at)
    select id, 0, 'WPR8K47', 'WPR8K47', false, '', now() from app_user where username = 'colleague1'`)
  await api.db.execute(sql`
    insert into wanted_hit (created_at, vehicle_id, wanted_id, location_id, plate_lpr, lane_number)
    select v.created_at, v.id, w.id, v.location_id, 'WPR8K47', 1 from wanted_plate w join vehicle v on v.id % 20 = 1`)
  await api.db.execute(sql`analyze tag, wanted_hit`)
  const [known] = await api.db.query<{ plate: string }>(sql`select plate from plate where plate like 'K_3%' limit 1`)
  const plate = known?.plate as string
  const { db, readsOf } = explaining(api, (statement) => !BESIDE.test(statement))
  const costlyReadsOf = async (run: () => Promise<unknown>) => (await readsOf(run)).filter(isCostly)

  const everywhere = {
    dateTimeStart: FROM.toISOString(),
    dateTimeEnd: TO.toISOString(),
    locations: '1,2,3,4,5,6,7,8',
  }
  const lastWeek = { dateTimeStart: '2026-10-12T00:00:00Z' }
  const perHour = VEHICLES / 60 / 24
  const perWeek = perHour * 24 * 7
  const [august, september, october] = ['2026_08', '2026_09', '2026_10']
  const anyMonth = [august, september, october]

  /** By time, or by station and time: both stop at the end of the page. */
  const byTime = ['vehicle_by_time', 'vehicle_pkey']
  const nothing: ReadLimits = { by: [], months: [], rows: 0, blocks: 0 }
  const page = (months: string[], more: Partial<ReadLimits> = {}): ReadLimits => ({
    by: byTime,
    months,
    rows: 2 * perHour,
    blocks: perHour,
    ...more,
  })
  /** Few vehicles have a plate or a similar one, so each may be looked up. */
  const plates = (...also: string[]): ReadLimits => ({
    by: ['vehicle_by_plate', ...also],
    months: anyMonth,
    rows: 50,
    blocks: 250,
  })

  // First the count, then a page with the cached count.
  const searches: [string, Partial<Query>, ReadLimits, ReadLimits][] = [
    ['everything, the first page', {}, nothing, page([october])],
    ['everything, a page in the middle', { page: 12_000 }, nothing, page([september])],
    ['everything, the last page', { page: 23_999 }, nothing, page([august])],
    ['one station', { locations: '5' }, nothing, page([october])],
    ['a category', { ctg8p1: '10' }, nothing, page([october])],
    ['a violation', { overload: true }, nothing, page([october], { by: ['vehicle_violating'] })],
    [
      'a rare violation',
      { wrongDirection: true, laneNumbers: '1' },
      nothing,
      page([october], { by: ['vehicle_violating'] }),
    ],
    ['an hour of a weekday', { hours: '8', weekdays: '0' }, nothing, page([october])],
    [
      'part of an hour',
      { dateTimeStart: '2026-10-18T12:34:00Z', dateTimeEnd: '2026-10-18T18:20:00Z' },
      page([october]),
      page([october]),
    ],
    [
      'a measure',
      { ...lastWeek, minSpeed: 139 },
      page([october], { rows: 1.1 * perWeek, blocks: 2 * perWeek }),
      page([october], { rows: 1.1 * perWeek, blocks: 2 * perWeek }),
    ],
    // Sorting a week by another column reads all of it, by index or not, as costs decide.
    [
      'another order',
      { ...lastWeek, orderByColumnName1: 'speed' },
      nothing,
      page([october], { by: [...byTime, 'all of vehicle_2026_10'], rows: 0.4 * VEHICLES, blocks: 2 * perWeek }),
    ],
    ['a plate', { plateLpr: plate }, plates(), plates()],
    ['the beginning of a plate', { plateLpr: `${plate.slice(0, 5)}*` }, plates('plate_pkey'), plates('plate_pkey')],
    ['the end of a plate', { plateLpr: `*${plate.slice(2)}` }, plates('plate_by_part'), plates('plate_by_part')],
    ['a plate alike', { plateLpr: plate, similarity: 60 }, plates('plate_by_likeness'), plates('plate_by_likeness')],
    // Looked up by primary key.
    [
      'tagged vehicles',
      { taggedOnly: true, page: 1 },
      page(anyMonth, { by: ['tag_of_user', ...byTime], rows: 500, blocks: 2_000 }),
      page(anyMonth, { by: ['tag_of_user', ...byTime], rows: 500, blocks: 2_000 }),
    ],
  ]
  for (const [name, given, ofCount, ofPage] of searches) {
    const query = searchQuery.parse({ ...everywhere, ...given })
    expectWithin(`${name}: count`, await costlyReadsOf(() => countOf(db, query, user)), ofCount)
    const reads = await costlyReadsOf(async () => {
      expect((await search(db, query, user, { show: (vehicle) => vehicle })).content.length, name).toBeGreaterThan(0)
    })
    expect(reads, name).not.toHaveLength(0)
    expectWithin(`${name}: page`, reads, ofPage)
  }

  // A day that is not derived is summed from its own hours, not from those of the range.
  await api.db.execute(sql`
      update arrival set written_by = 9e15 where location_id = 1 and hour = '2026-10-10T08:00:00Z'`)
  const uncounted = searchQuery.parse({ ...everywhere, dateTimeEnd: '2026-10-18T00:00:00Z' })
  const ofHours = (await readsOf(() => countOf(db, uncounted, user))).filter(({ by }) => by.includes('traffic_hour'))
  const [hours] = await api.db.query<{ ofDay: number }>(sql`
      select count(*)::int as "ofDay" from traffic_hour where hour >= '2026-10-10' and hour < '2026-10-11'`)
  expect(sum(ofHours.map(({ rows }) => rows))).toBeLessThanOrEqual(hours?.ofDay ?? 0)
  expect(ofHours).not.toHaveLength(0)

  const ofBeginning = await costlyReadsOf(async () => {
    expect((await platesFor(db, user, plate.slice(0, 2), TO)).content, 'the beginning of many plates').toHaveLength(3)
  })
  expectWithin('the beginning of many plates', ofBeginning, {
    by: ['plate_pkey', 'vehicle_by_plate', 'vehicle_by_time'],
    months: anyMonth,
    rows: 11_000,
    blocks: 5_000,
  })

  const rare = searchQuery.parse({ ...everywhere, wrongDirection: true })
  const twoDays = { dateTimeStart: '2026-10-12T00:00:00Z', dateTimeEnd: '2026-10-14T00:00:00Z' }
  const some = searchQuery.parse({ ...everywhere, ...twoDays, locations: '5' })
  async function* csvRows(...search: Parameters<typeof listedRecords>) {
    for await (const { records } of listedRecords(...search)) yield records
  }
  // Full vehicles are read for images, records for CSV, list rows otherwise.
  for (const [name, rowsOf] of Object.entries({ searchRows, listedRows, csvRows })) {
    let found = 0
    const readAll = (query: typeof rare) => async () => {
      found = 0
      for await (const rows of rowsOf(db, query, user)) found += rows.length
    }
    const readOfRare = await costlyReadsOf(readAll(rare))
    expect(found, name).toBeGreaterThan(50)
    expectWithin(`a rare violation: ${name}`, readOfRare, {
      // For thousands of rows, a sequential scan of so many hits costs no more than the index.
      by: ['vehicle_violating', 'all of wanted_hit'],
      months: anyMonth,
      // The index covers whether there is a violation, not which.
      rows: 0.15 * VEHICLES,
      blocks: 0.2 * VEHICLES,
    })
    const readOfSome = await costlyReadsOf(readAll(some))
    expect(found, name).toBeGreaterThan(50)
    expect(readOfSome, name).not.toHaveLength(0)
    expectWithin(
      `two days of a station: ${name}`,
      readOfSome,
      page([october], { by: [...byTime, 'all of wanted_hit'], rows: 50 * perHour, blocks: 50 * perHour }),
    )
  }
  await db.end()
})
