import { expect, test } from 'vitest'
import { testApi } from '../testing/test-api.ts'
import { deleteByPages } from './delete-batches.ts'
import { sql } from './statement.ts'

test("deletes matching rows of all pages, in statements that do not read each other's", async () => {
  const { db } = await testApi()
  await db.execute(sql`create table thing as select n from generate_series(1, 500000) n`)
  let statements = 0
  const counted = {
    ...db,
    execute: (statement: Parameters<typeof db.execute>[0]) => {
      statements += 1
      return db.execute(statement)
    },
  }
  await deleteByPages(counted, 'thing', sql`n % 2 = 0`)
  // 226 rows of 4 bytes fit a page: 2,213 pages.
  expect(statements).toBe(3)
  expect(
    await db.query(sql`select count(*)::int as rows, count(*) filter (where n % 2 = 0)::int as even from thing`),
  ).toEqual([{ rows: 250_000, even: 0 }])
  await deleteByPages(db, 'thing', sql`true`)
  expect(await db.query(sql`select from thing`)).toEqual([])
})
