import { type Pool, SNAPSHOT } from '../../core/database.ts'
import { sql } from '../../core/statement.ts'
import {
  advance,
  changedDays,
  countDay,
  forgetBefore,
  isNumberedElsewhere,
  learnPlates,
  prepare,
  renumberArrivals,
  wrongDays,
} from './queries.ts'

/**
 * Brings the counts by day and the known plates up to date with all that has arrived. What is cut short is done again
 * the next time, and two at once do no harm: counts only grow, and the mark moves when all before it is done.
 */
export async function bringUpToDate(db: Pool): Promise<void> {
  if (await isNumberedElsewhere(db))
    await db.transaction(async (db) => {
      await db.liftTimeLimit()
      await renumberArrivals(db)
    })
  const { kept, through, unfinished } = await db.transaction(prepare, { mode: 'read only' })
  // The first time, or after a restore, there is a lot to do.
  for (const day of await changedDays(db, through))
    await db.transaction(async (db) => {
      await db.liftTimeLimit()
      await db.query(sql`select set_config('work_mem', '64MB', true)`)
      await countDay(db, day, through)
      await learnPlates(db, day, through)
    })
  await forgetBefore(db, kept.from)
  await advance(db, unfinished)
}

/** The days at stations whose derived counts differ from the hourly roll-up; whoever writes meanwhile is seen as a whole. */
export const verifyDays = (db: Pool): Promise<{ locationId: number; day: string }[]> =>
  db.transaction(
    async (db) => {
      const { kept, through } = await prepare(db)
      await db.liftTimeLimit()
      return [...(await wrongDays(db, kept.from, through))]
    },
    { mode: SNAPSHOT },
  )
