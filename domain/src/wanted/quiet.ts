import type { QuietHours } from '@rogatka/contract/wanted.ts'
import { DAY_MS, MINUTE_MS } from '../core/time.ts'
import { dayOf, fromWarsaw, toWarsaw } from '../core/warsaw.ts'

/** `21:30` as minutes since midnight. */
export const parseClock = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** Minutes since midnight as `21:30`. */
export const clockOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

/**
 * End of the quiet hours around an instant, null outside. In Polish time, may cross midnight, start inclusive, end
 * exclusive; equal start and end mean none.
 */
export function quietUntil(now: Date, quiet: QuietHours | null): Date | null {
  if (!quiet) return null
  const [from, to] = [parseClock(quiet.from), parseClock(quiet.to)]
  const local = toWarsaw(now.getTime())
  const midnight = dayOf(local)
  const minute = (local - midnight) / MINUTE_MS
  const overMidnight = from > to
  if (overMidnight ? minute < from && minute >= to : minute < from || minute >= to) return null
  const endsTomorrow = overMidnight && minute >= from
  return new Date(fromWarsaw(midnight + (endsTomorrow ? DAY_MS : 0) + to * MINUTE_MS))
}
