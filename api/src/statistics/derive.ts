import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import type { Pool } from '../core/database.ts'
import { compactMarks, deriveDays, dirtyDays, tryLockDerivation } from './derive-queries.ts'

/*
 * The daily and the monthly roll-up, derived from the hourly one. What they hold may be thrown away at any time:
 * a mark for every day of traffic_hour brings it back.
 */
const BATCH_DAYS = 200

/**
 * Derives all days before today whose hours changed, a handful in each transaction. Of several processes one does it.
 * Answers how many days.
 */
export async function deriveTraffic(db: Pool, now: Date): Promise<number> {
  const today = dateOf(now)
  for (let derived = 0; ; ) {
    const some = await db.transaction(async (db) => {
      if (!(await tryLockDerivation(db))) return 0
      const days = await dirtyDays(db, today, BATCH_DAYS)
      if (days.length > 0) await deriveDays(db, days)
      else await compactMarks(db, today)
      return days.length
    })
    derived += some
    if (some === 0) return derived
  }
}
