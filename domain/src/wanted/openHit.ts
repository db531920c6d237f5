import { HOUR_MS } from '../core/time.ts'
import { MAX_SHIFT_MS, startsOfShifts } from '../inspections/shift.ts'

/** Vehicles received later than this after their measurement open no hit: they cannot be stopped any more. */
const MAX_DELAY_MS = HOUR_MS
/** Hits of the end of a shift are open for at least this long. */
const MIN_OPEN_MS = HOUR_MS
/** Hits are open for no longer than this. */
export const MAX_OPEN_MS = MAX_SHIFT_MS + MIN_OPEN_MS

/** Whether the hit of a vehicle is shown as open when it arrives. */
export const opensHit = (createdAt: Date, receivedAt: Date): boolean =>
  receivedAt.getTime() - createdAt.getTime() <= MAX_DELAY_MS

/**
 * What became of a vehicle that nobody took: `late` if it was received too late for its hit to be open. `receivedAt`: undefined if it is
 * no longer stored.
 */
export const untakenOutcome = (createdAt: Date, receivedAt: Date | undefined): 'untaken' | 'late' =>
  receivedAt && !opensHit(createdAt, receivedAt) ? 'late' : 'untaken'

/**
 * Time (ms) until which a hit stays open that nobody closes: the end of the shift in which it was measured, at least an
 * hour, and never before the vehicle has passed its checkpoint. `starts`: HH:MM at which shifts begin.
 */
export function openUntil(
  starts: readonly string[],
  { createdAt, checkpointTime }: { createdAt: Date; checkpointTime: Date | null },
): number {
  const from = createdAt.getTime()
  const shiftEnd = startsOfShifts(starts, createdAt, new Date(from + MAX_SHIFT_MS))[1]
  const until = Math.max(shiftEnd?.getTime() ?? 0, from + MIN_OPEN_MS, checkpointTime?.getTime() ?? 0)
  return Math.min(until, from + MAX_OPEN_MS)
}

/**
 * What became of a hit that nobody took or closed, by its vehicle; `times`: undefined if that is no longer stored. `starts` as in
 * `openUntil`.
 */
export function unansweredOutcome(
  starts: readonly string[],
  createdAt: Date,
  times: { checkpointTime: Date | null; receivedAt: Date } | undefined,
  now: Date,
): 'open' | 'untaken' | 'late' {
  const outcome = untakenOutcome(createdAt, times?.receivedAt)
  if (!times || outcome === 'late') return outcome
  return openUntil(starts, { createdAt, checkpointTime: times.checkpointTime }) > now.getTime() ? 'open' : 'untaken'
}

/** Whether the vehicle is still before its checkpoint; without one it counts as passed. */
export const isApproaching = ({ checkpointTime }: { checkpointTime: Date | null }, now: Date): boolean =>
  checkpointTime !== null && checkpointTime > now
