/** Minimum download rate, averaged over a window. */
export type MinimumRate = { bytesPerSecond: number; windowMs: number }

/** Minimum rates always, and while others wait for a slot. */
export type MinimumRates = { always: MinimumRate; contended: MinimumRate }

/** Of downloads, of 20 MB at most: 2 Mbit/s while others wait for a slot, evaluated in time for them. */
export const DOWNLOAD_RATES: MinimumRates = {
  always: { bytesPerSecond: 8 * 1024, windowMs: 60_000 },
  contended: { bytesPerSecond: 256 * 1024, windowMs: 15_000 },
}

/** Small enough for many parts per window at the minimum rate. */
const PART_BYTES = 64 * 1024
const CHECKS_PER_WINDOW = 60

/**
 * Yields the content in small parts and calls `onTooSlow` if the client reads below the minimum rate, that of
 * contention while `isContended` returns true. Counts only the time spent waiting for the client, not generating
 * content.
 */
export async function* withMinimumRate(
  content: AsyncIterable<Uint8Array>,
  { always, contended }: MinimumRates,
  isContended: () => boolean,
  onTooSlow: () => void,
): AsyncGenerator<Uint8Array> {
  let waitStart: number | undefined
  let [waitedMs, bytes] = [0, 0]
  const now = () => ({ ms: waitedMs + (waitStart === undefined ? 0 : performance.now() - waitStart), bytes })
  /** Measures the rate per window; `isTooSlow` judges a window when it has ended. */
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
        const consumed = end.bytes - begin.bytes
        begin = end
        return (consumed * 1000) / ms < bytesPerSecond
      },
    }
  }
  const [alwaysMeter, contendedMeter] = [createMeter(always), createMeter(contended)]
  const timer = setInterval(() => {
    if (!isContended()) contendedMeter.restart()
    if (alwaysMeter.isTooSlow() || contendedMeter.isTooSlow()) onTooSlow()
  }, Math.min(always.windowMs, contended.windowMs) / CHECKS_PER_WINDOW)
  try {
    for await (const chunk of content)
      for (let from = 0; from < chunk.length; from += PART_BYTES) {
        const part = chunk.subarray(from, from + PART_BYTES)
        waitStart = performance.now()
        yield part
        waitedMs += performance.now() - waitStart
        waitStart = undefined
        bytes += part.length
      }
  } finally {
    clearInterval(timer)
  }
}
