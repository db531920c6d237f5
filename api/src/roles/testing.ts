import { sql } from '../core/statement.ts'
import type { TestApi } from '../testing/test-api.ts'

/** Waits until this many requests wait for the accounts lock. */
export const waiting = async ({ db }: TestApi, count: number) => {
  for (;;) {
    const [row] = await db.query<{ count: number }>(sql`
      select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`)
    if (row?.count === count) return
  }
}
