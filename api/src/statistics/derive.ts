import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import type { Database, Pool } from '../core/database.ts'
import { cleanMonths, compactMarks, deriveDays, deriveMonths, dirtyDays, tryLockDerivation } from './derive-queries.ts'
import type { StationDay } from './distribution-bin-queries.ts'
import { storedDays } from './distribution-bin-queries.ts'
import {
  deleteDistributionMark,
  deriveDistributionMonths,
  deriveDistributions,
  deriveHours,
  distributedMonths,
  markDistributions,
  markedDistributions,
  tryLockDistributions,
} from './distribution-derive-queries.ts'

/*
 * The daily and monthly roll-ups, derived from the hourly one, and the distributions, derived from the vehicles. The
 * roll-ups can be rebuilt at any time, the distributions only while the vehicles of the day are stored: insert a mark for
 * every day of traffic_hour.
 */
const BATCH_DAYS = 200
/** Days of distributions per run, one transaction each; the next run continues. */
const MAX_DISTRIBUTIONS = 300

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

/** Rebuilds days, and their months without dirty days left, and marks their distributions. */
async function rebuild(db: Database, days: readonly StationDay[]): Promise<void> {
  await deriveDays(db, days)
  await deriveMonths(db, await cleanMonths(db, days))
  await markDistributions(db, days)
}

/**
 * Derives the distributions of marked days, newest first, one station and day per transaction, so that neither size nor
 * number of days delays the roll-ups. Those of days whose vehicles were deleted are kept. Returns the number of days.
 * @throws the first error, after all other days were tried
 */
export async function deriveDistributionDays(db: Pool): Promise<number> {
  const isDistributed = await db.hasCitus()
  const errors: unknown[] = []
  let count = 0
  for (const day of await markedDistributions(db, MAX_DISTRIBUTIONS)) {
    try {
      await db.transaction(async (db) => {
        await db.liftTimeLimit()
        // A day that is dirty again has other vehicles than its roll-up: it is skipped, and marked again with its roll-up.
        if (!(await tryLockDistributions(db)) || !(await deleteDistributionMark(db, day, isDistributed))) return
        const derived = await deriveDistributions(db, await storedDays(db, [day]))
        await deriveHours(db, [day])
        await deriveDistributionMonths(db, await distributedMonths(db, [day, ...derived]))
        count++
      })
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return count
}
