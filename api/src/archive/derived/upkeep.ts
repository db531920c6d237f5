import type { Pool } from '../../core/database.ts'
import { liftTimeLimit } from '../../core/query-timeout.ts'
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
export async function bringUpToDate(sql: Pool): Promise<void> {
  if (await isNumberedElsewhere(sql))
    await sql.begin(async (sql) => {
      await liftTimeLimit(sql)
      await renumberArrivals(sql)
    })
  const { kept, through, unfinished } = await sql.begin('read only', prepare)
  // The first time, or after a restore, there is a lot to do.
  for (const day of await changedDays(sql, through))
    await sql.begin(async (sql) => {
      await liftTimeLimit(sql)
      await sql`select set_config('work_mem', '64MB', true)`
      await countDay(sql, day, through)
      await learnPlates(sql, day, through)
    })
  await forgetBefore(sql, kept.from)
  await advance(sql, unfinished)
}

/** The days at stations whose derived counts differ from the hourly roll-up; whoever writes meanwhile is seen as a whole. */
export const verifyDays = (sql: Pool): Promise<{ locationId: number; day: string }[]> =>
  sql.begin('isolation level repeatable read read only', async (sql) => {
    const { kept, through } = await prepare(sql)
    await liftTimeLimit(sql)
    return [...(await wrongDays(sql, kept.from, through))]
  })
