import { Logger, runMigrations } from 'graphile-worker'
import { runner } from 'node-pg-migrate'
import { connect } from './database.ts'
import { findNewerMigration, MIGRATIONS, migrationsIn } from './schema-version.ts'
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

/**
 * Returns whether the database is new, without any migration.
 * @throws if PostgreSQL is too old, or a newer version has migrated the database
 */
async function checkDatabase(databaseUrl: string, directory: string): Promise<{ isNew: boolean }> {
  const db = connect(databaseUrl, 1)
  try {
    const [row] = await db.query<{ version: number; isNew: boolean }>(sql`
      select current_setting('server_version_num')::int as version, to_regclass('migration') is null as "isNew"`)
    assertSupported(row?.version ?? 0)
    const isNew = row?.isNew ?? false
    const newer = isNew ? undefined : await findNewerMigration(db, migrationsIn(directory))
    if (newer) throw new Error(`DATABASE_URL: a newer version has migrated the database (${newer}): start that version`)
    return { isNew }
  } finally {
    await db.end(2_000)
  }
}

/**
 * Migrates the schema and that of the job queue, forward only. Concurrent processes wait. Logs start and end of each
 * migration, as one may run for minutes; nothing for a new database.
 */
export async function migrate(databaseUrl: string, log: Log = () => {}, directory = MIGRATIONS): Promise<void> {
  const { isNew } = await checkDatabase(databaseUrl, directory)
  const progress = createProgress(isNew ? () => {} : log)
  await runner({
    databaseUrl,
    dir: directory,
    direction: 'up',
    migrationsTable: 'migration',
    advisoryLockMode: 'wait',
    log: progress.read,
  })
  progress.end()
  await runMigrations({ connectionString: databaseUrl, logger: silent })
}

/** Derives the progress from the messages of the runner: a migration ends when the next one starts or all are done. */
function createProgress(log: Log) {
  let current: { name: string; since: number } | undefined
  const end = () => {
    if (current) log(`Migration ${current.name}: done in ${Math.round(performance.now() - current.since)} ms`)
    current = undefined
  }
  return {
    read: (message: string) => {
      const name = /^### MIGRATION (.+) \(UP\) ###/.exec(message)?.[1]
      if (!name) return
      end()
      current = { name, since: performance.now() }
      log(`Migration ${name}: started`)
    },
    end,
  }
}
