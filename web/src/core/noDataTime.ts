import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { durationText } from '@rogatka/domain/tickets/duration.ts'

const DAY_MINUTES = 24 * 60

/** Formats a time without data in whole minutes, from one day in whole hours: 25 min · 3 h 25 min · 6 d 1 h. */
export function formatNoDataTime(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS))
  return durationText(minutes < DAY_MINUTES ? minutes : minutes - (minutes % 60))
}
