import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, inject as provided, test } from 'vitest'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { auditAsSystem } from '../core/audit.ts'
import { connect } from '../core/database.ts'
import { migrate } from '../core/migrate.ts'
import type { Session } from '../core/sessions.ts'
import { raw, sql } from '../core/statement.ts'
import { dropExpiredTrail } from '../core/trail-partitions.ts'
import { databaseAt } from '../testing/setup.ts'
import { eventually } from '../testing/test-api.ts'
import { protectDatabase, releaseDatabase } from './protect.ts'
import { SEALED_TABLES } from './protect-queries.ts'

const MANAGE = fileURLToPath(new URL('../manage.ts', import.meta.url))

/** A migrated database that an account of the portal owns, as operations.md describes. */
async function portalDatabase() {
  const server = provided('databaseServer')
  const name = `portal_${randomBytes(6).toString('hex')}`
  const maintenance = connect(server, 1)
  await maintenance.query(raw(`create role ${name} login password 'secret'`))
  await maintenance.query(raw(`create database ${name} owner ${name} template template0`))
  onTestFinished(async () => {
    await maintenance.query(raw(`drop database ${name} with (force)`))
    await maintenance.query(raw(`drop role ${name}`))
    await maintenance.end()
  })
  const adminUrl = databaseAt(server, name)
  const url = new URL(adminUrl)
  url.username = name
  url.password = 'secret'
  await migrate(url.href)
  return { name, url: url.href, adminUrl }
}

const manage = (settings: Record<string, string>, ...words: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...process.env, LOG_LEVEL: 'silent', ...settings }
    execFile(process.execPath, [MANAGE, ...words], { env }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code) : 0, output: (output + errors).trim() }),
    )
  })

/** SQLSTATE of a statement that is refused. */
const refusalOf = (statement: Promise<unknown>) =>
  statement.then(
    () => 'done',
    ({ code }: { code: string }) => code,
  )

const PERMISSION_DENIED = '42501'

const PARTITION = 'access_trail_2026_10'

/** A user who is none of the database. */
const SESSION: Session = {
  tokenHash: Buffer.alloc(32, 1),
  key: 'jan',
  userId: 31,
  username: 'jan',
  permissions: ['ArchiveMeasurements'],
  roleId: null,
  mustChangePassword: false,
  mustSetUpFactor: false,
  factor: null,
  verifiedAt: null,
  createdAt: new Date('2026-10-20T08:00:00Z'),
  lastSeenAt: new Date('2026-10-20T08:00:00Z'),
}

