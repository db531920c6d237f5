import type { Database } from './database.ts'
import { identifier, raw, type Statement, sql } from './statement.ts'

/** Maximum number of rows per statement, to limit how long its locks are held. */
const BATCH = 10_000

/** Repeats a deletion of at most `limit` rows until fewer are deleted. */
export async function deleteInBatches(deleteBatch: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteBatch(BATCH)) === BATCH);
}

/** Pages of 8 KB per statement. */
const PAGES = 1_000

/**
 * Deletes the rows of a table, without partitions, for which a condition holds: in one pass over its pages, some of them
 * in each statement, and without an index. Rows that are written meanwhile may stay.
 */
export async function deleteByPages(db: Database, table: string, condition: Statement): Promise<void> {
  const [size] = await db.query<{ pages: number }>(sql`
    select (pg_relation_size(${table}::regclass) / current_setting('block_size')::int)::int as pages`)
  for (let page = 0; page < (size?.pages ?? 0); page += PAGES)
    await db.execute(sql`
      delete from ${identifier(table)}
      where ctid >= ${raw(`'(${page},0)'::tid`)} and ctid < ${raw(`'(${page + PAGES},0)'::tid`)} and ${condition}`)
}
