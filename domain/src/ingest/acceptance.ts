import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { MAX_CLOCK_AHEAD_MINUTES } from '@rogatka/contract/ingest.ts'
import { DAY_MS, MINUTE_MS } from '../core/time.ts'

type Acceptance = 'accepted' | Extract<ErrorCode, 'measurement-too-old' | 'measurement-in-the-future'>

/**
 * Whether the time of a measurement is accepted: not older than the retention, not beyond the permitted clock
 * deviation.
 */
export const acceptance = (createdAt: Date, now: Date, retentionDays: number): Acceptance => {
  const age = now.getTime() - createdAt.getTime()
  if (age < -MAX_CLOCK_AHEAD_MINUTES * MINUTE_MS) return 'measurement-in-the-future'
  return age > retentionDays * DAY_MS ? 'measurement-too-old' : 'accepted'
}
