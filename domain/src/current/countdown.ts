/** `seconds` until the checkpoint, negative behind it, 0 when gone; null: no countdown to show. */
type Countdown = { phase: 'approaching' | 'passed' | 'gone'; seconds: number | null }

/**
 * Phase of a live vehicle: before its checkpoint, after it for the user's additional time, or gone. Without a
 * checkpoint time it stays for the additional time after its measurement (docs/domain.md). Times in ms since the epoch.
 */
export const countdown = (
  checkpointTimeMs: number | null,
  nowMs: number,
  additionalSeconds: number,
  createdAtMs: number,
): Countdown => {
  if (nowMs >= (checkpointTimeMs ?? createdAtMs) + additionalSeconds * 1_000) return { phase: 'gone', seconds: 0 }
  if (checkpointTimeMs === null) return { phase: 'passed', seconds: null }
  // Rounded up: 00:01 until the checkpoint is reached, −00:01 from one full second after it.
  const seconds = Math.ceil((checkpointTimeMs - nowMs) / 1_000) || 0
  return { phase: nowMs < checkpointTimeMs ? 'approaching' : 'passed', seconds }
}

const MINUS = '\u2212'

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** `04:12`, `−00:42`, `1:02:05`. */
export const formatCountdown = (seconds: number): string => {
  const whole = Math.abs(Math.trunc(seconds))
  const hours = Math.floor(whole / 3_600)
  const minutes = twoDigits(Math.floor(whole / 60) % 60)
  const sign = seconds <= -1 ? MINUS : ''
  return `${sign}${hours > 0 ? `${hours}:` : ''}${minutes}:${twoDigits(whole % 60)}`
}
