import { MAX_ADDITIONAL_SECONDS } from '@rogatka/contract/current.ts'
import { DAY_MS } from '../core/time.ts'

/** Stations that are online deliver within this time; later deliveries count as late. */
const PROMPT_MS = 60_000
/** Maximum age of a live vehicle: by then the slowest one has passed its checkpoint. */
export const LIVE_LOOKBACK_MS = DAY_MS

type VehicleTimes = { createdAt: Date; checkpointTime: Date | null }

/**
 * Time (ms) until which a vehicle is live, for the user with the longest additional time; without a checkpoint counted
 * from the measurement. Vehicles delivered late, because their station was offline, are live only before their
 * checkpoint; prompt ones always.
 */
export function liveUntil({ createdAt, checkpointTime }: VehicleTimes, receivedAt: Date): number {
  const late = receivedAt.getTime() - createdAt.getTime() > PROMPT_MS
  if (late && checkpointTime && receivedAt >= checkpointTime) return Number.NEGATIVE_INFINITY
  const leavesAt = (checkpointTime ?? createdAt).getTime() + MAX_ADDITIONAL_SECONDS * 1000
  return Math.min(leavesAt, createdAt.getTime() + LIVE_LOOKBACK_MS)
}

/** Whether a vehicle is live. */
export const isLive = (vehicle: VehicleTimes, receivedAt: Date, now: Date): boolean =>
  now.getTime() < liveUntil(vehicle, receivedAt)
