import { fileURLToPath } from 'node:url'
import { Logger, runMigrations } from 'graphile-worker'
import { runner } from 'node-pg-migrate'

const silent = new Logger(() => () => {})
const directory = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Brings the schema up to date, and that of the job queue; forward only. Several processes may call it at once: the others wait. */
export async function migrate(databaseUrl: string): Promise<void> {
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
