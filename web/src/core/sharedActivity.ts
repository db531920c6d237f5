import { readStored, writeStored } from './browserStorage.ts'

/*
 * Time of a user's last activity in any tab, in localStorage: frozen tabs receive messages late or never, and cannot
 * respond, but storage can be read at any time.
 */

const keyOf = (userId: number) => `lastActive:${userId}`

/** Records that the user was active `idleMs` ago, unless a later activity is recorded. */
export function writeSharedActivity(userId: number, idleMs: number): void {
  if (idleMs < readSharedIdleMs(userId)) writeStored('local', keyOf(userId), String(Date.now() - idleMs))
}

/** ms since the user's last activity in any tab; Infinity if unknown. */
export function readSharedIdleMs(userId: number | null): number {
  const written = userId === null ? null : readStored('local', keyOf(userId))
  const idle = written === null ? Number.NaN : Date.now() - Number(written)
  // In the future: the clock was set back, so the time is unknown.
  return idle >= 0 ? idle : Number.POSITIVE_INFINITY
}
