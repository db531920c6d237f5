import { expect } from 'vitest'
import { sql } from '../core/statement.ts'
import type { TestApi } from '../testing/test-api.ts'

/** Resolves as soon as this number of requests wait for the lock of accounts. */
export const untilAccountsWait = ({ db }: TestApi, count: number): Promise<void> =>
  expect
    .poll(async () => {
      const rows = await db.query(sql`
        select from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`)
      return rows.length
    })
    .toBe(count)
