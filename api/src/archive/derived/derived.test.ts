import { search } from '@rogatka/contract/archive.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, onTestFinished, test } from 'vitest'
import { dropPartitionsBefore } from '../../core/partitions.ts'
import { sql } from '../../core/statement.ts'
import { car, send } from '../../ingest/testing.ts'
import { isOnOneServer } from '../../testing/databases.ts'
import { explaining } from '../../testing/plans.ts'
import { type CallOptions, testApi } from '../../testing/test-api.ts'
import { anyMeasurement, EVERYWHERE, FROM, filledApi, stationWithId, TO } from '../testing.ts'
import { verifyCounts } from '../verify.ts'
import { currentState, updateDerived, verifyDays } from './maintenance.ts'

type Query = NonNullable<CallOptions<typeof search>['query']>

test('a late vehicle is in the next result of every process, despite cached counts', async () => {
  const api = await filledApi()
  const other = await testApi({}, { name: api.name, clock: api.clock })
  await updateDerived(api.db)
  const [user] = [await api.as('ArchiveMeasurements')]
  const elsewhere = other.client(user.token)
  const station = await api.station(stationWithId(11))
  const queries: Query[] = [
    { ...EVERYWHERE, locations: [3, 11] },
    { ...EVERYWHERE, locations: [3, 11], minSpeed: 1 },
    { ...EVERYWHERE, locations: [3, 11], minSpeed: 1, orderByColumnName1: 'speed', orderDirection1: 'desc' },
    { ...EVERYWHERE, locations: [3, 11], plateLpr: 'LATE*' },
    { ...EVERYWHERE, locations: [3, 11], plateLpr: 'LATE1', similarity: 70 },
  ]
  const ask = () => Promise.all(queries.flatMap((query) => [user, elsewhere].map((one) => one.call(search, { query }))))
  const before = (await ask()).map(({ body }) => body.totalCount)

  for (const [index, createdAt] of [
    '2026-10-01T12:00:00.000Z',
    '2026-09-29T10:30:00.000Z',
    '2026-10-01T12:00:01.000Z',
  ].entries()) {
    const late = car(index + 1, { createdAt, plateLpr: 'LATE1', speed: 200 })
    expect((await send(station, [late])).body.accepted).toBe(1)
    const answers = await ask()
    expect(answers.map(({ body }) => body.totalCount)).toEqual(before.map((count) => count + index + 1))
    for (const { body } of answers.slice(4)) expect(body.content[0]?.plateLpr).toBe('LATE1')
    if (index === 1) await updateDerived(api.db)
  }
})

test('repeated searches return consistent pages while vehicles arrive', async () => {
  const api = await filledApi()
  const user = await api.as('ArchiveMeasurements')
  const station = await api.station(stationWithId(11))
  const random = seededRandom(3)
  let sending = true
  const sendAll = async () => {
    for (let part = 0; part < 8; part++) {
      const sent = Array.from({ length: 40 }, (_, index) => anyMeasurement(part * 40 + index + 1, FROM, TO, random))
      await send(station, sent)
      await updateDerived(api.db)
    }
    sending = false
  }
  const askAgain = async (query: Query) => {
    let last = 0
    while (sending) {
      const { body } = await user.call(search, { query: { ...query, limit: 100 } })
      expect(body.totalCount).toBeGreaterThanOrEqual(last)
      // Citus reads the vehicles outside of the snapshot of the roll-ups.
      if (isOnOneServer) expect(body.content).toHaveLength(Math.min(100, body.totalCount))
      last = body.totalCount
    }
  }
  const query = { ...EVERYWHERE, locations: [3, 5, 7, 11] }
  await Promise.all([
    sendAll(),
    askAgain(query),
    askAgain({ ...query, minSpeed: 60 }),
    askAgain({ ...query, wrongDirection: true }),
  ])
  const { body } = await user.call(search, { query: { ...query, limit: 100, page: 16 } })
  expect(body).toMatchObject({ totalCount: 1_520, content: { length: 20 } })
})

