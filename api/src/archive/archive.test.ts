import { type ArchiveFilters, addTag, search, searchQuery } from '@rogatka/contract/archive.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { ping } from '@rogatka/contract/session.ts'
import { categories, type SortColumn, sortColumns, type Vehicle, violations } from '@rogatka/contract/vehicle.ts'
import { rangeFields } from '@rogatka/contract/wire.ts'
import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import { matches } from '@rogatka/domain/current/match.ts'
import { expect, test } from 'vitest'
import type { PassageKey } from '../core/passage.ts'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { type CallOptions, type TestApi, testApi } from '../testing/test-api.ts'
import { macOf, trailOf } from '../testing/trail.ts'
import { vehiclesByKeys } from '../vehicle/queries.ts'
import { updateDerived } from './derived/maintenance.ts'
import type { ListVehicle } from './list-vehicle.ts'
import { countOf, listedRows, searchRows } from './search.ts'
import { EVERYWHERE, FROM, filledApi, TO } from './testing.ts'

type Query = NonNullable<CallOptions<typeof search>['query']>

async function allVehicles(api: TestApi): Promise<Vehicle[]> {
  const keys = await api.db.query<PassageKey>(
    sql`select location_id as "locationId", created_at as "createdAt", id from vehicle`,
  )
  return (await vehiclesByKeys(api.db, keys)).map(({ vehicle }) => vehicle)
}

const nameOf = ({ id, createdAt }: { id: number; createdAt: Date | string }) =>
  `${id} ${new Date(createdAt).toISOString()}`

const sortValue = (vehicle: Vehicle, column: SortColumn) =>
  column === 'locationId' ? vehicle.location.id : column === 'createdAt' ? +vehicle.createdAt : vehicle[column]

/** The expected order of a search, computed in memory. */
function inOrder(vehicles: readonly Vehicle[], query: Query): string[] {
  const sorts = ([1, 2, 3] as const).flatMap((place) => {
    const column = query[`orderByColumnName${place}`]
    return column ? [{ column, sign: query[`orderDirection${place}`] === 'asc' ? 1 : -1 }] : []
  })
  if (sorts.length === 0) sorts.push({ column: 'createdAt', sign: query.orderDirection1 === 'asc' ? 1 : -1 })
  sorts.push({ column: 'createdAt', sign: -1 })
  const compare = (a: Vehicle, b: Vehicle) => {
    for (const { column, sign } of sorts) {
      const [x, y] = [sortValue(a, column), sortValue(b, column)]
      if (x === y) continue
      if (x === null || y === null) return x === null ? 1 : -1
      return x < y ? -sign : sign
    }
    return a.id - b.id
  }
  return vehicles.toSorted(compare).map(nameOf)
}

const ALL_HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const inPoland = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Warsaw',
  weekday: 'short',
  hour: '2-digit',
  hourCycle: 'h23',
})

/** Whether hour, weekday, COST class and nationality are among those of the query; empty lists are no filter. */
function matchesOthers({ createdAt, ctg323, nationality }: Vehicle, query: ArchiveFilters): boolean {
  const parts = Object.fromEntries(inPoland.formatToParts(createdAt).map(({ type, value }) => [type, value]))
  const isAmong = <T>(value: T, list: readonly T[] = []) => list.length === 0 || list.includes(value)
  return (
    isAmong(Number(parts.hour), query.hours) &&
    isAmong(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts.weekday ?? ''), query.weekdays) &&
    isAmong(ctg323 ?? 0, query.ctg323) &&
    isAmong(nationality ?? '-', query.nationalities)
  )
}

