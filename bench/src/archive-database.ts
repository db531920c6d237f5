import type { Pool } from '@rogatka/api/core/database.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { loadArchive } from './archive-data.ts'
import { benchDatabase, openDatabase } from './database.ts'

export const VEHICLES = Number(process.env.BENCH_VEHICLES ?? 10_000_000)
/** Share of the vehicles at the last station. */
export const SKEW = Number(process.env.BENCH_SKEW ?? 0)
export const DAYS = 60
export const STATIONS = 40
export const UNTIL = new Date('2026-10-20T08:00:00Z')

/** A database with the generated archive, stored in a folder and reused, as loading takes minutes; null: a temporary one. */
export async function archiveDatabase(
  vehicles = VEHICLES,
  folder: string | null = process.env.BENCH_DATA_DIR ?? null,
): Promise<{ db: Pool; url: string; drop: () => Promise<void> }> {
  const database = folder ? await openDatabase(folder) : await benchDatabase()
  const { db, url } = database
  const [found] = await db.query<{ exists: boolean }>(sql`select exists (select from vehicle)`)
  if (!found?.exists) {
    const start = performance.now()
    await loadArchive(db, url, { vehicles, days: DAYS, stations: STATIONS, until: UNTIL, skew: SKEW })
    console.log(
      `${vehicles.toLocaleString('en')} vehicles loaded in ${Math.round((performance.now() - start) / 1000)} s`,
    )
  }
  return database
}
