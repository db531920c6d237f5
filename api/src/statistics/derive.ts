import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import type { Database, Pool } from '../core/database.ts'
import { cleanMonths, compactMarks, deriveDays, deriveMonths, dirtyDays, tryLockDerivation } from './derive-queries.ts'
import { deriveDistributionMonths, deriveDistributions, type StationDay, storedDays } from './distribution-queries.ts'

/*
 * The daily and monthly roll-ups, derived from the hourly one, and the distributions, derived from the vehicles. The
 * roll-ups can be rebuilt at any time, the distributions only while the vehicles of the day are stored: insert a mark for
 * every day of traffic_hour.
 */
const BATCH_DAYS = 20

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
      if (days.length === 0) await compactMarks(db, today)
      else await rebuild(db, days)
      return days.length
    })
    total += count
    if (count === 0) return total
  }
}

/** Rebuilds days, and their months without dirty days left. Distributions of days whose vehicles were deleted are kept. */
async function rebuild(db: Database, days: readonly StationDay[]): Promise<void> {
  await deriveDays(db, days)
  await deriveMonths(db, await cleanMonths(db, days))
  const derived = await deriveDistributions(db, await storedDays(db, days))
  await deriveDistributionMonths(db, await cleanMonths(db, derived))
}
