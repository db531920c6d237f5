import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { explaining } from '../testing/plans.ts'
import { testApi } from '../testing/test-api.ts'
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
