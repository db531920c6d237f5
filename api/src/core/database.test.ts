import { type AddressInfo, connect as connectTo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { maintain } from '../testing/databases.ts'
import { startProxy } from '../testing/proxy.ts'
import { eventually, testApi } from '../testing/test-api.ts'
import { cursorRows } from './cursor.ts'
import { connect, isDatabaseUnavailable } from './database.ts'
import { startJobs, type Task } from './jobs.ts'
import { migrate } from './migrate.ts'
import { json, raw, sql } from './statement.ts'

const away = (work: PromiseLike<unknown>) =>
  work.then(
    (answer) => `answered ${JSON.stringify(answer)}`,
    (error: unknown) => isDatabaseUnavailable(error),
  )

test('queries time out while the database does not respond, and use new connections afterwards', async () => {
  const { url } = await testApi()
  const proxy = await startProxy(url)
  const pool = connect(proxy.url, 2, 400)
  onTestFinished(() => pool.end(0))
  expect(await pool.query(sql`select 1 as one`)).toEqual([{ one: 1 }])

  const inside = Promise.withResolvers<void>()
  const frozen = Promise.withResolvers<void>()
  const transaction = away(
    pool.transaction(async (db) => {
      await db.query(sql`select 1`)
      inside.resolve()
      await frozen.promise
      await db.query(sql`select 2`)
    }),
  )
  await inside.promise
  proxy.freeze()
  frozen.resolve()
  const failures = [
    transaction,
    ...Array.from({ length: 5 }, () => away(pool.query(sql`select 1`))),
    away(pool.query(raw('select 1'))),
    away(pool.transaction((db) => db.query(sql`select 1`))),
  ]
  expect(await Promise.all(failures)).toEqual(Array(failures.length).fill(true))

  proxy.thaw()
  await expect.poll(() => away(pool.query(sql`select 1 as one`))).toBe('answered [{"one":1}]')
  expect(await pool.transaction((db) => db.query(sql`select 2 as two`))).toEqual([{ two: 2 }])
})

/** Names in the startup messages of connections that pass a proxy to the database, and the rest of what they send. */
async function startupProxy(url: string) {
  const { hostname, port } = new URL(url)
  const names: string[][] = []
  const server = createServer((client) => {
    const upstream = connectTo(Number(port), hostname)
    client.once('data', (message: Buffer) => {
      // Length and version, then names and values that end with a null byte each.
      const texts = message.subarray(8, message.readInt32BE(0)).toString().split('\0')
      names.push(texts.filter((text, index) => index % 2 === 0 && text !== ''))
      upstream.write(message)
      client.pipe(upstream).pipe(client)
    })
    for (const socket of [client, upstream]) socket.on('error', () => {}).on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = new URL(url)
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { names, url: address.href }
}

/** What PgBouncer accepts and tracks; it refuses a connection for any other name. */
const POOLER_NAMES = ['user', 'database', 'application_name', 'client_encoding', 'DateStyle', 'TimeZone']

test('connections start with nothing that a pooler refuses, and have their limits and time zone by statements', async () => {
  const { url, name } = await testApi()
  await maintain(raw(`alter database "${name}" set timezone = 'Asia/Tokyo'`))
  const proxy = await startupProxy(url)
  const pool = connect(proxy.url, 2)
  onTestFinished(() => pool.end(0))
  const settings = sql`select current_setting('TimeZone') as zone, current_setting('statement_timeout') as timeout`
  const expected = [{ zone: 'UTC', timeout: '1min' }]
  expect(await pool.query(settings)).toEqual(expected)
  expect(await pool.transaction((db) => db.query(settings))).toEqual(expected)
  const opened = await pool.open()
  expect(await opened.query(settings)).toEqual(expected)
  opened.close()
  const log = { error: () => {}, debug: () => {}, warn: () => {} }
  const jobs = startJobs(proxy.url, { recurring: [], tasks: [{ name: 'note', run: async () => {} }] }, log as never)
  await eventually(() => expect(proxy.names.length).toBeGreaterThan(2))
  await jobs.stop()
  await migrate(proxy.url)
  expect(proxy.names.flat().filter((one) => !POOLER_NAMES.includes(one))).toEqual([])
})

test('a statement timeout counts as an outage, unless the transaction lifted the limit', async () => {
  const { url } = await testApi()
  const pool = connect(url, 2, 300)
  onTestFinished(() => pool.end(0))
  expect(await away(pool.query(sql`select pg_sleep(20)`))).toBe(true)
  const answer = await pool.transaction(async (db) => {
    await db.liftTimeLimit()
    await db.query(sql`select pg_sleep(0.5)`)
    return db.query(sql`select 3 as three`)
  })
  expect(answer).toEqual([{ three: 3 }])
})

test('a statement cancelled by the database counts as an outage', async () => {
  const { db } = await testApi()
  const stopped = db.transaction(async (db) => {
    await db.execute(sql`set local statement_timeout = 20`)
    await db.query(sql`select pg_sleep(20)`)
  })
  expect(await away(stopped)).toBe(true)
})

test('a transaction whose connection is killed fails at once and leaves the pool usable', async () => {
  const { url, db } = await testApi()
  const pool = connect(url, 2)
  for (let time = 0; time < 5; time++) {
    const working = pool.transaction(async (tx) => {
      const [own] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await db.query(sql`select pg_terminate_backend(${own?.pid ?? 0}::int)`)
      await pause(20)
      return tx.query(sql`select 1`)
    })
    await expect(working).rejects.toThrow()
    expect(await pool.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  }
  await pool.end(1_000)
})

test('a statement of a transaction with a lost connection never runs in the next transaction', async () => {
  const { url, db } = await testApi()
  await db.execute(sql`create table thing (n int)`)
  const pool = connect(url, 1)
  const taken = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const killed = pool.transaction(async (tx) => {
    const [own] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await db.query(sql`select pg_terminate_backend(${own?.pid ?? 0}::int)`)
    await taken.promise
    await tx.execute(sql`insert into thing values (1)`).catch(() => left.resolve())
    throw new Error('given up')
  })
  await expect(killed).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
  const next = pool.transaction(async (tx) => {
    await tx.execute(sql`insert into thing values (2)`)
    taken.resolve()
    await left.promise
    await pause(20)
    await tx.execute(sql`insert into thing values (3)`)
    throw new Error('undone')
  })
  await expect(next).rejects.toThrow('undone')
  expect(await db.query(sql`select n from thing`)).toEqual([])
  await pool.end(1_000)
})

test('the pool recovers after its connections are killed during writes', async () => {
  const { url, name } = await testApi()
  const pool = connect(url, 4)
  const killer = connect(url, 1)
  for (let time = 0; time < 10; time++) {
    const queries = Array.from({ length: 40 }, (_, nth) => pool.query(sql`select ${nth}::int as nth`).catch(() => null))
    await killer.query(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`,
    )
    // Some are sent in the tick in which the connections are found dead.
    queries.push(...Array.from({ length: 8 }, () => pool.query(sql`select 1 as nth`).catch(() => null)))
    await Promise.all(queries)
  }
  const all = () => Promise.all(Array.from({ length: 8 }, (_, nth) => pool.query(sql`select ${nth}::int as nth`)))
  await expect.poll(async () => (await all()).map(([row]) => row?.nth)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  await Promise.all([pool.end(1_000), killer.end(1_000)])
})

test('a transaction fails if one of its statements fails, even if the error is caught', async () => {
  const { db } = await testApi()
  await db.execute(sql`create table thing (n int)`)
  const work = db.transaction(async (db) => {
    await db.execute(sql`insert into thing values (1)`)
    await db.query(sql`select 1 / 0`).catch(() => {})
    return 'done'
  })
  await expect(work).rejects.toMatchObject({ code: '22012' })
  // A statement that is not awaited fails at the commit.
  const careless = db.transaction(async (db) => {
    await db.execute(sql`insert into thing values (2)`)
    void db.query(sql`select 1 / 0`).catch(() => {})
  })
  await expect(careless).rejects.toMatchObject({ code: '22012' })
  expect(await db.query(sql`select n from thing`)).toEqual([])
})

test('an aborted transaction cancels its statement in the database and frees its connection', async () => {
  const { url, db } = await testApi()
  const pool = connect(url, 1)
  onTestFinished(() => pool.end(0))
  const leaving = new AbortController()
  const work = pool.transaction((db) => db.query(sql`select pg_sleep(50)`), { signal: leaving.signal })
  const sleeping = () =>
    db.query(sql`select pid from pg_stat_activity where query = 'select pg_sleep(50)' and state = 'active'`)
  await expect.poll(sleeping).toHaveLength(1)
  leaving.abort(new Error('left'))
  await expect(work).rejects.toThrow('left')
  expect(await pool.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  await expect.poll(sleeping).toEqual([])
})

test('values of all types round-trip', async () => {
  const { db } = await testApi()
  const at = new Date('2026-03-29T01:30:00.123Z')
  const text = 'a "quoted" \\ {text}, NULL'
  const [row] = await db.query(sql`
    select ${at}::timestamptz as at, ${[at]}::timestamptz[] as times, ${'2026-03-29'}::date as day, ${9_007_199_254_740_991}::bigint as big,
           array[1, 9007199254740991]::bigint[] as bigs, ${[text, null]}::text[] as texts, ${Buffer.from([0, 255])}::bytea as bytes,
           ${true}::boolean as yes, ${null}::int as none, ${json({ a: [1] })} as json, 1.50::numeric as exact, ${text} as text`)
  expect(row).toEqual({
    at,
    times: [at],
    day: new Date('2026-03-29'),
    big: 9_007_199_254_740_991,
    bigs: [1, 9_007_199_254_740_991],
    texts: [text, null],
    bytes: Buffer.from([0, 255]),
    yes: true,
    none: null,
    json: { a: [1] },
    exact: '1.50',
    text,
  })
  await expect(db.query(sql`select ${undefined}`)).rejects.toThrow('undefined')
})

/** What tells the database that the host of a connection is gone, or its process hangs. */
const SETTINGS = sql`
  select current_setting('tcp_keepalives_idle') || ' ' || current_setting('tcp_keepalives_interval') || ' '
         || current_setting('tcp_keepalives_count') || ' ' || current_setting('tcp_user_timeout') || ' '
         || current_setting('idle_in_transaction_session_timeout') as settings`

test('the database notices on connections of all kinds that their host is gone', async () => {
  const { url, db } = await testApi()
  const pool = connect(url, 2)
  onTestFinished(() => pool.end(0))
  const settings = [{ settings: '10 5 3 20000 1min' }]
  expect(await pool.query(SETTINGS)).toEqual(settings)
  expect(await pool.transaction((db) => db.query(SETTINGS))).toEqual(settings)
  const line = await pool.open()
  expect(await line.query(SETTINGS)).toEqual(settings)
  line.close()

  // Those of the job queue, seen by their own writes.
  await db.execute(sql`create table seen (settings text)`)
  await db.query(
    raw(`
      create function see() returns trigger language plpgsql as
      $$ begin insert into seen ${SETTINGS.text}; return null; end $$;
      create trigger see after update on graphile_worker._private_jobs execute function see()`),
  )
  const log = { error: () => {}, debug: () => {}, warn: () => {} }
  const tasks: Task[] = [{ name: 'note', run: async () => {} }]
  const jobs = startJobs(url, { recurring: [], tasks }, log as never)
  onTestFinished(jobs.stop)
  await eventually(() => db.query(sql`select graphile_worker.add_job('note', '{}'::json)`))
  await eventually(async () => expect(await db.query(sql`select distinct settings from seen`)).toEqual(settings))
})

test('a transaction that was left idle by a silent client releases its locks, but not one that waits for its reader', async () => {
  const { url, db } = await testApi()
  await db.execute(sql`create table thing (n int)`)
  await db.execute(sql`insert into thing select generate_series(1, 20)`)
  const proxy = await startProxy(url)
  const idleLimitMs = 300
  const silent = connect(proxy.url, 2, undefined, undefined, idleLimitMs)
  onTestFinished(() => silent.end(0))
  const locked = Promise.withResolvers<void>()
  const left = silent.transaction(async (db) => {
    await db.execute(sql`update thing set n = 0`)
    locked.resolve()
    await new Promise(() => {})
  })
  left.catch(() => {})
  await locked.promise
  proxy.freeze()
  // The connection of the test waits for the lock until the database ends the other one.
  await db.execute(sql`update thing set n = n + 1`)
  expect(await db.query(sql`select min(n) as min from thing`)).toEqual([{ min: 2 }])

  const slow = connect(url, 1, undefined, undefined, idleLimitMs)
  onTestFinished(() => slow.end(0))
  const seen: number[] = []
  for await (const rows of cursorRows<{ n: number }>(slow, sql`select n from thing order by n`, 10)) {
    await pause(2 * idleLimitMs)
    seen.push(...rows.map(({ n }) => n))
  }
  expect(seen).toEqual(Array.from({ length: 20 }, (_, nth) => nth + 2))
})
