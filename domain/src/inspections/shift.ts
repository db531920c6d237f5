import { DAY_MS } from '../core/time.ts'
import { toWarsaw } from '../core/warsaw.ts'

/** The Polish day and time at which a shift began: `{ day: '2026-10-19', start: '22:00' }`. */
export type Shift = { day: string; start: string }

/** The shift of an instant. `starts`: HH:MM in Polish time, ascending; before the first the last of the day before runs. */
export function shiftAt(starts: readonly string[], at: Date): Shift {
  const local = new Date(toWarsaw(at.getTime()))
  const clock = local.toISOString().slice(11, 16)
  const start = starts.findLast((it) => it <= clock)
  const day = start === undefined ? new Date(local.getTime() - DAY_MS) : local
  return { day: day.toISOString().slice(0, 10), start: start ?? starts.at(-1) ?? '00:00' }
}

/** When a shift ends, that is the next one begins; null if no shift begins at `start`, as the times were changed since. */
export function shiftEnd(starts: readonly string[], start: string): string | null {
  const index = starts.indexOf(start)
  return index < 0 ? null : (starts[(index + 1) % starts.length] ?? null)
}
