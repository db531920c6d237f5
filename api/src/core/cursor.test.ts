import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { eventually, type TestApi, testApi } from '../testing/test-api.ts'
import { streamFromSnapshot } from './cursor.ts'
import type { Database } from './database.ts'
import { sql } from './statement.ts'

const ended: string[] = []

async function* counting(db: Database) {
  try {
    for (let n = 1; n <= 5; n++) {
      const [row] = await db.query<{ n: number; pid: number }>(sql`select ${n}::int as n, pg_backend_pid() as pid`)
      yield row as { n: number; pid: number }
    }
  } finally {
    ended.push('work')
  }
}
/** Background jobs have transactions too, which end by themselves. */
const expectNoOpenTransaction = (api: TestApi) =>
  expect
    .poll(() => api.db.query(sql`select from pg_stat_activity where datname = ${api.name} and xact_start < now()`))
    .toHaveLength(0)

test('yields rows of one snapshot, and frees its connection at the end', async () => {
  const api = await testApi()
  await api.db.execute(sql`create table thing (n int)`)
  const seen: number[] = []
  async function* counts(db: Database) {
    for (let time = 0; time < 3; time++) {
      const [row] = await db.query<{ things: number }>(sql`select count(*)::int as things from thing`)
      yield row?.things ?? -1
    }
  }
  for await (const things of streamFromSnapshot(api.db, counts)) {
    seen.push(things)
    await api.db.execute(sql`insert into thing values (1)`)
  }
  expect(seen).toEqual([0, 0, 0])
  await expectNoOpenTransaction(api)
})

test('ends the generator and its transaction when the consumer stops', async () => {
  const api = await testApi()
  ended.length = 0
  for await (const { n } of streamFromSnapshot(api.db, counting)) if (n === 2) break
  expect(ended).toEqual(['work'])
  await expectNoOpenTransaction(api)
  const never = streamFromSnapshot(api.db, counting)
  await never.return()
  expect(ended).toEqual(['work'])
})

test('retains no rows that the consumer has finished with', async () => {
  const api = await testApi()
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const read: WeakRef<object>[] = []
  for await (const row of streamFromSnapshot(api.db, counting)) {
    read.push(new WeakRef(row))
    if (read.length < 5) continue
    // A weak reference keeps its target until the end of the current task.
    await setImmediate()
    collectGarbage()
    expect(read.slice(0, 3).map((row) => row.deref())).toEqual([undefined, undefined, undefined])
  }
  expect(read).toHaveLength(5)
})

test('passes errors of the generator to the consumer', async () => {
  const api = await testApi()
  async function* broken(db: Database) {
    yield 1
    await db.query(sql`select 1 / 0`)
  }
  const read = async () => {
    for await (const _ of streamFromSnapshot(api.db, broken));
  }
  await expect(read()).rejects.toThrow('division by zero')
  await expectNoOpenTransaction(api)
})

/** Whether the pool is usable: the driver may report the loss once more to the next user of the connection. */
const isWell = (api: TestApi) =>
  eventually(async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => api.db.query(sql`select ${n}::int as n`)))
    expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 20 }, (_, n) => n))
  })

test('a connection lost while idle throws, and does not affect later queries', async () => {
  const api = await testApi()
  const rows = streamFromSnapshot(api.db, counting)
  const { value } = await rows.next()
  await api.db.query(sql`select pg_terminate_backend(${value?.pid ?? 0}::int)`)
  await expect(rows.next()).rejects.toThrow()
  await isWell(api)
})

test('a connection lost during a query throws, and does not affect later queries', async () => {
  const api = await testApi()
  async function* waiting(db: Database) {
    yield await db.query(sql`select 1`)
    yield await db.query(sql`select pg_sleep(3600)`)
  }
  const rows = streamFromSnapshot(api.db, waiting)
  await rows.next()
  const failed = expect(rows.next()).rejects.toThrow()
  await eventually(async () => {
    const cut = await api.db.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${api.name} and query like '%pg_sleep(3600)' and pid <> pg_backend_pid()`)
    expect(cut).toHaveLength(1)
  })
  await failed
  await isWell(api)
})