function randomQuery(random: Random, vehicles: readonly Vehicle[]): Query {
  const some = <T>(list: readonly T[]) => list.filter(() => random.happens(0.5))
  const start = FROM.getTime() + (random.happens(0.3) ? 0 : random.below(+TO - +FROM))
  const end = random.happens(0.3) ? +TO : start + 1 + random.below(+TO - start)
  const query: Query = {
    dateTimeStart: new Date(start).toISOString(),
    dateTimeEnd: new Date(end).toISOString(),
    locations: random.pick([[3], [5, 7], [7, 3, 5, 3], [5, 4_000_000_000]]),
  }
  if (random.happens(0.3)) query.ctg8p1 = some(categories)
  if (random.happens(0.3)) query.laneNumbers = random.pick([[1], [2], [1, 2], [99_999]])
  if (random.happens(0.3)) for (const violation of violations) query[violation] = random.happens(0.4)
  if (random.happens(0.15)) query.hours = some(ALL_HOURS)
  if (random.happens(0.15)) query.weekdays = some([0, 1, 2, 3, 4, 5, 6])
  if (random.happens(0.15)) query.ctg323 = some([0, 1, 2, 3, 4, 5, 6, 7, 8])
  if (random.happens(0.15)) query.nationalities = [...some(['PL', 'LT', 'D', '-']), 'XX']
  for (const field of rangeFields) {
    if (!random.happens(0.12)) continue
    const values = vehicles.map((vehicle) => MEASURES[field](vehicle)).filter((value) => value !== null)
    const [a, b] = [random.pick(values), random.pick(values)].sort((x, y) => x - y) as [number, number]
    if (random.happens(0.7)) query[`min${field}`] = a
    if (random.happens(0.7)) query[`max${field}`] = b
  }
  if (random.happens(0.4)) {
    const plate = random.pick(vehicles).plateLpr ?? 'WX1'
    query.plateLpr = random.pick([
      plate,
      `${plate.slice(0, 2)}*`,
      `*${plate.slice(2)}`,
      plate.replace(/\d/, '?'),
      '*1?2*',
    ])
    if (random.happens(0.4)) query.similarity = random.pick([0, 20, 35, 60, 70, 100])
  }
  for (const place of [1, 2, 3] as const) {
    if (random.happens(0.4)) query[`orderByColumnName${place}`] = random.pick(sortColumns)
    if (random.happens(0.6)) query[`orderDirection${place}`] = random.pick(['asc', 'desc'])
  }
  return query
}

const MEASURES: Record<(typeof rangeFields)[number], (vehicle: Vehicle) => number | null> = {
  Speed: ({ speed }) => speed,
  TotalLoad: ({ totalLoad }) => totalLoad,
  VehLength: ({ vehLength }) => vehLength,
  VehHeight: ({ vehHeight }) => vehHeight,
  NumberOfAxles: ({ numberOfAxles }) => numberOfAxles,
  OverloadSA: ({ overloadSA }) => overloadSA,
  OverloadMA: ({ overloadMA }) => overloadMA,
  OverloadTL: ({ overloadTL }) => overloadTL,
}

test('pages and count of random searches equal those of an in-memory search', async () => {
  const api = await filledApi()
  const user = await api.as('ArchiveMeasurements')
  const vehicles = await allVehicles(api)
  expect(vehicles).toHaveLength(1_200)
  const random = seededRandom(7)
  let found = 0

  for (let round = 0; round < 150; round++) {
    // The first third has no derived data, the second some, the third all.
    if (round === 50 || round === 100) await updateDerived(api.db)
    const query = randomQuery(random, vehicles)
    const filters = searchQuery.parse(query)
    const expected = inOrder(
      vehicles.filter(
        (vehicle) =>
          vehicle.createdAt >= filters.dateTimeStart &&
          vehicle.createdAt < filters.dateTimeEnd &&
          matches(vehicle, filters) &&
          matchesOthers(vehicle, filters),
      ),
      query,
    )
    const limit = Math.max(7, Math.min(100, Math.ceil(expected.length / 4)))
    const union: string[] = []
    for (let page = 1; union.length < expected.length || page === 1; page++) {
      const { status, body } = await user.call(search, { query: { ...query, page, limit } })
      expect(status).toBe(200)
      expect(body.totalCount, JSON.stringify(query)).toBe(expected.length)
      if (expected.length > 0) expect(body.content.length).toBeGreaterThan(0)
      union.push(...body.content.map(nameOf))
    }
    expect(union, JSON.stringify(query)).toEqual(expected)
    found += expected.length
  }
  expect(found).toBeGreaterThan(5_000)
})

test('names each missing or invalid field and ignores unknown parameters', async () => {
  const api = await testApi()
  const user = await api.as('ArchiveMeasurements')
  const faults = async (query: object) => {
    const { status, errors } = await user.call(search, { query: query as Query })
    return [status, ...errors.map(({ path, code }) => `${path} ${code}`).sort()]
  }
  const [start, end] = [EVERYWHERE.dateTimeStart, EVERYWHERE.dateTimeEnd]
  const missing = (path: string) => `${path} required-parameter-missing`

  expect(await faults({})).toEqual([400, missing('dateTimeEnd'), missing('dateTimeStart'), missing('locations')])
  expect(await faults({ ...EVERYWHERE, locations: '' })).toEqual([400, missing('locations')])
  expect(await faults({ ...EVERYWHERE, dateTimeStart: end, dateTimeEnd: start })).toEqual([
    400,
    'dateTimeStart start-after-end',
  ])
  expect(await faults({ ...EVERYWHERE, dateTimeEnd: start })).toEqual([400, 'dateTimeStart start-after-end'])
  expect(
    await faults({ locations: 3, dateTimeStart: 'now', minSpeed: 9, maxSpeed: 8, minOverloadTL: 'x', limit: 101 }),
  ).toEqual([
    400,
    missing('dateTimeEnd'),
    'dateTimeStart invalid-date',
    'limit value-too-large',
    'minOverloadTL invalid-value',
    'minSpeed min-greater-than-max',
  ])
  expect(await faults({ ...EVERYWHERE, minSpeed: 9, maxSpeed: 0, orderByColumnName2: 'id' })).toEqual([
    400,
    'orderByColumnName2 unknown-option',
  ])
  expect(await faults({ ...EVERYWHERE, minSpeed: 9, maxSpeed: 0, colour: 'red' })).toEqual([200])
  expect(
    await faults({ ...EVERYWHERE, dateTimeStart: '0001-01-01T00:00:00Z', dateTimeEnd: '9999-12-31T00:00:00Z' }),
  ).toEqual([200])
})

