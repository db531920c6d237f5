import { audit } from '@rogatka/contract/activity.ts'
import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import * as inspections from '@rogatka/contract/inspections.ts'
import * as endpoints from '@rogatka/contract/offenders.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { expect, test } from 'vitest'
import type { Database } from '../core/database.ts'
import { openFiles } from '../core/open-files.ts'
import { sql } from '../core/statement.ts'
import { deleteExpiredInspections } from '../inspections/maintenance.ts'
import { addRequest } from '../inspections/testing.ts'
import type { Client } from '../testing/test-api.ts'
import { dropExpired } from '../vehicle/maintenance.ts'
import { insertSums } from './count-queries.ts'
import { reviewOffenders } from './derive.ts'
import { idOf, NOTHING_WRONG, passage, passages, scene } from './testing-scene.ts'
import { verifyOffenders } from './verify.ts'

/** A key of a carrier: 16 bytes that say nothing. */
const OPAQUE = /^[\w-]{22}$/

/** Stores so many overloaded vehicles of a plate, of one time. */
const addOverloads = (db: Database, plate: string, count: number, nationality: string | null = 'PL') =>
  db.execute(sql`
  insert into vehicle (created_at, id, location_id, lane_number, ctg8p1, violations, plate_lpr, nationality)
  select '2026-10-05T10:00:00Z', (select count(*) from vehicle) + 1000000 + n, 7, 1, 8, 1, ${plate}, ${nationality}
  from generate_series(1, ${count}::int) as n`)

test('a plate that is detected more often than any vehicle passes is no vehicle, and nothing is joined to it', async () => {
  const { api, stations, plates, store, derive } = await scene()
  await store(stations[0], [...passages('NOPLATE', 4, 3), ...passages('N0PLATE', 1, 1), ...passages('WGM4K281', 4, 3)])
  await derive()
  expect((await plates()).map(([plate]) => plate).sort()).toEqual(['NOPLATE', 'WGM4K281'])
  // With the next one 10,000 in all.
  await addOverloads(api.db, 'NOPLATE', 9_995)
  await store(stations[0], [passage('NOPLATE', '2026-10-05T10:30:00Z', true)])
  await derive()
  expect(await plates()).toContainEqual(['NOPLATE', 10_000, 9_999])
  await store(stations[0], [passage('NOPLATE', '2026-10-05T10:31:00Z', true)])
  await derive()
  expect(await plates()).toEqual([['WGM4K281', 4, 3]])
  const { differences, wrongSums, wrongVehicles } = await verifyOffenders(api.db, api.clock.now)
  expect([differences, wrongSums, wrongVehicles]).toEqual([[], 0, 0])
})

test('the detail of a vehicle has no passages of a placeholder that has the same spelling', async () => {
  const { api, stations, user, store, derive } = await scene()
  await addOverloads(api.db, 'NOPLATE', 10_000)
  await store(stations[0], [...passages('NOPL\u0410TE', 4, 3), passage('NOPLATE', '2026-10-05T10:30:00Z', true)])
  await derive()
  const { body } = await user.call(endpoints.read, { params: { id: await idOf(user, 'NOPLATE') } })
  expect([body.passages, body.overloads]).toEqual([4, 3])
  expect(body.spellings.map(({ passages }) => passages)).toEqual([4])
  expect(body.lastPassages.map(({ plateLpr }) => plateLpr)).toEqual(Array(4).fill('NOPL\u0410TE'))
})

