import { fileURLToPath } from 'node:url'
import { Logger, runMigrations } from 'graphile-worker'
import { runner } from 'node-pg-migrate'
import { connect } from './database.ts'

const silent = new Logger(() => () => {})
const directory = fileURLToPath(new URL('../../migrations', import.meta.url))

const OLDEST_MAJOR = 16

/** As `server_version_num` has it: 160004 is 16.4. @throws one line that names the setting, where it is too old */
export function assertSupported(version: number): void {
  if (version >= OLDEST_MAJOR * 10_000) return
  const text = `${Math.floor(version / 10_000)}.${version % 10_000}`
  throw new Error(`DATABASE_URL: PostgreSQL ${OLDEST_MAJOR} or newer is needed, this is ${text}`)
}

async function checkVersion(databaseUrl: string): Promise<void> {
  const sql = connect(databaseUrl, 1)
  try {
    const [row] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`
    assertSupported(row?.version ?? 0)
  } finally {
    await sql.end({ timeout: 2 })
  }
}

/** Brings the schema up to date, and that of the job queue; forward only. Several processes may call it at once: the others wait. */
export async function migrate(databaseUrl: string): Promise<void> {
  await checkVersion(databaseUrl)
  await runner({
    databaseUrl,
    dir: directory,
    direction: 'up',
    migrationsTable: 'migration',
    advisoryLockMode: 'wait',
    log: () => {},
  })
  await runMigrations({ connectionString: databaseUrl, logger: silent })
}
