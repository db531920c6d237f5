import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connect } from './database.ts'
import { testApi } from './testing.ts'

test('a transaction whose connection was killed fails, again and again, and harms nobody else', async () => {
  const { url, sql } = await testApi()
  const pool = connect(url, 2)
  for (let time = 0; time < 5; time++) {
    const working = pool.begin(async (tx) => {
      const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      await sql`select pg_terminate_backend(${own?.pid ?? 0})`
      await pause(20)
      return tx`select 1`
    })
    await expect(working).rejects.toThrow()
    expect(await pool`select 1 as one`).toEqual([{ one: 1 }])
  }
  await pool.end({ timeout: 1 })
})

test('a transaction whose connection was killed never touches the transaction that has the connection next', async () => {
  const { url, sql } = await testApi()
  await sql`create table thing (n int)`
  const pool = connect(url, 1)
  const taken = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const killed = pool.begin(async (tx) => {
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    await sql`select pg_terminate_backend(${own?.pid ?? 0})`
    await taken.promise
    await tx`insert into thing values (1)`.catch(() => left.resolve())
    throw new Error('given up')
  })
  await expect(killed).rejects.toThrow('CONNECTION_CLOSED')
  const next = pool.begin(async (tx) => {
    await tx`insert into thing values (2)`
    taken.resolve()
    await left.promise
    await pause(20)
    await tx`insert into thing values (3)`
    throw new Error('undone')
  })
  await expect(next).rejects.toThrow('undone')
  expect(await sql`select n from thing`).toEqual([])
  await pool.end({ timeout: 1 })
})

test('a reserved connection that was killed neither asks nor is given back', async () => {
  const { url, sql } = await testApi()
  const pool = connect(url, 1)
  const line = await pool.reserve()
  const [own] = await line<{ pid: number }[]>`select pg_backend_pid() as pid`
  await sql`select pg_terminate_backend(${own?.pid ?? 0})`
  const next = await pool.reserve()
  const [other] = await next<{ pid: number }[]>`select pg_backend_pid() as pid`
  await expect(line`select 1`).rejects.toThrow('CONNECTION_CLOSED')
  line.release()
  let waited = true
  const third = pool.reserve().then((line) => {
    expect(waited).toBe(false)
    return line
  })
  await pause(20)
  expect(await next`select pg_backend_pid() as pid`).toEqual([other])
  waited = false
  next.release()
  ;(await third).release()
  await pool.end({ timeout: 1 })
})

test('connections that were killed while they wrote work again', async () => {
  const { url, name } = await testApi()
  const pool = connect(url, 4)
  const killer = connect(url, 1)
  for (let time = 0; time < 10; time++) {
    const asked = Array.from({ length: 40 }, (_, nth) => pool`select ${nth}::int as nth`.catch(() => null))
    await killer`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`
    // Some go out in the very turn in which the connections are found dead.
    asked.push(...Array.from({ length: 8 }, () => pool`select 1 as nth`.catch(() => null)))
    await Promise.all(asked)
  }
  const all = () => Promise.all(Array.from({ length: 8 }, (_, nth) => pool`select ${nth}::int as nth`))
  await expect.poll(async () => (await all()).map(([row]) => row?.nth)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  await Promise.all([pool.end({ timeout: 1 }), killer.end({ timeout: 1 })])
})

test('a connection can be reserved also when it has to be opened for it, and goes back', async () => {
  const { url } = await testApi()
  const pool = connect(url, 3)
  for (let round = 0; round < 2; round++) {
    const lines = [await pool.reserve(), await pool.reserve(), await pool.reserve()]
    const pids = await Promise.all(lines.map((line) => line<{ pid: number }[]>`select pg_backend_pid() as pid`))
    expect(new Set(pids.map(([row]) => row?.pid)).size).toBe(3)
    for (const line of lines) line.release()
    expect(await pool`select 1 as one`).toEqual([{ one: 1 }])
  }
  await pool.end({ timeout: 1 })
})
