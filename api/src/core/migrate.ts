import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, runMigrations } from 'graphile-worker'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { clientConfig, connect, sendSettings } from './database.ts'
import { LOCKS } from './locks.ts'
import { checkOrder } from './migration-order.ts'
import { createLoader, type LockLimits } from './migration-steps.ts'
import { findNewerMigration, MIGRATIONS, migrationsIn, migrationsRun } from './schema-version.ts'
import { sql } from './statement.ts'

/** Receives log lines about migrations. */
type Log = (line: string) => void

const silent = new Logger(() => () => {})

const OLDEST_MAJOR = 16

/** `version` as in `server_version_num`: 160004 is 16.4. @throws if it is too old, naming the setting */
export function assertSupported(version: number): void {
  if (version >= OLDEST_MAJOR * 10_000) return
  const text = `${Math.floor(version / 10_000)}.${version % 10_000}`
  throw new Error(`DATABASE_URL: PostgreSQL ${OLDEST_MAJOR} or newer is needed, this is ${text}`)
}

/** Below the timeout of a request, so that requests behind a waiting migration only become slower. */
const LOCK_LIMITS: LockLimits = { waitMs: 2_000, retryMs: 600_000 }
const LOCK_POLL_MS = 500
const RETRY_DELAY_MS = { first: 1_000, max: 30_000 }

/**
 * Returns whether the database is new, without any migration, and the first migration that has not run.
 * @throws if PostgreSQL is too old, a newer version has migrated the database, or migrations have wrong numbers
 */
async function checkDatabase(
  databaseUrl: string,
  directory: string,
): Promise<{ isNew: boolean; missing: string | undefined }> {
  const db = connect(databaseUrl, 1)
  try {
    const [row] = await db.query<{ version: number; isNew: boolean }>(sql`
      select current_setting('server_version_num')::int as version, to_regclass('migration') is null as "isNew"`)
    assertSupported(row?.version ?? 0)
    const isNew = row?.isNew ?? false
    const names = migrationsIn(directory)
    const newer = isNew ? undefined : await findNewerMigration(db, names)
    if (newer) throw new Error(`DATABASE_URL: a newer version has migrated the database (${newer}): start that version`)
    const done = isNew ? [] : await migrationsRun(db)
    checkOrder(names, done)
    return { isNew, missing: names.toSorted().find((name) => !done.includes(name)) }
  } finally {
    await db.end(2_000)
  }
}

/**
 * For commands beside a server: migrating would end the processes of an older version.
 * @throws unless the schema is that of this version, naming the command that migrates
 */
export async function assertMigrated(databaseUrl: string): Promise<void> {
  const { isNew, missing } = await checkDatabase(databaseUrl, MIGRATIONS)
  if (isNew)
    throw new Error(
      'DATABASE_URL: the database has no tables of the portal: start the portal (npm start), which creates them',
    )
  if (missing)
    throw new Error(`The database lacks the migration ${missing}: start this version (npm start), which migrates it`)
}

/**
 * Migrates the schema and that of the job queue, forward only. Concurrent processes wait. A migration that waits for a
 * lock too long is rolled back and retried, so that it does not block others (docs/migrations.md). Logs start, retries
 * and end of each migration, as one may run for minutes; nothing for a new database.
 */
export async function migrate(
  databaseUrl: string,
  log: Log = () => {},
  directory = MIGRATIONS,
  limits = LOCK_LIMITS,
): Promise<void> {
  const { isNew } = await checkDatabase(databaseUrl, directory)
  const progress = createProgress(isNew ? () => {} : log)
  const pool = new pg.Pool({ ...clientConfig(databaseUrl), max: 1, pipeline: true })
  pool
    .on('error', () => {})
    .on('connect', (client) => {
      // A loss fails its statement; without a listener it would end the process.
      client.on('error', () => {})
      sendSettings(client)
    })
  const run = async () => {
    const dbClient = await pool.connect()
    try {
      await waitForLock(dbClient)
      await runner({
        dbClient,
        dir: directory,
        direction: 'up',
        migrationsTable: 'migration',
        migrationLoaderStrategies: [{ extensions: ['.sql'], loader: createLoader(limits, progress.start) }],
        noLock: true,
        log: () => {},
      })
    } finally {
      // Closed, and with it the lock of migrations and what they have set.
      dbClient.release(true)
    }
  }
  try {
    await runWithRetries(run, progress, limits.retryMs)
    await runMigrations({ pgPool: pool, logger: silent })
  } finally {
    await pool.end()
  }
}

/**
 * Waits until no other process migrates. By polling, as a statement that waits for the lock has a snapshot, for whose end the
 * build of an index by the process that has the lock would wait.
 */
async function waitForLock(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCKS.migrations}) as taken`)
    if (rows[0]?.taken) return
    await sleep(LOCK_POLL_MS)
  }
}

/** Repeats `run` while it fails for a lock that is not available. @throws after `retryMs`, or for another reason */
async function runWithRetries(
  run: () => Promise<void>,
  progress: ReturnType<typeof createProgress>,
  retryMs: number,
): Promise<void> {
  const giveUpAt = performance.now() + retryMs
  for (let delayMs = RETRY_DELAY_MS.first; ; delayMs = Math.min(2 * delayMs, RETRY_DELAY_MS.max)) {
    const error = await run().then(progress.end, (error: Error) => error)
    if (!error) return
    if (!isLockUnavailable(error) || performance.now() + delayMs > giveUpAt) throw progress.fail(error)
    progress.retry(delayMs)
    await sleep(delayMs)
  }
}

/** Lock timeout or deadlock: the transactions of others can proceed, and the migration can be repeated. */
const isLockUnavailable = (error: Error & { code?: string }): boolean => /^(55P03|40P01)$/.test(error.code ?? '')

/** Logs the migrations: one ends when the next one starts or all are done. */
function createProgress(log: Log) {
  let current: { name: string; since: number } | undefined
  const end = () => {
    if (current) log(`Migration ${current.name}: done in ${Math.round(performance.now() - current.since)} ms`)
    current = undefined
  }
  return {
    start: (name: string) => {
      if (current?.name === name) return
      end()
      current = { name, since: performance.now() }
      log(`Migration ${name}: started`)
    },
    retry: (delayMs: number) => log(`Migration ${current?.name}: lock not available, retry in ${delayMs} ms`),
    /** Adds the migration to an error. */
    fail: (error: Error) =>
      current ? new Error(`Migration ${current.name}: ${error.message}`, { cause: error }) : error,
    end,
  }
}