test('counts vehicles of a transaction that commits after the derived tables are updated', async () => {
  const api = await testApi()
  const station = await api.station()
  const user = await api.as('ArchiveMeasurements')
  const query = { locations: [7], dateTimeStart: '2026-10-18T00:00:00Z', dateTimeEnd: '2026-10-20T00:00:00Z' }
  const total = async () => (await user.call(search, { query })).body.totalCount
  const at = '2026-10-18T12:00:00.000Z'
  await send(station, [car(1, { createdAt: at })])

  const held = await api.db.reserve()
  await held.query(sql`begin`)
  await held.execute(sql`update traffic_hour set vehicles = vehicles where location_id = 7`)
  const sending = send(station, [car(2, { createdAt: at, plateLpr: 'SLOW 1' })])
  await expect
    .poll(
      async () =>
        (
          await api.db.query(
            sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = ${api.name}`,
          )
        ).length,
    )
    .toBe(1)
  await updateDerived(api.db)
  expect(await total()).toBe(1)
  await held.query(sql`commit`)
  held.release()
  await sending

  expect(await total()).toBe(2)
  expect((await user.call(search, { query: { ...query, plateLpr: 'SLO*' } })).body.totalCount).toBe(1)
  await updateDerived(api.db)
  expect(await total()).toBe(2)
  const days = await api.db.query(
    sql`select dimensions, sum(vehicles)::int as vehicles from vehicle_day group by 1 order by 1`,
  )
  expect(days).toEqual([0, 1, 2, 4, 7].map((dimensions) => ({ dimensions, vehicles: 2 })))
})

test('catches up once after a restore into a cluster with a lower transaction counter', async () => {
  const api = await filledApi()
  const user = await api.as('ArchiveMeasurements')
  await updateDerived(api.db)
  // As written by a cluster with higher transaction numbers.
  await api.db.execute(sql`update archive_progress set through = through + ${2 ** 45}`)
  await api.db.execute(sql`update arrival set written_by = written_by + ${2 ** 45}`)
  await send(await api.station(stationWithId(3)), [car(9_999, { createdAt: '2026-10-01T12:00:00.000Z' })])
  const total = async () => (await user.call(search, { query: EVERYWHERE })).body.totalCount
  expect(await total()).toBe(1_201)
  const left = async () => {
    await updateDerived(api.db)
    expect(await total()).toBe(1_201)
    return (await currentState(api.db)).underived
  }
  await expect.poll(left).toEqual([])
  expect(await verifyDays(api.db)).toEqual([])
  expect(await verifyCounts(api.db)).toEqual([])
})

test('catches up once on arrivals whose transaction numbers are ahead of the cluster', async () => {
  const api = await filledApi()
  await updateDerived(api.db)
  await api.db.execute(sql`update arrival set written_by = written_by + ${2 ** 45} where location_id = 5`)
  const left = async () => {
    await updateDerived(api.db)
    return (await currentState(api.db)).underived
  }
  await expect.poll(left).toEqual([])
  expect(await verifyCounts(api.db)).toEqual([])
})

test('does not count vehicles of dropped partitions, and deletes their plates', async () => {
  const api = await filledApi()
  const user = await api.as('ArchiveMeasurements')
  const total = async () => (await user.call(search, { query: EVERYWHERE })).body.totalCount
  await updateDerived(api.db)
  expect(await total()).toBe(1_200)
  await dropPartitionsBefore(api.db, 'vehicle', new Date('2026-10-01'))
  const [left] = await api.db.query<{ count: number }>(sql`select count(*)::int from vehicle`)
  expect(await total()).toBe(left?.count)
  await updateDerived(api.db)
  expect(await total()).toBe(left?.count)
  const strangers = await api.db.query(
    sql`select 1 from plate where plate not in (select plate_lpr from vehicle where plate_lpr is not null)`,
  )
  expect(strangers).toHaveLength(0)
})

test.runIf(isOnOneServer)(
  'reads no table as a whole while no partition was dropped, and deletes derived rows once one was',
  async () => {
    const api = await filledApi()
    await updateDerived(api.db)
    const rowsBefore = async () =>
      (
        await api.db.query<{ rows: number }>(sql`
        select (select count(*) from vehicle_day where day < '2026-10-01')::int
             + (select count(*) from arrival where hour < '2026-10-01T00:00:00Z')::int as rows`)
      )[0]?.rows
    expect(await rowsBefore()).toBeGreaterThan(0)
    // As many as the planner reads by an index.
    await api.db.execute(sql`
    insert into arrival select timestamptz '2030-01-01' + make_interval(hours => n), 1, 5 from generate_series(1, 20000) n`)
    await api.db.execute(sql`analyze arrival`)
    const statements: string[] = []
    const { db, readsOf } = explaining(api, (statement) => statements.push(statement) > 0)
    onTestFinished(() => db.end(1_000))
    const run = async () => {
      statements.length = 0
      const reads = await readsOf(() => updateDerived(db))
      return {
        whole: reads.filter(({ by }) => /^all of (plate|vehicle_day|arrival)$/.test(by)).map(({ by }) => by),
        deletions: statements.filter((statement) => /^\s*delete/.test(statement)).length,
      }
    }
    // The explained connection may derive what an open transaction of the cluster has held back.
    await expect.poll(run).toEqual({ whole: [], deletions: 0 })

    await dropPartitionsBefore(api.db, 'vehicle', new Date('2026-10-01'))
    expect(await run()).toEqual({ whole: [], deletions: 3 })
    expect(await rowsBefore()).toBe(0)
    expect(await run()).toEqual({ whole: [], deletions: 0 })
  },
)

test('verification finds wrong daily counts and skips pending ones', async () => {
  const api = await filledApi()
  expect(await verifyDays(api.db)).toEqual([])
  await updateDerived(api.db)
  await send(await api.station(stationWithId(3)), [car(9_999, { createdAt: '2026-10-01T12:00:00.000Z' })])
  expect(await verifyDays(api.db)).toEqual([])
  // Any open transaction of the cluster may hold back derivation, also of other databases.
  const underived = async () => {
    await updateDerived(api.db)
    return (await currentState(api.db)).underived
  }
  await expect.poll(underived).toEqual([])
  expect(await verifyDays(api.db)).toEqual([])

  await api.db.execute(
    sql`update vehicle_day set vehicles = vehicles + 1 where day = '2026-10-01' and location_id = 3 and dimensions = 0`,
  )
  await api.db.execute(sql`delete from vehicle_day where day = '2026-10-02' and location_id = 5 and dimensions = 2`)
  expect(await verifyDays(api.db)).toEqual([
    { locationId: 3, day: '2026-10-01' },
    { locationId: 5, day: '2026-10-02' },
  ])
})
