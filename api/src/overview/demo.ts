import type { Pool } from '../core/database.ts'
import { addEarlierWeeks } from './demo-queries.ts'
import { deriveQuarters, keptSince } from './derive.ts'
import { firstHour } from './derive-queries.ts'

/**
 * Gives the demo the traffic of 8 weeks to compare with, of which it stores the vehicles of the last days only: the
 * weeks before its first vehicle are like the last one.
 */
export async function seedDemoQuarters(db: Pool, now: Date): Promise<void> {
  await deriveQuarters(db, now)
  const first = await firstHour(db)
  if (first) await addEarlierWeeks(db, { from: keptSince(now), to: first, until: now })
}
