/** Bytes a second that a reader takes at least, on average over so long. */
export type MinimumRate = { bytesPerSecond: number; windowMs: number }

/** Small enough that a reader at the minimum rate takes many in a window. */
const PIECE_BYTES = 64 * 1024
const CHECKS_PER_WINDOW = 60

/**
 * Passes content on in small pieces and calls `tooSlow` when the reader takes less than the minimum rate. Only the time
 * that the content waits for its reader counts, not the time that it takes to be made.
 */
export async function* withMinimumRate(
  content: AsyncIterable<Uint8Array>,
  { bytesPerSecond, windowMs }: MinimumRate,
  tooSlow: () => void,
): AsyncGenerator<Uint8Array> {
  let [waited, bytes] = [0, 0]
  let since: number | undefined
  const timer = setInterval(() => {
    const ms = waited + (since === undefined ? 0 : performance.now() - since)
    if (ms < windowMs) return
    if ((bytes * 1000) / ms < bytesPerSecond) tooSlow()
    ;[waited, bytes] = [0, 0]
    if (since !== undefined) since = performance.now()
  }, windowMs / CHECKS_PER_WINDOW)
  try {
    for await (const chunk of content)
      for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
        const piece = chunk.subarray(from, from + PIECE_BYTES)
        since = performance.now()
        yield piece
        waited += performance.now() - since
        since = undefined
        bytes += piece.length
      }
  } finally {
    clearInterval(timer)
  }
}
