import { DAY_MS, HOUR_MS, type Interval, MINUTE_MS } from '../core/time.ts'
import { dayOf, fromWarsaw, toWarsaw } from '../core/warsaw.ts'

/** The Polish day and time at which a shift began: `{ day: '2026-10-19', start: '22:00' }`. */
export type Shift = { day: string; start: string }

/**
 * The instant at which the shift of a Polish day (local midnight) begins. A time that occurs twice in autumn begins it once,
 * at the first; one that spring skips begins it when the clock changes.
 */
function beginningOf(day: number, start: string): number {
  const [hours = 0, minutes = 0] = start.split(':').map(Number)
  const local = day + hours * HOUR_MS + minutes * MINUTE_MS
  const at = fromWarsaw(local)
  // The clock changes on the hour, and a skipped time is moved into the hour after it.
  return toWarsaw(at) === local ? at : Math.floor(at / HOUR_MS) * HOUR_MS
}

/** The shift of an instant. `starts`: HH:MM in Polish time, ascending; before the first the last of the day before runs. */
export function shiftAt(starts: readonly string[], at: Date): Shift {
  const today = dayOf(toWarsaw(at.getTime()))
  const start = starts.findLast((it) => beginningOf(today, it) <= at.getTime())
  const day = start === undefined ? today - DAY_MS : today
  return { day: new Date(day).toISOString().slice(0, 10), start: start ?? starts.at(-1) ?? '00:00' }
}

/** The start of a range, and the instants in it at which shifts begin. */
export function startsOfShifts(starts: readonly string[], from: Date, to: Date): Date[] {
  const found = [from]
  for (let day = dayOf(toWarsaw(from.getTime())); day <= toWarsaw(to.getTime()); day += DAY_MS)
    for (const start of starts) {
      const at = new Date(beginningOf(day, start))
      if (at > (found.at(-1) as Date) && at < to) found.push(at)
    }
  return found
}

/** Longer than any shift, which may be a day of 25 hours. */
export const MAX_SHIFT_MS = 26 * HOUR_MS

/** The shift of an instant as a range: its beginning, and that of the next one, which is not in it. */
export function shiftRange(starts: readonly string[], at: Date): Interval {
  const around = [at.getTime() - MAX_SHIFT_MS, at.getTime() + MAX_SHIFT_MS].map((ms) => new Date(ms)) as [Date, Date]
  const begun = startsOfShifts(starts, ...around).slice(1)
  const from = begun.findLast((start) => start <= at)
  const to = begun.find((start) => start > at)
  return { from: from ?? around[0], to: to ?? around[1] }
}

/** When a shift ends, that is the next one begins; null if no shift begins at `start`, as the times were changed since. */
export function shiftEnd(starts: readonly string[], start: string): string | null {
  const index = starts.indexOf(start)
  return index < 0 ? null : (starts[(index + 1) % starts.length] ?? null)
}
