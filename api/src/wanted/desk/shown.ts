import type { Database } from '../../core/database.ts'
import { notifyHitChanges } from '../../core/live-events.ts'
import type { PassageKey } from '../../core/passage.ts'
import { insertStep, isHit } from './hit-queries.ts'

/** Records in the course of a hit that a user has shown the vehicle on the sign; does nothing for other vehicles. */
export async function recordShown(db: Database, key: PassageKey, userId: number, now: Date): Promise<void> {
  if (!(await isHit(db, key))) return
  await insertStep(db, key, { step: 'shown', userId }, now)
  await notifyHitChanges(db, [key])
}
