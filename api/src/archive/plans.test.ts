import { search as endpoint } from '@rogatka/contract/archive.ts'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import type { Pool } from '../core/database.ts'
import { type Given, type TestApi, testApi } from '../core/testing.ts'
import { countOf, search, searchRows } from './search.ts'
import { fillArchive } from './testing.ts'

/* Which index and partition each kind of search reads, on enough vehicles for the planner to choose freely. */

const [FROM, TO] = [new Date('2026-08-20T00:00:00Z'), new Date('2026-10-19T00:00:00Z')]

/** Names of the indexes of a partition are PostgreSQL's own; these are what the migrations call them. */
const INDEXES: [RegExp, string][] = [
  [/^vehicle_(\d{4}_\d{2})_created_at_id_location_id_idx$/, 'vehicle_by_time'],
  [/^vehicle_(\d{4}_\d{2})_plate_lpr_created_at_idx$/, 'vehicle_by_plate'],
  [/^vehicle_(\d{4}_\d{2})_location_id_created_at_idx$/, 'vehicle_violating'],
  [/^vehicle_(\d{4}_\d{2})_pkey$/, 'vehicle_pkey'],
]

type Node = { 'Relation Name'?: string; 'Index Name'?: string; 'Node Type': string; Plans?: Node[] }

/** What a plan reads: `vehicle_by_time 2026_10`, or `all of vehicle_2026_10` where it takes the whole table. */
function readBy(node: Node): string[] {
  const below = (node.Plans ?? []).flatMap(readBy)
  const index = node['Index Name']
  if (index) {
    const [pattern, name] = INDEXES.find(([pattern]) => pattern.test(index)) ?? []
    return [...below, pattern ? `${name} ${index.match(pattern)?.[1]}` : index]
  }
  return node['Node Type'] === 'Seq Scan' ? [...below, `all of ${node['Relation Name']}`] : below
}

/** What belongs to no search alone: its preparation, and the details of the vehicles that it found. */
const BESIDE = /set_config|vehicle_detail|vehicle_image/

/** A connection whose server tells the plan of every statement that it has run. */
function explaining(api: TestApi) {
  let plans: { 'Query Text': string; Plan: Node }[] = []
  const explain = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_format': 'json',
    client_min_messages: 'log',
  }
  const sql: Pool = postgres({
    ...(api.sql.options as object),
    max: 1,
    connection: { ...api.sql.options.connection, ...explain },
    onnotice: ({ message = '' }) => {
      const json = message.indexOf('{')
      if (message.includes('plan:')) plans.push(JSON.parse(message.slice(json)))
    },
  })
  const readsOf = async (run: () => Promise<unknown>): Promise<string[]> => {
    plans = []
    await run()
    const own = plans.filter((plan) => !BESIDE.test(plan['Query Text']))
    return [...new Set(own.flatMap(({ Plan }) => readBy(Plan)))].sort()
  }
  return { sql, readsOf }
}

type Query = NonNullable<Given<typeof endpoint>['query']>

/** Of all that was read what costs: the rest are the counts by day and hour, and the marks of what has arrived. */
const costly = (reads: string[]) =>
  reads.filter((name) => !/^(vehicle_day|traffic_hour|arrival|all of (vehicle_day|pg_))/.test(name))

