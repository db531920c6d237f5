import { MAX_ADDITIONAL_SECONDS } from '@rogatka/contract/current.ts'

/** A station that answers at all delivers well within this; what comes later is late. */
const PROMPT_MS = 60_000
/** Nobody can see a vehicle live so long after it was measured: the slowest has passed its checkpoint. */
export const LIVE_LOOKBACK_MS = 24 * 3_600_000

type VehicleTimes = { createdAt: Date; checkpointTime: Date | null }

/**
 * Until when (ms) a vehicle is on the live list: it leaves for the user with the longest additional time; without a
 * checkpoint its own time counts. One that comes late, because its station was offline, is there only while its
 * checkpoint is still ahead; a prompt one even where the checkpoint is seconds away.
 */
export function liveUntil({ createdAt, checkpointTime }: VehicleTimes, receivedAt: Date): number {
  const late = receivedAt.getTime() - createdAt.getTime() > PROMPT_MS
  if (late && checkpointTime && receivedAt >= checkpointTime) return Number.NEGATIVE_INFINITY
  const leaves = (checkpointTime ?? createdAt).getTime() + MAX_ADDITIONAL_SECONDS * 1000
  return Math.min(leaves, createdAt.getTime() + LIVE_LOOKBACK_MS)
}

/** Whether a vehicle is on the live list at all. */
export const isLive = (passage: VehicleTimes, receivedAt: Date, now: Date): boolean =>
  now.getTime() < liveUntil(passage, receivedAt)
