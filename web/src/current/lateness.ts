/**
 * A part that is late by more counts. Changes are sent within 100 ms and counters every second: what is later was held back, or
 * waited for a busy page or a bad line, which rarely last that long.
 */
const LATE_MS = 3_000
/** Parts within this time are one: after a pause, as of a suspended computer, all that waited comes at once. */
const PART_MS = 3_000
/** Late parts, one after the other, by which a stream counts as held back. */
const MAX_LATE_PARTS = 3

/**
 * Function that is called with the time at which the server sent an event, and the present one by `performance.now`, in ms. It
 * returns whether the stream is held back, by a proxy that buffers: several parts in succession came late compared with
 * the fastest event. The clocks need not agree.
 */
export function createLatenessCheck(): (sentAt: number, now: number) => boolean {
  let leastDelay = Number.POSITIVE_INFINITY
  let lateParts = 0
  let partBeganAt = Number.NEGATIVE_INFINITY
  return (sentAt, now) => {
    const delay = now - sentAt
    leastDelay = Math.min(leastDelay, delay)
    // The first event of a part has waited longest.
    if (now - partBeganAt < PART_MS) return false
    partBeganAt = now
    lateParts = delay - leastDelay > LATE_MS ? lateParts + 1 : 0
    return lateParts >= MAX_LATE_PARTS
  }
}
