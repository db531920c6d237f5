import { quarterOf } from '@rogatka/domain/overview/comparable.ts'
import { expect, test } from 'vitest'
import { fillArchive } from '../archive/testing.ts'
import { sql } from '../core/statement.ts'
import { isOnOneServer } from '../testing/databases.ts'
import { explaining, type PlanRead } from '../testing/plans.ts'
import { testApi } from '../testing/test-api.ts'
import { countQuarters } from './derive-queries.ts'
import { readHistories, readTraffic } from './traffic.ts'

const [FROM, TO] = [new Date('2026-10-15T00:00:00Z'), new Date('2026-10-20T00:00:00Z')]
const VEHICLES = 12_000
const STATIONS = 8
/** As many as a country has: PostgreSQL 16 reads the whole table of fewer. */
const COUNTED_STATIONS = 40
const PER_HOUR = VEHICLES / 120

const rowsOf = (reads: readonly PlanRead[]) => reads.reduce((sum, { rows }) => sum + rows, 0)
const kindsOf = (reads: readonly PlanRead[]) => [...new Set(reads.map(({ by }) => by))]

test.runIf(isOnOneServer)('the overview and its job read only the hours that they count, by an index', async () => {
  const api = await testApi()
  await fillArchive(api.db, VEHICLES, STATIONS, FROM, TO)
  await api.db.execute(sql`
    insert into traffic_quarter (quarter, location_id, vehicles, weighed, overloaded)
    select q, s, 9, 3, 1
    from generate_series(${TO}::timestamptz - interval '58 days', ${TO}::timestamptz, interval '15 minutes') as q,
         generate_series(1, ${COUNTED_STATIONS}) as s`)
  await api.db.execute(sql`analyze traffic_quarter`)
  const { db, readsOf } = explaining(api)
  const now = new Date(TO.getTime() - 1_000)

  const recent = await readsOf(() => readTraffic(db, now))
  expect(kindsOf(recent)).toEqual(['vehicle_by_time'])
  expect(rowsOf(recent)).toBeLessThanOrEqual(1.1 * 1.25 * PER_HOUR)

  // Of 32 days, the hour before each of three ends of quarters and two quarters beside it: eight quarters.
  const histories = await readsOf(() => readHistories(db, now))
  expect(kindsOf(histories)).toEqual(['traffic_quarter_pkey'])
  expect(rowsOf(histories)).toBe(32 * 8 * COUNTED_STATIONS)

  const hour = new Date(quarterOf(now.getTime()) - 45 * 60_000)
  const counted = await readsOf(() => countQuarters(db, [{ locationId: 3, hour }]))
  // All stations of an hour, or the station alone.
  const expected = ['traffic_quarter_pkey', 'vehicle_by_time', 'vehicle_pkey']
  expect(kindsOf(counted).filter((kind) => !expected.includes(kind))).toEqual([])
  expect(rowsOf(counted)).toBeLessThanOrEqual(1.1 * (PER_HOUR + 4 * COUNTED_STATIONS))
  await db.end()
})