test('the range includes its start and excludes its end', async () => {
  const api = await testApi()
  const station = await api.station()
  const user = await api.as('ArchiveMeasurements')
  await send(
    station,
    ['06:00:00', '06:30:00', '07:00:00'].map((at, index) => car(index + 1, { createdAt: `2026-10-20T${at}.000Z` })),
  )
  const between = async (from: string, to: string) => {
    const query = { locations: [7], dateTimeStart: `2026-10-20T${from}Z`, dateTimeEnd: `2026-10-20T${to}Z` }
    const { body } = await user.call(search, { query })
    return [body.totalCount, ...body.content.map(({ createdAt }) => createdAt.slice(11, 16))]
  }
  expect(await between('06:00:00', '07:00:00')).toEqual([2, '06:30', '06:00'])
  expect(await between('06:00:00.001', '07:00:00.001')).toEqual([2, '07:00', '06:30'])
  expect(await between('06:30:00', '06:30:00.001')).toEqual([1, '06:30'])
})

test('the last page has the remaining vehicles, later pages are empty', async () => {
  const api = await filledApi()
  const user = await api.as('ArchiveMeasurements')
  for (const orderByColumnName1 of ['createdAt', 'speed'] as const) {
    const page = async (page: number) => {
      const { body } = await user.call(search, { query: { ...EVERYWHERE, orderByColumnName1, page, limit: 70 } })
      return [body.totalCount, body.content.length]
    }
    expect(await page(17)).toEqual([1_200, 70])
    expect(await page(18)).toEqual([1_200, 10])
    expect(await page(19)).toEqual([1_200, 0])
    expect(await page(2 ** 50)).toEqual([1_200, 0])
  }
})

