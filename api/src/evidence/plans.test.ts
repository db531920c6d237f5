import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { expect, test } from 'vitest'
import { daysBetween } from '../core/partitions.ts'
import { sql } from '../core/statement.ts'
import { isOnOneServer } from '../testing/databases.ts'
import { explaining } from '../testing/plans.ts'
import { testApi } from '../testing/test-api.ts'
import { ensureVehiclePartitions } from '../vehicle/maintenance.ts'
import { visitWithoutEnd } from './line-queries.ts'
import { findMisdated } from './passage-queries.ts'
import { firstSealSince, sealedBetween } from './seal-queries.ts'

const BEGIN = new Date('2026-01-01T00:00:00Z')
const DAYS = 200
/** One in a quarter of an hour. */
const LINES_OF_DAY = 96

test('ranges of a chain are found by the times of their lines, without the rest of the chain', async () => {
  const api = await testApi()
  await api.db.execute(sql`
    insert into log_seal (chain, seq, source_id, source_at, hash)
    select chain, n, n, ${BEGIN}::timestamptz + (n - 1) * interval '15 minutes', sha256('a')
    from generate_series(1, ${DAYS * LINES_OF_DAY}) n, unnest(array['access', 'visits']) chain`)
  await api.db.execute(sql`analyze log_seal`)
  const { db, readsOf } = explaining(api)
  const day = (number: number) => new Date(BEGIN.getTime() + number * DAY_MS)
  const rowsOf = async <T>(run: () => Promise<T>) => {
    const found: T[] = []
    const reads = await readsOf(async () => found.push(await run()))
    expect(reads.filter(({ by }) => !['log_seal_by_time', 'log_seal_pkey'].includes(by))).toEqual([])
    return { found: found[0], rows: reads.reduce((sum, { rows }) => sum + rows, 0) }
  }

  for (const first of [0, 100, DAYS - 1]) {
    const numbers = { first: first * LINES_OF_DAY + 1, last: (first + 1) * LINES_OF_DAY }
    const range = { from: day(first), to: day(first + 1) }
    expect(await rowsOf(() => sealedBetween(db, 'access', range))).toEqual({ found: numbers, rows: LINES_OF_DAY })
  }
  expect(await rowsOf(() => firstSealSince(db, 'access', day(DAYS - 1)))).toEqual({
    found: (DAYS - 1) * LINES_OF_DAY + 1,
    rows: LINES_OF_DAY,
  })
  // The last number of the chain.
  expect(await rowsOf(() => firstSealSince(db, 'access', day(DAYS)))).toEqual({
    found: DAYS * LINES_OF_DAY + 1,
    rows: 1,
  })
  expect(await rowsOf(() => firstSealSince(db, 'audit', day(0)))).toEqual({ found: 1, rows: 0 })
  expect(await rowsOf(() => sealedBetween(db, 'access', { from: day(DAYS), to: day(DAYS + 1) }))).toEqual({
    found: undefined,
    rows: 0,
  })
  await db.end()
})

test.runIf(isOnOneServer)(
  'misdated vehicles and images are found by their receipt, in no partition as a whole',
  async () => {
    const api = await testApi()
    const end = new Date(BEGIN.getTime() + 90 * DAY_MS)
    await ensureVehiclePartitions(api.db, daysBetween(BEGIN, end), 'month')
    const times = sql`
    generate_series(${BEGIN}::timestamptz, ${end}::timestamptz, interval '1 minute') with ordinality as g (t, n)`
    await api.db.execute(sql`
    insert into vehicle (location_id, id, created_at, received_at, lane_number, ctg8p1, violations)
    select 7, n, t, t + interval '1 second', 1, 7, 0 from ${times}`)
    await api.db.execute(sql`
    insert into vehicle_image (location_id, id, created_at, received_at, size, type, sha256)
    select 7, n, t, t + interval '1 second', 1, 1, sha256('a') from ${times}`)
    await api.db.execute(sql`vacuum analyze vehicle, vehicle_image`)
    const { db, readsOf } = explaining(api)
    // The first two months are older than the first seal.
    const first = new Date(BEGIN.getTime() + 59 * DAY_MS)
    const range = { latest: end, first, measuredSince: new Date(first.getTime() + HOUR_MS) }
    const misdated = async () => {
      const found: unknown[] = []
      const reads = await readsOf(async () => found.push(await findMisdated(db, range)))
      // At most a range of blocks of a BRIN index.
      expect(reads.filter(({ rows }) => rows > 1_280)).toEqual([])
      return found[0]
    }
    const key = { locationId: 7, createdAt: new Date(BEGIN.getTime() + 60 * DAY_MS), id: 60 * 24 * 60 + 1 }
    const receive = async (table: 'vehicle' | 'vehicle_image', receivedAt: Date) => {
      const at = sql`received_at = ${receivedAt}::timestamptz`
      await api.db.execute(
        table === 'vehicle'
          ? sql`update vehicle set ${at} where created_at = ${key.createdAt}::timestamptz`
          : sql`update vehicle_image set ${at} where created_at = ${key.createdAt}::timestamptz`,
      )
      return receivedAt
    }
    // Received a second after the end.
    expect(await misdated()).toMatchObject({ createdAt: end, type: null })
    range.latest = new Date(end.getTime() + HOUR_MS)
    expect(await misdated()).toBeUndefined()
    for (const receivedAt of [new Date(BEGIN.getTime() - 1), new Date(range.latest.getTime() + 1)]) {
      await receive('vehicle_image', receivedAt)
      expect(await misdated()).toEqual({ ...key, receivedAt, type: 1 })
      await receive('vehicle', receivedAt)
      expect(await misdated()).toEqual({ ...key, receivedAt, type: null })
      for (const table of ['vehicle', 'vehicle_image'] as const) await receive(table, key.createdAt)
    }
    await db.end()
  },
)

test('visits without an end are looked for in the months of their lines', async () => {
  const api = await testApi()
  const months = ['2026-01-01', '2026-02-01', '2026-03-01']
  for (const table of ['access_trail', 'access_visit_end'])
    for (const month of months) await api.db.query(sql`select create_trail_partition(${table}::text, ${month}::date)`)
  const times = sql`generate_series(timestamptz '2026-01-01', '2026-03-31', interval '1 minute') with ordinality g (t, n)`
  await api.db.execute(sql`
    insert into access_trail (id, at, user_name, session, call, kind, criteria, results, plates, is_visit)
    select n, t, 'a', 'a', 'GET /a', 1, '{}', 1, 1, true from ${times}`)
  await api.db.execute(sql`
    insert into access_visit_end (id, at, ended_at, results, plates) select n, t, t, 1, 1 from ${times}
    where t <> '2026-02-03T12:00:00Z'`)
  await api.db.execute(sql`analyze access_trail, access_visit_end, access_visit`)
  const { db, readsOf } = explaining(api)
  const range = { from: new Date('2026-02-03T00:00:00Z'), to: new Date('2026-02-04T00:00:00Z') }
  const found: unknown[] = []
  const reads = await readsOf(async () => found.push(await visitWithoutEnd(db, range)))
  expect(found).toMatchObject([{ at: new Date('2026-02-03T12:00:00Z') }])
  expect(reads.filter(({ by }) => !/_2026_02|access_visit$|access_visit_pkey/.test(by))).toEqual([])
  expect(reads.filter(({ rows }) => rows > 1_441)).toEqual([])
  await db.end()
})
