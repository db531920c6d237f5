const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Delays after each failed attempt, in milliseconds. */
export const RETRY_DELAYS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR]

/** When an event is tried again after so many failed attempts; null: it is given up. */
export function nextAttemptAt(attempts: number, now: Date): Date | null {
  const delay = RETRY_DELAYS[attempts - 1]
  return delay === undefined ? null : new Date(now.getTime() + delay)
}
