import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eventually, type TestApi, testApi } from '../testing/test-api.ts'
import type { Pool } from './database.ts'
import { assertSupported, migrate } from './migrate.ts'
import { ensurePartitions } from './partitions.ts'
import { MIGRATIONS, migrationsIn, watchSchema } from './schema-version.ts'
import { raw, sql } from './statement.ts'

const newest = migrationsIn(MIGRATIONS).toSorted().at(-1) as string

/** The name of the migration with this place after the newest one: `0070-add-a-table`. */
const following = (place: number, name: string) =>
  `${String(Number.parseInt(newest, 10) + place).padStart(4, '0')}-${name}`

/** A copy of the migrations, to which a test adds its own. */
async function copyMigrations() {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(MIGRATIONS, folder, { recursive: true })
  return { folder, add: (name: string, content: string) => writeFile(join(folder, `${name}.sql`), content) }
}

/** Runs a statement in a transaction that stays open until the returned function is called. */
async function openTransaction(db: Pool, statement: string): Promise<() => Promise<void>> {
  const started = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  const transaction = db.transaction(async (db) => {
    await db.query(raw(statement))
    started.resolve()
    await ending.promise
  })
  await started.promise
  return async () => {
    ending.resolve()
    await transaction
  }
}

const isWaiting = async ({ db, name }: TestApi) => {
  const waiting = await db.query(sql`
    select from pg_stat_activity where datname = ${name} and wait_event_type = 'Lock' and pid <> pg_backend_pid()`)
  expect(waiting).not.toEqual([])
}

test('refuses PostgreSQL below 16 and names its version', () => {
  expect(() => assertSupported(150018)).toThrow('DATABASE_URL: PostgreSQL 16 or newer is needed, this is 15.18')
  for (const version of [160000, 160004, 180001]) expect(() => assertSupported(version)).not.toThrow()
})

test('logs start and end of each migration, and names the failed one', async () => {
  const api = await testApi()
  const { folder, add } = await copyMigrations()
  const [table, fill, fail] = [following(1, 'add-a-table'), following(2, 'fill-it'), following(3, 'fail')]
  const lines: string[] = []
  const log = (line: string) => lines.push(line.replace(/\d+ ms$/, '# ms'))

  await migrate(api.url, log, folder)
  expect(lines).toEqual([])
  await add(table, 'create table added (id int);')
  await add(fill, 'insert into added values (1);')
  await migrate(api.url, log, folder)
  await add(fail, 'insert into added values (2); insert into missing values (1);')
  await expect(migrate(api.url, log, folder)).rejects.toThrow(`Migration ${fail}: relation "missing" does not exist`)
  expect(lines).toEqual([
    `Migration ${table}: started`,
    `Migration ${table}: done in # ms`,
    `Migration ${fill}: started`,
    `Migration ${fill}: done in # ms`,
    `Migration ${fail}: started`,
  ])
  // The failed one is rolled back as a whole.
  expect(await api.db.query(sql`select id from added`)).toEqual([{ id: 1 }])
})

test('refuses to start on an unknown migration, and reports one that appears later', async () => {
  const api = await testApi()
  await migrate(api.url)
  const noticed: string[] = []
  const { folder, add } = await copyMigrations()
  const watch = watchSchema(api.db, (migration) => noticed.push(migration), 20, folder)
  onTestFinished(watch.stop)
  // An upgrade replaces the files while the old version still runs.
  const newer = following(1, 'of-a-newer-version')
  await add(newer, '')
  const restore = await api.loseDatabase()
  await restore()
  expect(noticed).toEqual([])

  await eventually(() => api.db.execute(sql`insert into migration (name, run_on) values (${newer}, now())`))
  await eventually(() => expect(noticed).toEqual([newer]))
  await expect(migrate(api.url)).rejects.toThrow(newer)
})

test.each([
  { added: ['0004-fill-a-gap'], error: `Migration 0004-fill-a-gap cannot run after ${newest}, which has already run` },
  {
    added: [following(2, 'leave-a-gap')],
    error: `Migration ${following(2, 'leave-a-gap')} does not have the next number after ${newest}`,
  },
  {
    added: [following(1, 'add-a-table'), following(1, 'take-its-number')],
    error: `${following(1, 'take-its-number')} does not have the next number after ${following(1, 'add-a-table')}`,
  },
])('refuses $added and runs nothing', async ({ added, error }) => {
  const api = await testApi()
  const { folder, add } = await copyMigrations()
  for (const name of added) await add(name, 'create table added ();')
  await expect(migrate(api.url, undefined, folder)).rejects.toThrow(error)
  expect(await api.db.query(sql`select to_regclass('added') as table`)).toEqual([{ table: null }])
})

