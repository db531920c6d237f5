import { MAX_ADDITIONAL_SECONDS } from '@rogatka/contract/current.ts'

/** A station that answers at all delivers well within this; what comes later is late. */
const PROMPT_MS = 60_000
/** Nobody can see a vehicle live so long after it was measured: the slowest has passed its checkpoint. */
export const LIVE_REACH_MS = 24 * 3_600_000

type Passage = { createdAt: Date; checkpointTime: Date | null }

/** When a vehicle leaves the live list for the user with the longest additional time. Without a checkpoint its own time counts. */
export const leavesAt = ({ createdAt, checkpointTime }: Passage): Date =>
  new Date((checkpointTime ?? createdAt).getTime() + MAX_ADDITIONAL_SECONDS * 1000)

/**
 * Whether a vehicle is on the live list at all: one that comes late, because its station was offline, is only while
 * its checkpoint is still ahead. A prompt one is even where the checkpoint is seconds away.
 */
export function isLive(passage: Passage, receivedAt: Date, now: Date): boolean {
  const { createdAt, checkpointTime } = passage
  const late = receivedAt.getTime() - createdAt.getTime() > PROMPT_MS
  if (late && checkpointTime && receivedAt >= checkpointTime) return false
  return now < leavesAt(passage) && now.getTime() - createdAt.getTime() < LIVE_REACH_MS
}
