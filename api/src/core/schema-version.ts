import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Database, Pool } from './database.ts'
import { sql } from './statement.ts'

export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

const POLL_MS = 5_000

/** Names of the migrations in a folder. */
export const migrationsIn = (directory: string): string[] =>
  readdirSync(directory).map((file) => file.replace(/\.sql$/, ''))

/** Names of the migrations that have run, in this order. */
export const migrationsRun = async (db: Database): Promise<string[]> =>
  (await db.query<{ name: string }>(sql`select name from migration order by id`)).map(({ name }) => name)

/** The first migration of the database unknown to this version; undefined if there is none. */
export async function findNewerMigration(db: Database, known = migrationsIn(MIGRATIONS)): Promise<string | undefined> {
  const [newer] = await db.query<{ name: string }>(sql`
    select name from migration where name <> all(${known}) order by id limit 1`)
  return newer?.name
}

/**
 * Calls `onNewer` once when a newer version has migrated the database: this one would store and count by outdated
 * rules. Retries while the database does not respond.
 */
export function watchSchema(
  db: Pool,
  onNewer: (migration: string) => void,
  pollMs = POLL_MS,
  directory = MIGRATIONS,
): { stop: () => void } {
  // Read once: an upgrade replaces the files while the old process runs.
  const known = migrationsIn(directory)
  const ending = new AbortController()
  const { signal } = ending
  const watch = async () => {
    while (!signal.aborted) {
      const newer = await findNewerMigration(db, known).catch(() => undefined)
      if (newer && !signal.aborted) return onNewer(newer)
      await sleep(pollMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  void watch()
  return { stop: () => ending.abort() }
}
