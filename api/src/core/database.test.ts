import { expect, onTestFinished, test } from 'vitest'
import { connect, isDatabaseAway } from './database.ts'
import { liftTimeLimit } from './query-timeout.ts'
import { testApi } from './testing.ts'
import { startProxy } from './testing-proxy.ts'

const away = (work: PromiseLike<unknown>) =>
  work.then(
    (answer) => `answered ${JSON.stringify(answer)}`,
    (error: unknown) => isDatabaseAway(error),
  )

test('a database that falls silent fails every query in time, and new connections are used once it is back', async () => {
  const { url } = await testApi()
  const proxy = await startProxy(url)
  const pool = connect(proxy.url, 2, 400)
  onTestFinished(() => pool.end({ timeout: 0 }))
  expect(await pool`select 1 as one`).toEqual([{ one: 1 }])

  const inside = Promise.withResolvers<void>()
  const frozen = Promise.withResolvers<void>()
  const transaction = away(
    pool.begin(async (sql) => {
      await sql`select 1`
      inside.resolve()
      await frozen.promise
      await sql`select 2`
    }),
  )
  await inside.promise
  proxy.freeze()
  frozen.resolve()
  const failures = [
    transaction,
    ...Array.from({ length: 5 }, () => away(pool`select 1`)),
    away(pool.unsafe('select 1')),
    away(pool.begin((sql) => sql`select 1`)),
  ]
  expect(await Promise.all(failures)).toEqual(Array(failures.length).fill(true))

  proxy.thaw()
  await expect.poll(() => away(pool`select 1 as one`), { timeout: 10_000 }).toBe('answered [{"one":1}]')
  expect(await pool.begin((sql) => sql`select 2 as two`)).toEqual([{ two: 2 }])
})

test('a statement over its time is an outage to its caller, unless its transaction lifted the limit', async () => {
  const { url } = await testApi()
  const pool = connect(url, 2, 300)
  onTestFinished(() => pool.end({ timeout: 0 }))
  expect(await away(pool`select pg_sleep(20)`)).toBe(true)
  const answer = await pool.begin(async (sql) => {
    await liftTimeLimit(sql)
    await sql`select pg_sleep(0.5)`
    return sql`select 3 as three`
  })
  expect(answer).toEqual([{ three: 3 }])
})

test('a statement that the database itself stops is an outage to its caller', async () => {
  const { sql } = await testApi()
  const stopped = sql.begin(async (sql) => {
    await sql`set local statement_timeout = 20`
    await sql`select pg_sleep(20)`
  })
  expect(await away(stopped)).toBe(true)
})