test('a migration that waits for a lock lets others pass, and retries until it has the lock', async () => {
  const api = await testApi()
  const { folder, add } = await copyMigrations()
  const name = following(1, 'add-a-column')
  await add(name, 'alter table role add column added int;')
  const lines: string[] = []
  const endReading = await openTransaction(api.db, 'select from role')
  const waitMs = 500
  const migrating = migrate(api.url, (line) => lines.push(line), folder, { waitMs, retryMs: 20_000 })
  await eventually(() => isWaiting(api))

  // Queues behind the migration, which itself waits for the open transaction.
  await api.db.query(sql`select from role`)
  await eventually(() => expect(lines.filter((line) => line.includes('retry'))).toHaveLength(1))
  await endReading()
  await migrating
  await api.db.query(sql`select added from role`)
  expect(lines.at(1)).toBe(`Migration ${name}: lock not available, retry in 1000 ms`)
  expect(lines.filter((line) => line.includes('started'))).toEqual([`Migration ${name}: started`])
})

test('a migration that never gets its lock fails and changes nothing', async () => {
  const api = await testApi()
  const { folder, add } = await copyMigrations()
  const name = following(1, 'add-a-column')
  await add(name, 'alter table app_user add column added int; alter table role add column added int;')
  const endReading = await openTransaction(api.db, 'select from role')
  const limits = { waitMs: 100, retryMs: 1_500 }
  await expect(migrate(api.url, undefined, folder, limits)).rejects.toThrow(
    `Migration ${name}: canceling statement due to lock timeout`,
  )
  await endReading()
  await expect(api.db.query(sql`select added from app_user`)).rejects.toThrow('does not exist')
})

test('a statement of a migration has half a minute, or the time that it sets', async () => {
  const api = await testApi()
  const { folder, add } = await copyMigrations()
  await add(following(1, 'read-the-limit'), "create table added as select current_setting('statement_timeout') as ms;")
  await add(
    following(2, 'set-the-limit'),
    "set local statement_timeout = '10min'; insert into added select current_setting('statement_timeout');",
  )
  await add(following(3, 'read-it-again'), "insert into added select current_setting('statement_timeout');")
  await migrate(api.url, undefined, folder)
  expect(await api.db.query(sql`select ms from added`)).toEqual([{ ms: '30s' }, { ms: '10min' }, { ms: '30s' }])
})

/** Valid and invalid indexes of this name and those attached to it, by table. */
const indexesOf = (db: Pool, name: string) =>
  db.query(sql`
    select distinct indrelid::regclass::text as "on", indisvalid as "isValid"
    from pg_index
    left join pg_inherits on inhrelid = indexrelid
    where indexrelid::regclass::text like ${`${name}%`} or inhparent::regclass::text = ${name}
    order by 1`)

test('the database notices on the connection of migrations that its host is gone', async () => {
  const { url, db } = await testApi()
  const { folder, add } = await copyMigrations()
  const names = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout']
  await add(
    following(1, 'keep-the-settings'),
    `create table seen as select array[${names.map((name) => `current_setting('${name}')`)}] as settings;`,
  )
  await migrate(url, undefined, folder)
  expect(await db.query(sql`select settings from seen`)).toEqual([{ settings: ['10', '5', '3', '20000'] }])
})

test('an index is built while others write its table', async () => {
  const api = await testApi()
  const { folder, add } = await copyMigrations()
  await add(
    following(1, 'index-roles'),
    '-- Roles by text.\ncreate index concurrently role_by_text\n  on role (description);',
  )
  const insert = (id: number) => `insert into role (id, name, permissions) values (${id}, 'role${id}', '{}')`
  const endWriting = await openTransaction(api.db, insert(1001))
  const migrating = migrate(api.url, undefined, folder)
  await eventually(() => isWaiting(api))
  await api.db.query(raw(insert(1002)))
  await endWriting()
  await migrating
  expect(await indexesOf(api.db, 'role_by_text')).toEqual([{ on: 'role', isValid: true }])
})

