import type { Pool } from '../core/database.ts'
import { markedMonths, rebuildMonth, tryLockMonths } from './figures-derive-queries.ts'

/** Months of stations per transaction. */
const BATCH = 200

/** Rebuilds marked months in batches under an advisory lock; returns how many. */
export async function deriveInspectionMonths(db: Pool): Promise<number> {
  for (let total = 0; ; ) {
    const count = await db.transaction(async (db) => {
      if (!(await tryLockMonths(db))) return 0
      const months = await markedMonths(db, BATCH)
      for (const month of months) await rebuildMonth(db, month)
      return months.length
    })
    total += count
    if (count === 0) return total
  }
}
