import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../core/time.ts'

/** Delays after each failed attempt, in milliseconds. */
export const RETRY_DELAYS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
]

/** When an event is tried again after so many failed attempts; null: it is given up. */
export function nextAttemptAt(attempts: number, now: Date): Date | null {
  const delay = RETRY_DELAYS[attempts - 1]
  return delay === undefined ? null : new Date(now.getTime() + delay)
}
