import { fileURLToPath } from 'node:url'
import { Logger, runMigrations } from 'graphile-worker'
import { runner } from 'node-pg-migrate'
import { connect } from './database.ts'

/** Takes a line of what a migration does. */
type Log = (line: string) => void

const silent = new Logger(() => () => {})
const directory = fileURLToPath(new URL('../../migrations', import.meta.url))

const OLDEST_MAJOR = 16

/** As `server_version_num` has it: 160004 is 16.4. @throws one line that names the setting, where it is too old */
export function assertSupported(version: number): void {
  if (version >= OLDEST_MAJOR * 10_000) return
  const text = `${Math.floor(version / 10_000)}.${version % 10_000}`
  throw new Error(`DATABASE_URL: PostgreSQL ${OLDEST_MAJOR} or newer is needed, this is ${text}`)
}

/** Checks the version of the server. Returns whether the database is new: no migration has run on it. */
async function checkDatabase(databaseUrl: string): Promise<{ isNew: boolean }> {
  const sql = connect(databaseUrl, 1)
  try {
    const [row] = await sql<{ version: number; isNew: boolean }[]>`
      select current_setting('server_version_num')::int as version, to_regclass('migration') is null as "isNew"`
    assertSupported(row?.version ?? 0)
    return { isNew: row?.isNew ?? false }
  } finally {
    await sql.end({ timeout: 2 })
  }
}

/**
 * Brings the schema up to date, and that of the job queue; forward only. Several processes may call it at once: the
 * others wait. Logs the start and the end of each migration, as one may recount for minutes; none of a new database.
 */
export async function migrate(databaseUrl: string, log: Log = () => {}, dir = directory): Promise<void> {
  const { isNew } = await checkDatabase(databaseUrl)
  const progress = createProgress(isNew ? () => {} : log)
  await runner({
    databaseUrl,
    dir,
    direction: 'up',
    migrationsTable: 'migration',
    advisoryLockMode: 'wait',
    log: progress.read,
  })
  progress.end()
  await runMigrations({ connectionString: databaseUrl, logger: silent })
}

/** Reads in the messages of the runner which migration it begins; each is done when the next one begins, or all are. */
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
