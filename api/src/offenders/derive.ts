import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { dateOf, fromWarsaw } from '@rogatka/domain/core/warsaw.ts'
import { foldOf, identityOf } from '@rogatka/domain/offenders/identity.ts'
import { mayBeMisread } from '@rogatka/domain/offenders/joins.ts'
import type { Database, Pool, Transaction } from '../core/database.ts'
import { extentOf } from '../core/partitions.ts'
import { recountVehicles } from './count-queries.ts'
import {
  deleteUnseen,
  expireDays,
  insertReadings,
  lockOffenders,
  markArrivals,
  queueInspected,
  queueReviewed,
  queueSeen,
  queueUncounted,
  recordCounted,
  takeMarks,
  takeQueued,
  tryLockOffenders,
  unknownReadings,
} from './derive-queries.ts'
import { listVehicleIds } from './join-queries.ts'
import { joinSpellings } from './joins.ts'

/*
 * Repeat offenders, derived from the vehicles of hours that have ended. Of each spelling seen in these hours the joins are
 * evaluated, and the vehicles that were overloaded are counted again as a whole: late vehicles, repetitions and interrupted
 * runs therefore lead to the same figures. All can be rebuilt: mark every hour of `arrival`.
 */

/** Hours and spellings per transaction. */
const BATCH_HOURS = 500
const BATCH_SPELLINGS = 500
/** Months that repeat offenders are kept at most. */
const MAX_MONTHS = 24

/** Polish day 24 months ago: the first that is counted. */
export function firstDay(now: Date): string {
  const today = dateOf(now)
  return `${Number(today.slice(0, 4)) - MAX_MONTHS / 12}${today.slice(4)}`.replace('-02-29', '-03-01')
}

/** When the first day that is counted began. */
export const countedSince = (now: Date): Date => new Date(fromWarsaw(Date.parse(firstDay(now))))

/** Derives all hours that have ended; each process may call it at any time. */
export async function deriveOffenders(db: Pool, now: Date): Promise<void> {
  const isDistributed = await db.hasCitus()
  if (!(await runUnderLock(db, (db) => markChanges(db, isDistributed).then(() => true)))) return
  while (await runUnderLock(db, (db) => readHours(db, now))) {}
  while (await runUnderLock(db, (db) => evaluateQueued(db, now))) {}
  await runUnderLock(db, (db) => recordCounted(db, lastFullHour(now)).then(() => true))
}

async function markChanges(db: Transaction, isDistributed: boolean): Promise<void> {
  await markArrivals(db, isDistributed)
  await queueInspected(db)
}

const lastFullHour = (now: Date): Date => new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)

/** Runs work in a transaction under the advisory lock; returns its result, or false if another process holds the lock. */
const runUnderLock = (db: Pool, work: (db: Transaction) => Promise<boolean>): Promise<boolean> =>
  db.transaction(async (db) => {
    if (!(await tryLockOffenders(db))) return false
    // At the first run or after a restore this can take long.
    await db.liftTimeLimit()
    return work(db)
  })

async function readHours(db: Transaction, now: Date): Promise<boolean> {
  const marks = await takeMarks(db, now, BATCH_HOURS)
  if (marks.length === 0) return false
  const readings = (await unknownReadings(db, marks)).map((reading) => {
    const identity = identityOf(reading.plate, reading.nationality)
    const spelling = identity && {
      form: identity.form,
      country: identity.country ?? '',
      fold: foldOf(identity.form),
      mayBeMisread: mayBeMisread(identity),
    }
    return { ...reading, spelling }
  })
  if (readings.length > 0) await insertReadings(db, readings)
  await queueSeen(db, marks)
  return true
}

async function evaluateQueued(db: Transaction, now: Date): Promise<boolean> {
  const queued = await takeQueued(db, BATCH_SPELLINGS)
  if (queued.length === 0) return false
  const vehicles = await joinSpellings(db, queued, countedSince(now))
  await recountVehicles(db, [...new Set([...vehicles, ...(await listVehicleIds(db, queued))])], countedSince(now))
  return true
}

/**
 * Evaluates joins again whose counts may have changed since, and deletes what is older than the vehicles, or than 24
 * months.
 */
export async function reviewOffenders(db: Pool, now: Date): Promise<void> {
  await db.transaction(async (db) => {
    await lockOffenders(db)
    await db.liftTimeLimit()
    const through = await lastExpiredDay(db, now)
    await expireDays(db, through)
    await queueReviewed(db)
    await queueUncounted(db)
    await deleteUnseen(db, through)
  })
  await deriveOffenders(db, now)
}

/** The last day of which vehicles may have been deleted, or that is older than 24 months. */
export async function lastExpiredDay(db: Database, now: Date): Promise<string> {
  const extent = await extentOf(db, 'vehicle')
  const dayBefore = new Date(Date.parse(firstDay(now)) - DAY_MS).toISOString().slice(0, 10)
  return extent && dateOf(extent.from) > dayBefore ? dateOf(extent.from) : dayBefore
}
