import { HOUR_MS } from '@rogatka/domain/core/time.ts'
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
  // The current hour is not counted yet.
  const until = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
  if (first) await addEarlierWeeks(db, { from: keptSince(now), to: first, until })
}
