import { withDatabaseTimeout } from './timeout.ts'

/** How long a request waits for a value that is being read. */
const WAIT_MS = 1_000
/** How much longer a value is used that could not be read again. */
const KEEP_MS = 60_000

export type CachedRead<T> = {
  /** The value, read again if it is older than its maximum age; undefined if it could not be read in time. */
  read: (now: Date) => Promise<T | undefined>
}

/**
 * A value that is read at most once in `maxAgeMs` for all requests of this process. A read that hangs delays a request
 * only once, and never fails it.
 */
export function createCachedRead<T>(
  load: (now: Date) => Promise<T>,
  maxAgeMs: number,
  onError: (error: unknown) => void,
): CachedRead<T> {
  let last: { value: T; at: Date } | undefined
  let loading: { done: Promise<void>; since: number } | undefined

  /** In both directions, so that a clock set back does not prolong it. */
  const isYounger = (now: Date, ms: number) => last !== undefined && Math.abs(now.getTime() - last.at.getTime()) < ms

  const start = (now: Date) => {
    const done = load(now)
      .then((value) => {
        last = { value, at: now }
      })
      .catch(onError)
      .finally(() => {
        loading = undefined
      })
    loading = { done, since: performance.now() }
    return loading
  }

  return {
    read: async (now) => {
      if (!isYounger(now, maxAgeMs)) {
        const { done, since } = loading ?? start(now)
        const left = WAIT_MS - (performance.now() - since)
        if (left > 0) await withDatabaseTimeout(done, left).catch(() => {})
      }
      return isYounger(now, maxAgeMs + KEEP_MS) ? last?.value : undefined
    },
  }
}
