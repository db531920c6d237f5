/**
 * A part that is late by more counts. Changes are sent within 100 ms and counters every second: what is later was held back, or
 * waited for a busy page or a slow line, which rarely last that long.
 */
const LATE_MS = 5_000
/** Parts within this time are one: after a pause, as of a suspended computer, all that waited comes at once. */
const PART_MS = 3_000
/** Late parts, one after the other, by which a stream counts as held back. */
const MAX_LATE_PARTS = 3

export type Lateness = {
  /** Another stream begins, perhaps of a server with another clock: its delays are compared with each other. */
  begin: () => void
  /**
   * Called with the time at which the server sent something, and the present one by `performance.now`, in ms. Returns whether
   * streams are held back. The clocks need not agree.
   */
  isHeldBack: (sentAt: number, now: number) => boolean
}

/**
 * Notices a proxy that buffers streams: several parts in succession came late compared with the fastest part of their
 * stream, also of streams that replaced each other, since a quiet one has few parts until it is renewed.
 */
export function createLateness(): Lateness {
  let leastDelay: number | null = null
  let lateParts = 0
  let partBeganAt = Number.NEGATIVE_INFINITY
  return {
    begin: () => {
      leastDelay = null
    },
    isHeldBack: (sentAt, now) => {
      const delay = now - sentAt
      const fastest = leastDelay
      leastDelay = Math.min(delay, fastest ?? delay)
      // The first one of a part has waited longest.
      if (now - partBeganAt < PART_MS) return false
      partBeganAt = now
      // Nothing to compare it with.
      if (fastest === null) return false
      lateParts = delay - leastDelay > LATE_MS ? lateParts + 1 : 0
      if (lateParts < MAX_LATE_PARTS) return false
      lateParts = 0
      return true
    },
  }
}
