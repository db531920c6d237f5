/** Bytes a second that a reader takes at least, on average over so long. */
export type MinimumRate = { bytesPerSecond: number; windowMs: number }

/** What a reader has to take, always and while others wait for its turn. */
export type MinimumRates = { always: MinimumRate; crowded: MinimumRate }

/** Small enough that a reader at the minimum rate takes many in a window. */
const PIECE_BYTES = 64 * 1024
const CHECKS_PER_WINDOW = 60

/**
 * Passes content on in small pieces and calls `tooSlow` when the reader takes less than the minimum rate, which is that
 * of a crowd while `isCrowded` says so. Only the time that the content waits for its reader counts, not the time that it
 * takes to be made.
 */
export async function* withMinimumRate(
  content: AsyncIterable<Uint8Array>,
  { always, crowded }: MinimumRates,
  isCrowded: () => boolean,
  tooSlow: () => void,
): AsyncGenerator<Uint8Array> {
  let since: number | undefined
  let [waited, bytes] = [0, 0]
  const now = () => ({ ms: waited + (since === undefined ? 0 : performance.now() - since), bytes })
  /** Whether the rate was kept over the last whole window, if one has ended since the last check. */
  const createMeter = ({ bytesPerSecond, windowMs }: MinimumRate) => {
    let begin = now()
    return {
      restart: () => {
        begin = now()
      },
      isTooSlow: () => {
        const end = now()
        const ms = end.ms - begin.ms
        if (ms < windowMs) return false
        const taken = end.bytes - begin.bytes
        begin = end
        return (taken * 1000) / ms < bytesPerSecond
      },
    }
  }
  const [usual, ofCrowd] = [createMeter(always), createMeter(crowded)]
  const timer = setInterval(() => {
    if (!isCrowded()) ofCrowd.restart()
    if (usual.isTooSlow() || ofCrowd.isTooSlow()) tooSlow()
  }, Math.min(always.windowMs, crowded.windowMs) / CHECKS_PER_WINDOW)
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
