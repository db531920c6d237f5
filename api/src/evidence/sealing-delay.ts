import { HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import { oldestQueued } from '../core/log-queue.ts'
import { sealingTimes } from './seal-queries.ts'

/** Lines are sealed within seconds, vehicles and images two minutes after theirs. */
const MAX_SEALING_MS = 10 * MINUTE_MS
/** The ends of all chains are stored each day. */
const MAX_ANCHOR_MS = 25 * HOUR_MS

/** How long what is to be sealed has waited, or vehicles have not been sealed, and the age of the last anchor; 0: none. */
export type SealingDelay = { sealingMs: number; anchorMs: number }

/** How far sealing is behind at a time. A time in the future counts as late, too: it would hide what is not sealed. */
export async function sealingDelay(db: Database, now: Date): Promise<SealingDelay> {
  const [oldestLine, { sealedUntil, anchoredAt }] = [await oldestQueued(db), await sealingTimes(db)]
  const distance = (time: Date | null) => (time ? Math.abs(now.getTime() - time.getTime()) : 0)
  return { sealingMs: Math.max(distance(oldestLine), distance(sealedUntil)), anchorMs: distance(anchoredAt) }
}

/** Why sealing counts as stalled; null: it does not. */
export function delayFault({ sealingMs, anchorMs }: SealingDelay): string | null {
  if (sealingMs > MAX_SEALING_MS) return `nothing has been sealed for ${Math.floor(sealingMs / MINUTE_MS)} minutes`
  if (anchorMs > MAX_ANCHOR_MS) return `no anchor has been made for ${Math.floor(anchorMs / HOUR_MS)} hours`
  return null
}
