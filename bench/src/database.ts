import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, type Database, type Pool } from '@rogatka/api/core/database.ts'
import { startEmbedded } from '@rogatka/api/core/embedded.ts'
import { migrate } from '@rogatka/api/core/migrate.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { seedLegalLimits } from '@rogatka/api/locations/queries.ts'
import { diskFolder } from '@rogatka/api/testing/database-folder.ts'

type BenchDatabase = { db: Pool; url: string; drop: () => Promise<void> }

/** An empty, migrated database with the settings of the embedded PostgreSQL, deleted by `drop`. */
export async function benchDatabase(): Promise<BenchDatabase> {
  const folder = await diskFolder('rogatka-bench-')
  const database = await openDatabase(join(folder, 'postgres'))
  return {
    ...database,
    drop: async () => {
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A migrated database that stays in a folder. */
export async function openDatabase(folder: string): Promise<BenchDatabase> {
  const { url, stop } = await startEmbedded(folder)
  await migrate(url)
  const db = connect(url, 8)
  await seedLegalLimits(db)
  return {
    db,
    url,
    drop: async () => {
      await db.end(2_000)
      await stop()
    },
  }
}

/** Of a query that loads or indexes millions of rows. */
export const LOADING_TIMEOUT_MS = 3_600_000

/** Runs `work` on a connection without the usual time limits: indexes and VACUUM of millions of rows take minutes. */
export async function withoutTimeLimit<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const pool = connect(url, 1, LOADING_TIMEOUT_MS)
  const db = await pool.reserve()
  try {
    await db.query(sql`select set_config('statement_timeout', '0', false)`)
    return await work(db)
  } finally {
    db.release()
    await pool.end()
  }
}