test('a protected database lets the account of the portal add what is sealed, and change none of it', async () => {
  const { name, url, adminUrl } = await portalDatabase()
  const settings = { DATABASE_URL: url, DATABASE_ADMIN_URL: adminUrl }
  expect(await manage(settings, 'database', 'protect')).toEqual({
    code: 0,
    output: `${name} may read and add what is sealed in ${name}, and change none of it`,
  })
  const db = connect(url, 4)
  onTestFinished(() => db.end(1_000))

  // The server works, with all its jobs.
  const now = new Date('2026-10-20T08:00:00Z')
  const config = { ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent', SECOND_FACTOR: 'off' }), demo: false }
  const app = await createApp(config, db, { now: () => now, databaseNow: async () => now })
  await app.listen()
  await auditAsSystem(db, now, { action: 'user-added', subject: 'jan' })
  await eventually(async () => expect(await db.query(sql`select from log_seal`)).toHaveLength(1))
  for (const job of app.jobs.recurring) await job.work()
  // Lines of the access trail, in a month that has no partition yet.
  await app.api.trail.record(
    { session: SESSION, ip: null, endpoint: { method: 'GET', path: '/arch-vehicles' } },
    { kind: 'list', asked: ['WX 12345'], results: 1, shown: { count: 1, plates: ['WX 12345'] } },
  )
  await eventually(async () => expect(await db.query(sql`select from log_seal where chain = 'access'`)).toHaveLength(1))
  await app.close()
  expect(await db.query(sql`select number from evidence_anchor`)).toEqual([{ number: 1 }])
  expect(await db.query(sql`select fault from evidence_check`)).toEqual([{ fault: null }])
  await migrate(url)

  for (const table of SEALED_TABLES) {
    const [column] = await db.query<{ name: string }>(sql`
      select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum = 2`)
    const changes = [`update ${table} set ${column?.name} = ${column?.name}`, `delete from ${table}`]
    // The rules of the audit log turn these into nothing before anybody's permission is checked.
    const isRuled = !/seal|evidence/.test(table)
    if (isRuled) for (const statement of changes) expect(await db.execute(raw(statement))).toBe(0)
    const refused = [
      ...(isRuled ? [] : changes),
      `truncate ${table}`,
      `drop table ${table}`,
      `alter table ${table} add column forged int`,
      `alter table ${table} rename to forged`,
      `alter table ${table} disable trigger all`,
      `alter table ${table} owner to ${name}`,
      `create rule forged as on insert to ${table} do instead nothing`,
      `create trigger forged before insert on ${table} for each row execute function suppress_redundant_updates_trigger()`,
    ]
    for (const statement of refused)
      expect([statement, await refusalOf(db.query(raw(statement)))]).toEqual([statement, PERMISSION_DENIED])
  }
  for (const statement of [
    'alter table audit disable rule audit_is_never_updated',
    'drop rule audit_is_never_deleted on audit',
    'drop schema public cascade',
    'alter schema public rename to forged',
    `drop database ${name}`,
    'set role rogatka_seals',
    `grant rogatka_seals to ${name}`,
    `update ${PARTITION} set user_id = 1`,
    `delete from ${PARTITION}`,
    `insert into ${PARTITION} select * from ${PARTITION}`,
    `drop table ${PARTITION}`,
    `truncate ${PARTITION}`,
    `alter table access_trail detach partition ${PARTITION}`,
    "select setval('access_trail_id', 1)",
    'alter function drop_trail_partition set search_path = public',
    'create or replace function drop_trail_partition(parent text, month date) returns void language sql as $$ select $$',
    "select drop_trail_partition('access_trail', '2026-10-01')",
    "select drop_trail_partition('log_seal', '2020-10-01')",
    "select create_trail_partition('log_seal', '2020-10-01')",
  ])
    expect([statement, await refusalOf(db.query(raw(statement)))]).toEqual([statement, PERMISSION_DENIED])
  const [may] = await db.query<{ change: boolean }>(
    sql`select has_table_privilege('audit', 'UPDATE, DELETE') as change`,
  )
  expect(may?.change).toBe(false)
  expect(await db.query(sql`select subject from audit where action = 'user-added'`)).toEqual([{ subject: 'jan' }])

  // A table of the portal does not become part of the trail.
  await db.query(raw('create table access_trail_2031_01 (like access_trail)'))
  expect(await refusalOf(db.query(raw("select create_trail_partition('access_trail', '2031-01-01')")))).toBe('42P07')
  // Months are dropped when they may be, by the clock of the database.
  await db.query(raw("select create_trail_partition('access_trail', '2020-02-01')"))
  await dropExpiredTrail(db, new Date())
  const months = await db.query<{ name: string }>(sql`
    select relname as name from pg_class where relname ~ '^access_trail_\\d' order by 1`)
  expect(months.map(({ name }) => name)).not.toContain('access_trail_2020_02')
  expect(months.map(({ name }) => name)).toContain(PARTITION)
  expect(await refusalOf(dropExpiredTrail(db, new Date('2040-01-01')))).toBe(PERMISSION_DENIED)

  // Given back for a migration, and protected again.
  await releaseDatabase(db, adminUrl)
  expect(await refusalOf(db.query(raw('alter table audit add column later int')))).toBe('done')
  await protectDatabase(db, adminUrl)
  expect(await refusalOf(db.query(raw('alter table audit drop column later')))).toBe(PERMISSION_DENIED)
})

test('the account of the portal reads all of a protected database that pg_dump reads', async () => {
  const { url, adminUrl } = await portalDatabase()
  const db = connect(url, 1)
  onTestFinished(() => db.end(1_000))
  await protectDatabase(db, adminUrl)
  // A month that is added later.
  await db.query(raw("select create_trail_partition('access_trail', '2031-01-01')"))
  const relations = await db.query<{ name: string; kind: string }>(sql`
    select format('%I.%I', n.nspname, c.relname) as name, c.relkind as kind
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'S') and n.nspname !~ '^(pg_|information_schema$)'
    order by 1`)
  expect(relations.map(({ name }) => name)).toContain('public.access_trail_2031_01')
  for (const { name, kind } of relations) {
    const read = kind === 'S' ? `select last_value from ${name}` : `lock table ${name} in access share mode`
    const done = refusalOf(db.transaction((tx) => tx.query(raw(read))))
    expect([name, await done]).toEqual([name, 'done'])
  }
})

test('refuses to protect a database whose account may change everything, or another database', async () => {
  const { name, url, adminUrl } = await portalDatabase()
  const other = databaseAt(provided('databaseServer'), 'postgres')
  const [db, admin] = [connect(url, 1), connect(adminUrl, 1)]
  onTestFinished(async () => void (await Promise.all([db.end(1_000), admin.end(1_000)])))
  await expect(protectDatabase(db, undefined)).rejects.toThrow('Set DATABASE_ADMIN_URL')
  await expect(protectDatabase(db, url)).rejects.toThrow('DATABASE_ADMIN_URL needs another account')
  await expect(protectDatabase(db, other)).rejects.toThrow('DATABASE_ADMIN_URL is another database')
  await expect(protectDatabase(admin, url)).rejects.toThrow(
    `The account ${new URL(adminUrl).username} of DATABASE_URL is a superuser`,
  )
  await admin.query(raw(`grant pg_write_all_data to ${name}`))
  await expect(protectDatabase(db, adminUrl)).rejects.toThrow(
    `The account ${name} of DATABASE_URL could still change sealed rows`,
  )
  // Nothing was changed.
  expect(await refusalOf(db.query(raw('alter table audit add column later int')))).toBe('done')
})