test('a process that waits to migrate does not interrupt the build of an index by another', async () => {
  const api = await testApi()
  const { folder, add } = await copyMigrations()
  await add(following(1, 'index-roles'), 'create index concurrently role_by_text on role (description);')
  const endWriting = await openTransaction(
    api.db,
    `insert into role (id, name, permissions) values (1001, 'role', '{}')`,
  )
  const lines: string[] = []
  const log = (line: string) => lines.push(line.replace(/\d+ ms$/, '# ms'))
  const first = migrate(api.url, log, folder)
  await eventually(() => isWaiting(api))
  const second = migrate(api.url, log, folder)
  await eventually(async () =>
    expect(
      await api.db.query(sql`
        select from pg_stat_activity where datname = ${api.name} and query ilike 'select pg%advisory_lock(7241865325823964)%'`),
    ).not.toEqual([]),
  )
  await endWriting()
  await Promise.all([first, second])
  const name = following(1, 'index-roles')
  expect(lines).toEqual([`Migration ${name}: started`, `Migration ${name}: done in # ms`])
  expect(await indexesOf(api.db, 'role_by_text')).toEqual([{ on: 'role', isValid: true }])
})

test('an index of a partitioned table is built partition by partition, also of those added meanwhile', async () => {
  const api = await testApi()
  const { folder, add } = await copyMigrations()
  const partitions = (month: string) =>
    ensurePartitions(api.db, ['vehicle'], [new Date(`${month}-10T12:00:00Z`)], 'month')
  for (const month of ['2026-08', '2026-09']) await partitions(month)
  await add(following(1, 'index-axles'), 'create index concurrently vehicle_by_axles on vehicle (number_of_axles);')
  const insert = (id: number) =>
    raw(`insert into vehicle (created_at, id, location_id, lane_number, ctg8p1, violations)
         values ('2026-09-10T12:00:00Z', ${id}, 7, 1, 7, 0)`)
  // Only the build of the second partition waits for this one: other transactions may write meanwhile.
  const endWriting = await openTransaction(api.db, 'insert into vehicle_2026_09 select * from vehicle limit 0')
  const migrating = migrate(api.url, undefined, folder)
  await eventually(async () =>
    expect(await indexesOf(api.db, 'vehicle_by_axles')).toContainEqual({ on: 'vehicle_2026_08', isValid: true }),
  )
  await eventually(() => isWaiting(api))
  await api.db.execute(insert(1))
  await partitions('2026-10')
  await endWriting()
  await migrating
  expect(await indexesOf(api.db, 'vehicle_by_axles')).toEqual([
    { on: 'vehicle', isValid: true },
    { on: 'vehicle_2026_08', isValid: true },
    { on: 'vehicle_2026_09', isValid: true },
    { on: 'vehicle_2026_10', isValid: true },
  ])
})

test.each(['role', 'vehicle'])('an interrupted build of an index of %s is continued', async (table) => {
  const api = await testApi()
  const { folder, add } = await copyMigrations()
  await ensurePartitions(api.db, ['vehicle'], [new Date('2026-08-10'), new Date('2026-09-10')], 'month')
  const columns = table === 'role' ? 'role (description)' : 'vehicle (number_of_axles)'
  await add(following(1, 'index-it'), `create index concurrently added on ${columns};`)
  const endWriting = await openTransaction(
    api.db,
    `insert into ${table === 'role' ? 'role' : 'vehicle_2026_09'} select * from ${table} limit 0`,
  )
  const migrating = migrate(api.url, undefined, folder)
  migrating.catch(() => {})
  await eventually(() => isWaiting(api))
  // An interrupted build leaves an invalid index.
  await api.db.query(sql`
    select pg_cancel_backend(pid) from pg_stat_activity
    where datname = ${api.name} and query like 'create index concurrently%'`)
  await expect(migrating).rejects.toThrow(`Migration ${following(1, 'index-it')}: canceling statement`)
  await endWriting()
  expect(await indexesOf(api.db, 'added')).toContainEqual(expect.objectContaining({ isValid: false }))

  await migrate(api.url, undefined, folder)
  const indexes = await indexesOf(api.db, 'added')
  // Of a table with three partitions, one of which the template has.
  expect(indexes).toHaveLength(table === 'role' ? 1 : 4)
  expect(indexes).not.toContainEqual(expect.objectContaining({ isValid: false }))
})
