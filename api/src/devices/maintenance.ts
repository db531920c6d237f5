import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import type { Database } from '../core/database.ts'
import { deviceQueries } from './queries.ts'

/** Deletes devices that were revoked, or ended, longer ago than the activity history is kept. */
export async function deleteOldDevices(db: Database, now: Date, retentionDays: number): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * DAY_MS)
  await deviceQueries.deleteBefore(db, before, dateOf(before))
}
