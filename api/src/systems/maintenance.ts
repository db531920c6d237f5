import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import type { Database } from '../core/database.ts'
import { systemQueries } from './queries.ts'

/** Deletes systems that were revoked, or ended, longer ago than the activity history is kept. */
export async function deleteOldSystems(db: Database, now: Date, retentionDays: number): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * DAY_MS)
  await systemQueries.deleteBefore(db, before, dateOf(before))
}
