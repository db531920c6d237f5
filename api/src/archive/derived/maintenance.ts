import { type Pool, SNAPSHOT } from '../../core/database.ts'
import {
  changedDays,
  countDay,
  deleteBefore,
  deletedBefore,
  hasForeignTransactionIds,
  indexPlates,
  mismatchedDays,
  raiseSortMemory,
  readSearchState,
  renumberArrivals,
  type SearchState,
  saveProgress,
} from './queries.ts'

/** The state that no open transaction of a search or a file holds back. */
export async function currentState(db: Pool): Promise<SearchState> {
  const isDistributed = await db.hasCitus()
  return db.transaction((db) => readSearchState(db, isDistributed, { asksWorkers: true }), { mode: 'read only' })
}

/**
 * Updates the counts by day and the plate index with all arrivals. Idempotent and safe to run concurrently: counts only
 * grow, and progress is saved last.
 */
export async function updateDerived(db: Pool): Promise<void> {
  if (await hasForeignTransactionIds(db))
    await db.transaction(async (db) => {
      await db.liftTimeLimit()
      await renumberArrivals(db)
    })
  const { extent, through, unfinished } = await currentState(db)
  // At the first run or after a restore this can take long.
  for (const day of await changedDays(db, through))
    await db.transaction(async (db) => {
      await db.liftTimeLimit()
      await raiseSortMemory(db)
      await countDay(db, day, through)
      await indexPlates(db, day, through)
    })
  await saveProgress(db, unfinished)
  // After a partition was dropped, or one of an earlier time was created, whose rows are deleted again later.
  if (+((await deletedBefore(db)) ?? Number.NaN) !== +extent.from) await deleteBefore(db, extent.from)
}

/** The days per station whose derived counts differ from the hourly roll-up, in one snapshot. */
export async function verifyDays(db: Pool): Promise<{ locationId: number; day: string }[]> {
  const isDistributed = await db.hasCitus()
  return db.transaction(
    async (db) => {
      const { extent, through } = await readSearchState(db, isDistributed)
      await db.liftTimeLimit()
      return [...(await mismatchedDays(db, extent.from, through))]
    },
    { mode: SNAPSHOT },
  )
}
