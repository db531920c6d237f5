import { type Pool, SNAPSHOT } from '../../core/database.ts'
import { sql } from '../../core/statement.ts'
import {
  changedDays,
  countDay,
  deleteBefore,
  indexPlates,
  isNumberedElsewhere,
  mismatchedDays,
  readSearchState,
  renumberArrivals,
  saveProgress,
} from './queries.ts'

/**
 * Brings the counts by day and the known plates up to date with all that has arrived. What is cut short is done again
 * the next time, and two at once do no harm: counts only grow, and the mark moves when all before it is done.
 */
export async function updateDerived(db: Pool): Promise<void> {
  if (await isNumberedElsewhere(db))
    await db.transaction(async (db) => {
      await db.liftTimeLimit()
      await renumberArrivals(db)
    })
  const { kept, through, unfinished } = await db.transaction(readSearchState, { mode: 'read only' })
  // The first time, or after a restore, there is a lot to do.
  for (const day of await changedDays(db, through))
    await db.transaction(async (db) => {
      await db.liftTimeLimit()
      await db.query(sql`select set_config('work_mem', '64MB', true)`)
      await countDay(db, day, through)
      await indexPlates(db, day, through)
    })
  await deleteBefore(db, kept.from)
  await saveProgress(db, unfinished)
}

/** The days at stations whose derived counts differ from the hourly roll-up; whoever writes meanwhile is seen as a whole. */
export const verifyDays = (db: Pool): Promise<{ locationId: number; day: string }[]> =>
  db.transaction(
    async (db) => {
      const { kept, through } = await readSearchState(db)
      await db.liftTimeLimit()
      return [...(await mismatchedDays(db, kept.from, through))]
    },
    { mode: SNAPSHOT },
  )