test('each kind of search reads just the indexes and the partitions that it needs', { timeout: 180_000 }, async () => {
  const api = await testApi()
  await fillArchive(api.sql, 240_000, 8, FROM, TO)
  const user = await api.as('ArchiveMeasurements')
  await api.sql`insert into app_user (username, password_hash) select 'colleague' || n, '' from generate_series(1, 20) as n`
  await api.sql`
    insert into tag (created_at, vehicle_id, location_id, user_id, type, private)
    select v.created_at, v.id, v.location_id, u.id, 1, true
    from app_user u join vehicle v on v.id % 5000 = u.id`
  await api.sql`analyze tag`
  const [known] = await api.sql<{ plate: string }[]>`select plate from plate where plate like 'K_3%' limit 1`
  const plate = known?.plate as string
  const { sql, readsOf } = explaining(api)

  const everywhere = { dateTimeStart: FROM.toISOString(), dateTimeEnd: TO.toISOString(), locations: '1,2,3,4,5,6,7,8' }
  const lastWeek = { dateTimeStart: '2026-10-12T00:00:00Z' }
  const byPlate = ['vehicle_by_plate 2026_08', 'vehicle_by_plate 2026_09', 'vehicle_by_plate 2026_10']

  // First the count alone; then a page, for which the count is remembered.
  // By its keys, in whichever order.
  const inOctober = expect.stringMatching(/^vehicle_(by_time|pkey) 2026_10$/)
  // To sort a week by anything but time all of it is read: whether the index leads there is a matter of costs.
  const anyhowInOctober = expect.stringMatching(/^(vehicle_(by_time|pkey) |all of vehicle_)2026_10$/)
  // An index without a month: in whichever months there was something to find.
  const searches: [string, Partial<Query>, string[], string[]][] = [
    ['everything, the first page', {}, [], ['vehicle_by_time 2026_10']],
    ['everything, a page in the middle', { page: 12_000 }, [], ['vehicle_by_time 2026_09']],
    ['everything, the last page', { page: 23_999 }, [], ['vehicle_by_time 2026_08']],
    ['one station', { locations: '5' }, [], ['vehicle_pkey 2026_10']],
    ['a category', { ctg8p1: '10' }, [], ['vehicle_by_time 2026_10']],
    ['a violation', { overload: true }, [], ['vehicle_violating 2026_10']],
    ['a rare violation', { wrongDirection: true, laneNumbers: '1' }, [], ['vehicle_violating 2026_10']],
    [
      'part of an hour',
      { dateTimeStart: '2026-10-18T12:34:00Z', dateTimeEnd: '2026-10-18T18:20:00Z' },
      ['vehicle_by_time 2026_10'],
      ['vehicle_by_time 2026_10'],
    ],
    ['a measure', { ...lastWeek, minSpeed: 139 }, [inOctober], [inOctober]],
    ['another order', { ...lastWeek, orderByColumnName1: 'speed' }, [], [anyhowInOctober]],
    ['a plate', { plateLpr: plate }, byPlate, ['vehicle_by_plate']],
    [
      'the beginning of a plate',
      { plateLpr: `${plate.slice(0, 5)}*` },
      ['plate_pkey', ...byPlate],
      ['plate_pkey', 'vehicle_by_plate'],
    ],
    [
      'the end of a plate',
      { plateLpr: `*${plate.slice(2)}` },
      ['plate_by_part', ...byPlate],
      ['plate_by_part', 'vehicle_by_plate'],
    ],
    [
      'a plate alike',
      { plateLpr: plate, similarity: 60 },
      ['plate_by_likeness', ...byPlate],
      ['plate_by_likeness', 'vehicle_by_plate'],
    ],
    [
      'tagged vehicles',
      { taggedOnly: true, page: 1 },
      // Whole keys, looked up one by one.
      ['tag_of_user', 'vehicle_by_time 2026_08', 'vehicle_by_time 2026_09', 'vehicle_by_time 2026_10'],
      ['tag_of_user', 'vehicle_by_time'],
    ],
  ]
  for (const [name, given, wantedOfCount, wantedOfPage] of searches) {
    const query = endpoint.query.parse({ ...everywhere, ...given })
    const count = costly(await readsOf(() => countOf(sql, query, user)))
    const page = costly(
      await readsOf(async () => {
        expect((await search(sql, query, user)).content.length, name).toBeGreaterThan(0)
      }),
    )
    const monthless = page.map((read) => {
      const index = read.replace(/ \d{4}_\d{2}$/, '')
      return wantedOfPage.includes(index) ? index : read
    })
    expect({ name, count, page: [...new Set(monthless)] }).toEqual({ name, count: wantedOfCount, page: wantedOfPage })
  }

  const rare = endpoint.query.parse({ ...everywhere, wrongDirection: true })
  const report = await readsOf(async () => {
    for await (const some of searchRows(sql, rare, user)) expect(some.length).toBeGreaterThan(0)
  })
  expect(costly(report)).toEqual([
    'vehicle_violating 2026_08',
    'vehicle_violating 2026_09',
    'vehicle_violating 2026_10',
  ])
  await sql.end()
})
