import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import { trailKeptSince } from '../core/trail-partitions.ts'
import { firstVisit, visitWithoutEnd } from './line-queries.ts'
import type { BrokenLink } from './verify-log.ts'

/** The longest visit is that of a session of 12 hours. */
const MAX_VISIT_MS = DAY_MS

/**
 * The first visit of the access trail that has no end although it is over, and is not open either: somebody deleted it while
 * it was open. Reads a day at a time. `from` null: all that is kept.
 */
export async function findLostVisit(db: Database, from: Date | null, now: Date): Promise<BrokenLink | null> {
  const kept = trailKeptSince(now)
  const since = from && from > kept ? from : kept
  const until = new Date(now.getTime() - MAX_VISIT_MS)
  const first = await firstVisit(db, since)
  for (let at = first ?? until; at < until; at = new Date(at.getTime() + DAY_MS)) {
    const end = new Date(Math.min(until.getTime(), at.getTime() + DAY_MS))
    const lost = await visitWithoutEnd(db, { from: at, to: end })
    if (lost) return { ...lost, seq: null, fault: 'the visit has no end' }
  }
  return null
}
