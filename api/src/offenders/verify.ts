import { type Pool, SNAPSHOT } from '../core/database.ts'
import { countedSince, lastExpiredDay } from './derive.ts'
import {
  type OffenderDifference,
  offenderDifferences,
  unreadVehicles,
  wrongCarriers,
  wrongSums,
  wrongVehicles,
} from './verify-queries.ts'

type OffenderVerification = {
  differences: OffenderDifference[]
  /** Vehicles whose sums are not those of their days. */
  wrongSums: number
  /** Vehicles with another carrier than their inspections have. */
  wrongCarriers: number
  /** Spellings of another vehicle than their joins lead to. */
  wrongVehicles: number
  /** Vehicles that were not read. */
  unread: number
}

/** Recounts repeat offenders from the vehicles, in one snapshot. */
export const verifyOffenders = (db: Pool, now: Date): Promise<OffenderVerification> =>
  db.transaction(
    async (db) => {
      await db.liftTimeLimit()
      const through = await lastExpiredDay(db, now)
      return {
        differences: await offenderDifferences(db, through, countedSince(now)),
        wrongSums: await wrongSums(db),
        wrongCarriers: await wrongCarriers(db),
        wrongVehicles: await wrongVehicles(db),
        unread: await unreadVehicles(db, through),
      }
    },
    { mode: SNAPSHOT },
  )
