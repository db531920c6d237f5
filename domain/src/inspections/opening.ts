import { PASSED_BY_HOURS } from '@rogatka/contract/options.ts'
import { HOUR_MS, MINUTE_MS } from '../core/time.ts'

/** An announced vehicle has passed by this long after it should reach the checkpoint. */
export const PASSES_AFTER_MS = 15 * MINUTE_MS

type MeasuredTimes = {
  createdAt: Date
  /** Null if unknown. */
  checkpointTime: Date | null
}

/**
 * How an inspection of a measured vehicle can be opened at a time. It can be announced as long as it can still be
 * stopped; after that an officer who has it can take it over at once. Null: it is too late for both.
 */
export function openingAt({ createdAt, checkpointTime }: MeasuredTimes, at: Date): 'announced' | 'takenOver' | null {
  const passed = at.getTime() - (checkpointTime ?? createdAt).getTime()
  if (passed < PASSES_AFTER_MS) return 'announced'
  return passed <= PASSED_BY_HOURS * HOUR_MS ? 'takenOver' : null
}

/**
 * How much later than it was entered an announcement may arrive, from a phone that had no connection. After that nobody
 * waits for the vehicle any more; one that was stopped meanwhile is taken over at once, by its time.
 */
const LATE_MS = 15 * MINUTE_MS

/**
 * Whether an inspection can be opened in this state by its time `at`, which may have been entered before `now`; what can
 * be announced can be taken over, too.
 */
export function canOpen(
  vehicle: MeasuredTimes,
  state: 'announced' | 'takenOver',
  { at, now }: { at: Date; now: Date },
): boolean {
  const opening = openingAt(vehicle, at)
  if (opening !== 'announced') return opening === state
  return state === 'takenOver' || openingAt(vehicle, new Date(now.getTime() - LATE_MS)) === 'announced'
}
