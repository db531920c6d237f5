import { readStored, writeStored } from './stored.ts'

/*
 * When a user was last active in any tab of this browser. Messages reach a frozen tab late or never, and a frozen tab
 * cannot answer; what is written here can be read at any time, and in the same moment.
 */

const keyOf = (userId: number) => `lastActive:${userId}`

/** Notes that this user is active now. */
export const writeSharedActivity = (userId: number): void => writeStored('local', keyOf(userId), String(Date.now()))

/** Milliseconds since this user was last active in any tab; Infinity where that is not known. */
export function readSharedIdleMs(userId: number | null): number {
  const written = userId === null ? null : readStored('local', keyOf(userId))
  const idle = written === null ? Number.NaN : Date.now() - Number(written)
  // Written before the clock was set back: nobody can tell when that was.
  return idle >= 0 ? idle : Number.POSITIVE_INFINITY
}