test('a placeholder is a vehicle again when its oldest passages are deleted', async () => {
  const { api, stations, plates, store, derive } = await scene()
  // Of no country, as cameras that could not read the plate.
  const unread = { nationality: null }
  await addOverloads(api.db, 'NOPLATE', 9_999, null)
  await addOverloads(api.db, 'UNKNOWN', 9_999, null)
  await store(stations[0], [
    // With these 10,001 of each.
    ...['NOPLATE', 'UNKNOWN'].flatMap((plate) => [
      passage(plate, '2026-08-20T10:00:00Z', true, unread),
      passage(plate, '2026-10-05T10:30:00Z', true, unread),
    ]),
    // The same spelling, with a Cyrillic letter.
    ...passages('UNKN\u041eWN', 4, 3, unread),
    // So that no day of these is the oldest one.
    passage('WGM4K281', '2026-09-10T10:00:00Z', false),
  ])
  await derive()
  expect(await plates()).toEqual([['UNKNOWN', 4, 3]])
  const { config } = api.app.api
  await dropExpired(api.db, openFiles(config), api.clock.now, { ...config, retentionDays: 49 })
  await reviewOffenders(api.db, api.clock.now)
  expect(await plates({ repeatOnly: false })).toEqual([
    ['UNKNOWN', 10_004, 10_003],
    ['NOPLATE', 10_000, 10_000],
  ])
  expect(await verifyOffenders(api.db, api.clock.now)).toEqual(NOTHING_WRONG)
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
    carrier: { key: expect.stringMatching(OPAQUE), name: 'Trans-Pol', taxId: '1234563218' },
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
  const carrierKey = body.carrier?.key ?? ''
  expect((await listed({ groupBy: 'carrier' })).content.map((row) => row.carrier?.key)).toEqual([carrierKey])
  const carrier = (await user.call(endpoints.readCarrier, { query: { key: carrierKey } })).body
  expect(carrier).toMatchObject({
    carrier: { key: carrierKey, name: 'Trans-Pol' },
    passages: 14,
    overloads: 5,
    vehicles: [{ id, plate: 'WGM4K281', country: 'PL', joined: 2, passages: 14, overloads: 5 }],
    inspections: [{ id: added.body.id }],
  })
  expect(carrier.lastPassages).toEqual(body.lastPassages)
  for (const other of ['trans-pol', '1234563218', `${carrierKey.slice(1)}A`]) {
    const unknown = await user.call(endpoints.readCarrier, { query: { key: other } })
    expect(unknown.errors[0]?.code).toBe('offender-not-found')
  }
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
    (await listed({ groupBy: 'carrier' })).content.map((row) => [row.carrier?.name, row.overloads])
  expect(await carriers()).toEqual([['Kruszywa Narew', 5]])
  // One that is withdrawn counts, without a carrier.
  const last = sent[11] as WireMeasurement
  api.clock.now = new Date(Date.parse(last.createdAt) + 3_600_000)
  const another = await api.as('Inspections')
  const announced = await another.call(
    inspections.add,
    addRequest(last.sequence, { createdAt: last.createdAt, state: 'takenOver' }),
  )
  const { id: lastId } = announced.body
  await another.call(inspections.withdraw, { params: { id: lastId }, body: { version: 1, reason: 'Nie zatrzymano' } })
  api.clock.now = now
  for (const groupBy of ['plate', 'carrier'])
    expect((await listed({ groupBy })).content).toMatchObject([
      { carrier: { name: 'Kruszywa Narew' }, inspections: 3, lastInspection: { id: lastId, state: 'withdrawn' } },
    ])
  const wrongCarriers = async () => (await verifyOffenders(api.db, now)).wrongCarriers
  expect(await wrongCarriers()).toBe(0)
  await api.db.execute(sql`update inspection set carrier = 'Inny' where id = ${later.body.id}`)
  expect(await wrongCarriers()).toBe(1)
  expect((await user.call(endpoints.readCarrier, { query: { key: carrierKey } })).status).toBe(404)
  await deleteExpiredInspections(api.db, openFiles(api.app.api.config), now, { inspectionRetentionDays: 1 })
  await derive()
  expect(await carriers()).toEqual([])
  // By the id of any of its spellings.
  const [variant] = await api.db.query<{ id: number }>(sql`select id from spelling where form = 'WGM4K28I'`)
  expect((await user.call(endpoints.read, { params: { id: variant?.id as number } })).body.id).toBe(id)
})

test('lists are sorted and paged, and refuse a reversed range and invalid dates', async () => {
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

test('the largest excess of a range sorts thousands of vehicles, regardless of earlier excesses', async () => {
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
  await insertSums(api.db, sql`true`)
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

test('a split plate stays apart after later arrivals, and is audited', async () => {
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
