import { setImmediate } from 'node:timers/promises'

/** Maximum time that a report blocks the event loop. */
const MAX_BLOCKING_MS = 4

/** Characters that are formatted without yielding to the event loop: about a millisecond. */
const CHUNK_LENGTH = 64 * 1024

/** Returns a function to await often in long work: it yields to the event loop when the time is up. */
export function createYielder(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < MAX_BLOCKING_MS) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}

/** Formats the items of a batch as text, in parts after which other work may run. */
export async function* inChunks<T>(
  batch: Iterable<T>,
  format: (item: T) => string,
  maybeYield: () => Promise<void> | undefined,
): AsyncGenerator<Buffer> {
  let text = ''
  for (const item of batch) {
    text += format(item)
    if (text.length < CHUNK_LENGTH) continue
    yield Buffer.from(text)
    text = ''
    await maybeYield()
  }
  if (text) yield Buffer.from(text)
  await maybeYield()
}