test('finds plates in any notation, by wildcards without SQL meaning, by similarity, and several of them', async () => {
  const api = await testApi()
  const station = await api.station()
  const user = await api.as('ArchiveMeasurements')
  const plates = ['WX 10-O1', 'WX1001', 'WX%1', 'WX_1', 'WX\\1', 'KR 55555', 'MÜ A77', null]
  await send(
    station,
    plates.map((plateLpr, index) => car(index + 1, { plateLpr, createdAt: '2026-10-20T06:00:00.000Z' })),
  )
  const range = { locations: [7], dateTimeStart: '2026-10-01T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }
  const foundBy = async (filter: object) => {
    const { body } = await user.call(search, { query: { ...range, ...filter } })
    expect(body.totalCount).toBe(body.content.length)
    return body.content.map((vehicle) => vehicle.plateLpr)
  }
  const found = (plateLpr: string, similarity?: number) =>
    foundBy(similarity === undefined ? { plateLpr } : { plateLpr, similarity })
  for (const derived of [false, true]) {
    if (derived) await updateDerived(api.db)
    expect(await found('wx 10 o1')).toEqual(['WX10O1'])
    expect(await found('WX%1')).toEqual(['WX%1'])
    expect(await found('WX?1')).toEqual(['WX%1', 'WX_1', 'WX\\1'])
    expect(await found('WX\\*')).toEqual(['WX\\1'])
    expect(await found('*01')).toEqual(['WX1001'])
    expect(await found('*')).toHaveLength(7)
    expect(await found('* - ')).toHaveLength(7)
    expect(await found(' - ')).toHaveLength(8)
    expect(await found('WX1OO1', 100)).toEqual(['WX10O1', 'WX1001'])
    expect(await found('WX1OO2', 50)).toEqual(['WX10O1', 'WX1001'])
    expect(await found('WX1OO2', 90)).toEqual([])
    expect(await found('muA77', 0)).toEqual([])
    expect(await found('*', 50)).toEqual([])
    expect(await foundBy({ plates: 'wx-1001,KR55555,WX1', plateLpr: 'WX_1' })).toEqual(['WX1001', 'KR55555'])
    expect(await foundBy({ plates: ['WX?1', 'WX_1'] })).toEqual(['WX_1'])
    expect(await foundBy({ plates: ' - ' })).toHaveLength(8)
    expect(await foundBy({ plates: ['wx-1001:PL', 'KR55555:D', 'WX_1:'] })).toEqual(['WX1001'])
    expect(await foundBy({ plates: ['WX1001:D', 'KR55555'] })).toEqual(['KR55555'])
    expect(await foundBy({ plates: ['wx1001: pl'] })).toEqual(['WX1001'])
  }
  const refused = await user.call(search, { query: { ...range, plates: ['WX1001', ' :PL'] } })
  expect(refused.errors.map(({ path, code }) => `${path} ${code}`)).toEqual(['plates.1 invalid-value'])
})

test('taggedOnly finds vehicles tagged by the caller, all of them without a page', async () => {
  const api = await filledApi()
  const [user, other] = [await api.as('ArchiveMeasurements'), await api.as('ArchiveMeasurements')]
  const { body } = await user.call(search, { query: { ...EVERYWHERE, limit: 25, overload: true } })
  for (const { id, createdAt, location } of body.content) {
    const query = { locationId: location.id, createdAt }
    for (const one of id % 2 ? [user, other] : [user]) await one.call(addTag, { params: { id }, query, body: {} })
  }
  const tagged = { ...EVERYWHERE, taggedOnly: true, withTags: true }

  const all = (await user.call(search, { query: tagged })).body
  expect([all.totalCount, all.content.map(nameOf)]).toEqual([25, body.content.map(nameOf)])
  expect(all.content.every(({ tags }) => tags?.length === 1)).toBe(true)
  const page = (await user.call(search, { query: { ...tagged, page: 3 } })).body
  expect([page.totalCount, page.content.map(nameOf)]).toEqual([25, body.content.slice(20).map(nameOf)])
  const theirs = (await other.call(search, { query: tagged })).body
  expect(theirs.totalCount).toBe(body.content.filter(({ id }) => id % 2).length)
  const none = await user.call(search, {
    query: { ...tagged, dateTimeStart: '2026-10-10T00:00:00Z', dateTimeEnd: '2026-10-20T00:00:00Z' },
  })
  expect(none.body).toEqual({ content: [], totalCount: 0 })
})

test('adds optional fields to the result as requested', async () => {
  const api = await filledApi()
  const user = await api.as('ArchiveMeasurements')
  const extras = async (flags: object) => {
    const { body } = await user.call(search, { query: { ...EVERYWHERE, limit: 1, minTotalLoad: 1, ...flags } })
    return ['axles', 'axlesComplex', 'images', 'shapeSamples', 'tags', 'euro'].filter(
      (name) => name in (body.content[0] ?? {}),
    )
  }
  expect(await extras({})).toEqual([])
  expect(await extras({ withAxles: true, withImages: true })).toEqual(['axles', 'axlesComplex', 'images'])
  expect(await extras({ withShapeSamples: true, withTags: true })).toEqual(['shapeSamples', 'tags'])
})

test('streams all rows in order, and frees the connection at the end or on an early exit', async () => {
  const api = await filledApi()
  const user = await api.as('ArchiveMeasurements')
  const query = searchQuery.parse({ ...EVERYWHERE, orderByColumnName1: 'speed', withAxles: true })
  expect(await countOf(api.db, query, user)).toBe(1_200)

  const batches: Vehicle[][] = []
  for await (const some of searchRows(api.db, query, user)) batches.push(some)
  expect(batches.map(({ length }) => length)).toEqual([500, 500, 200])
  const expected = inOrder(await allVehicles(api), { ...EVERYWHERE, orderByColumnName1: 'speed' })
  expect(batches.flat().map(nameOf)).toEqual(expected)
  expect(batches[0]?.[0]).toHaveProperty('axles')

  // More rounds than connections.
  for (let round = 0; round < 20; round++)
    for await (const some of searchRows(api.db, query, user)) if (some.length) break
  await expect(async () => {
    for await (const _ of searchRows(api.db, query, user)) throw new Error('cut')
  }).rejects.toThrow('cut')
  const open = () =>
    api.db.query(sql`
    select 1 from pg_stat_activity where datname = ${api.name} and state like 'idle in transaction%'`)
  await expect.poll(open).toHaveLength(0)
  expect(await countOf(api.db, query, user)).toBe(1_200)
})

test('list rows agree with the full vehicles', async () => {
  const api = await filledApi()
  const user = await api.as('ArchiveMeasurements')
  const restricted = { userId: user.userId, permissions: ['ROLE_37'] }
  await user.call(addTag, { params: { id: vehicleId(5, 9) }, query: { locationId: 5 }, body: {} })
  const query = searchQuery.parse({ ...EVERYWHERE, orderByColumnName1: 'totalLoad', withAxles: true, withTags: true })
  for (const caller of [user, restricted]) {
    const whole: Vehicle[] = []
    for await (const some of searchRows(api.db, query, caller)) whole.push(...some)
    const listed: ListVehicle[] = []
    for await (const some of listedRows(api.db, query, caller)) listed.push(...some)
    expect(listed).toHaveLength(1_200)
    // Every field of a list row equals that of the full vehicle.
    expect(whole).toMatchObject(listed)
    expect(listed.filter(({ tags }) => tags?.length)).toHaveLength(1)
    const plates = listed.flatMap(({ plateLpr }) => plateLpr ?? [])
    expect(plates.every((plate) => plate.includes('**'))).toBe(caller === restricted)
  }
})

test('slow searches leave connections to other requests', async () => {
  const api = await filledApi()
  const users = [await api.as('ArchiveMeasurements'), await api.as('ArchiveMeasurements')] as const
  const [user] = users
  const locker = await api.db.reserve()
  await locker.query(sql`begin`)
  await locker.execute(sql`lock table vehicle in access exclusive mode`)
  const searching = Array.from({ length: 8 }, (_, index) =>
    users[index % 2]?.call(search, { query: { ...EVERYWHERE, minSpeed: index + 1 } }),
  )
  // Cloned databases have equal relation ids. Sealing waits, too.
  const held = () =>
    api.db.query(sql`
      select 1 from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and l.relation = 'vehicle'::regclass and a.datname = current_database()
            and a.query not like '%received_at >=%'`)
  await expect.poll(async () => (await held()).length).toBe(4)
  expect(await held()).toHaveLength(4)
  expect((await user.call(ping)).status).toBe(204)
  await locker.query(sql`commit`)
  locker.release()
  for (const answer of await Promise.all(searching)) expect(answer?.status).toBe(200)
})

test('writes down each page of a search, and what was asked by plate', async () => {
  const api = await testApi()
  const station = await api.station()
  await send(station, [car(1, { createdAt: '2026-10-20T07:00:00Z', plateLpr: 'WX 12345' })])
  await updateDerived(api.db)
  const user = await api.as('ArchiveMeasurements')
  const range = { dateTimeStart: '2026-10-20T06:00:00.000Z', dateTimeEnd: '2026-10-20T08:00:00.000Z' }
  const query = { ...range, locations: [7], plateLpr: 'wx 123*' }
  await Promise.all([1, 2].map((page) => user.call(search, { query: { ...query, page } })))
  const several = { ...range, locations: [7], plates: ['WX12345:PL', 'KR9'] }
  expect((await user.call(search, { query: several })).body.totalCount).toBe(1)
  // A search of whatever was there, and one that finds nothing and asked for no plate.
  await user.call(search, { query: { ...range, locations: [7] } })
  await user.call(search, { query: { ...range, locations: [7], minSpeed: 200 } })
  await user.call(search, { query: { ...query, plateLpr: 'KR1' } })

  const lines = await trailOf(api)
  expect(lines.map(({ asked, results, plates }) => [asked, results, plates])).toEqual([
    ...[expect.anything(), expect.anything()],
    [['WX12345', 'KR9'], 1, 1],
    [[], 1, 1],
    [['KR1'], 0, 0],
  ])
  const [first, second] = lines.toSorted((a, b) => Number(a.criteria.page) - Number(b.criteria.page))
  expect(first).toMatchObject({ asked: ['wx 123*'], results: 1, plates: 1, userId: user.userId, kind: 'list' })
  expect(second).toMatchObject({ asked: ['wx 123*'], results: 1, plates: 0 })
  expect(JSON.stringify(lines.map(({ criteria }) => criteria))).not.toMatch(/wx|12345|KR/i)
  // HMAC-SHA256 of the identity form, the first 16 bytes.
  const key = await api.app.api.trail.key()
  expect(first?.shown).toEqual([macOf(key, 'WX12345')])

  const restricted = await api.as('ArchiveMeasurements', 'Anonymization')
  await restricted.call(search, { query: { ...range, locations: [7] } })
  expect(await trailOf(api)).toHaveLength(lines.length)
})
