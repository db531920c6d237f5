import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from './database.ts'
import { sql } from './statement.ts'

/** The clock of the database. */
export async function readDatabaseTime(db: Database): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(sql`select clock_timestamp() as now`)
  return row?.now as Date
}

/** If both clocks differ by more, one of them is wrong, and nobody knows which. */
const MAX_DIFFERENCE_MS = 5 * MINUTE_MS

/** Runs work that deletes what has expired, or decides what is counted, by the time that it is given. */
export type RunExpiry = (work: (now: Date) => Promise<unknown>) => Promise<void>

/**
 * Runs such work by the earlier of both clocks, so that neither can delete too much.
 * @throws without running it if they differ by more than five minutes
 */
export const createExpiry =
  (now: () => Date, databaseNow: () => Promise<Date>): RunExpiry =>
  async (work) => {
    const ofDatabase = await databaseNow()
    const ofProcess = now()
    const differenceMs = ofProcess.getTime() - ofDatabase.getTime()
    if (Math.abs(differenceMs) > MAX_DIFFERENCE_MS)
      throw new Error(
        `The clock of this process (${ofProcess.toISOString()}) and that of the database (${ofDatabase.toISOString()}) ` +
          'differ by more than 5 minutes: nothing is deleted',
      )
    await work(differenceMs > 0 ? ofDatabase : ofProcess)
  }

export type Clock = () => Date

/** The time since a job began at `now`, as its statements and requests may take long. */
export function clockFrom(now: Date): Clock {
  const startedAt = performance.now()
  return () => new Date(now.getTime() + performance.now() - startedAt)
}

export type DatabaseClock = {
  /** Measures the difference of both clocks. @throws if the database fails; the difference measured before stays */
  measure: () => Promise<void>
  /** An instant of this process by the clock of the database, as last measured; before that unchanged. */
  timeAt: (at: Date) => Date
}

/** The clock of the database, without a query for each instant. */
export function createDatabaseClock(now: () => Date, databaseNow: () => Promise<Date>): DatabaseClock {
  /** How far the clock of the database is ahead of that of this process. */
  let aheadMs = 0
  return {
    measure: async () => {
      const ofDatabase = await databaseNow()
      aheadMs = ofDatabase.getTime() - now().getTime()
    },
    timeAt: (at) => new Date(at.getTime() + aheadMs),
  }
}
