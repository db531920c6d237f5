/** Bounded queue of items with the earliest time of sending; when full, it drops the oldest. */
type Queue<T> = {
  add: (item: T, readyAt: number) => void
  /** Up to `limit` items that are due, oldest first; they stay queued until removed. */
  ready: (now: number, limit: number) => T[]
  /** The last added item that is due. */
  newest: (now: number) => T | undefined
  remove: (items: readonly T[]) => void
  size: () => number
  /** Number of dropped items. */
  dropped: () => number
}

export const createQueue = <T>(capacity: number): Queue<T> => {
  let waiting: { item: T; readyAt: number }[] = []
  let dropped = 0
  return {
    add: (item, readyAt) => {
      waiting.push({ item, readyAt })
      if (waiting.length > capacity) {
        waiting.shift()
        dropped++
      }
    },
    ready: (now, limit) => {
      const found: T[] = []
      for (const { item, readyAt } of waiting) {
        if (found.length === limit) break
        if (readyAt <= now) found.push(item)
      }
      return found
    },
    newest: (now) => waiting.findLast(({ readyAt }) => readyAt <= now)?.item,
    remove: (items) => {
      const removed = new Set(items)
      waiting = waiting.filter(({ item }) => !removed.has(item))
    },
    size: () => waiting.length,
    dropped: () => dropped,
  }
}

/** FIFO semaphore: at most `concurrency` tasks run at a time. */
export const createSemaphore = (concurrency: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // Passes the slot on, so that no new task takes it first.
      if (next) next()
      else running--
    }
  }
}
