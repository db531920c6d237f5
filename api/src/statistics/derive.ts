import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import type { Pool } from '../core/database.ts'
import { compactMarks, deriveDays, dirtyDays, tryLockDerivation } from './derive-queries.ts'

/*
 * The daily and monthly roll-ups, derived from the hourly one. They can be rebuilt at any time: insert a mark for every
 * day of traffic_hour.
 */
const BATCH_DAYS = 200

/**
 * Rebuilds all dirty days before today in batches, one transaction each, under an advisory lock; returns the number of
 * days.
 */
export async function deriveTraffic(db: Pool, now: Date): Promise<number> {
  const today = dateOf(now)
  for (let total = 0; ; ) {
    const count = await db.transaction(async (db) => {
      if (!(await tryLockDerivation(db))) return 0
      const days = await dirtyDays(db, today, BATCH_DAYS)
      if (days.length > 0) await deriveDays(db, days)
      else await compactMarks(db, today)
      return days.length
    })
    total += count
    if (count === 0) return total
  }
}
