import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { COMPARED_DAYS } from '@rogatka/domain/overview/comparable.ts'
import { type Pool, SNAPSHOT, type Transaction } from '../core/database.ts'
import { extentOf } from '../core/partitions.ts'
import {
  countQuarters,
  deleteQuartersBefore,
  firstHour,
  markArrivals,
  type QuarterDifference,
  quarterDifferences,
  takeMarks,
  tryLockQuarters,
} from './derive-queries.ts'

/*
 * Vehicles by quarters of an hour, from which the usual traffic is derived. Hours that have ended are counted again as a
 * whole when vehicles arrived in them: late vehicles and interrupted runs therefore lead to the same counts.
 */

/** Hours per transaction. */
const BATCH_HOURS = 500
/** The compared days, and those around them whose quarters are read. */
const KEPT_DAYS = COMPARED_DAYS + 2

/** The first hour of which quarters are kept. */
export const keptSince = (now: Date): Date =>
  new Date(Math.floor((now.getTime() - KEPT_DAYS * DAY_MS) / HOUR_MS) * HOUR_MS)

/** Counts the quarters of all hours that have ended; each process may call it at any time. */
export async function deriveQuarters(db: Pool, now: Date): Promise<void> {
  const isDistributed = await db.hasCitus()
  const prepare = async (db: Transaction) => {
    await deleteQuartersBefore(db, keptSince(now))
    await markArrivals(db, isDistributed)
    return true
  }
  if (!(await runUnderLock(db, prepare))) return
  while (await runUnderLock(db, (db) => countHours(db, now))) {}
}

/** Runs work in a transaction under the advisory lock; returns its result, or false if another process holds the lock. */
const runUnderLock = (db: Pool, work: (db: Transaction) => Promise<boolean>): Promise<boolean> =>
  db.transaction(async (db) => {
    if (!(await tryLockQuarters(db))) return false
    // At the first run or after a restore this can take long.
    await db.liftTimeLimit()
    return work(db)
  })

async function countHours(db: Transaction, now: Date): Promise<boolean> {
  const marks = await takeMarks(db, now, BATCH_HOURS)
  // Vehicles before are deleted: their hours would be counted as empty.
  const since = (await extentOf(db, 'vehicle'))?.from ?? now
  const countable = marks.filter(({ hour }) => hour >= since && hour >= keptSince(now))
  if (countable.length > 0) await countQuarters(db, countable)
  return marks.length > 0
}

/** The quarters since the first stored vehicle that differ from a recount, in one snapshot. */
export const verifyQuarters = (db: Pool, now: Date): Promise<QuarterDifference[]> =>
  db.transaction(
    async (db) => {
      await db.liftTimeLimit()
      const first = await firstHour(db)
      const kept = keptSince(now)
      return first ? quarterDifferences(db, first > kept ? first : kept) : []
    },
    { mode: SNAPSHOT },
  )
