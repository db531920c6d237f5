/** Things that wait to be sent, each not before its moment. Full: the oldest gives way. */
type Queue<T> = {
  add: (item: T, readyAt: number) => void
  /** What may go now, oldest first, at most so many. It stays in the queue until it is removed. */
  ready: (now: number, atMost: number) => T[]
  /** The last added that may go now. */
  newest: (now: number) => T | undefined
  remove: (items: readonly T[]) => void
  size: () => number
  /** How many had to give way so far. */
  lost: () => number
}

export const createQueue = <T>(capacity: number): Queue<T> => {
  let waiting: { item: T; readyAt: number }[] = []
  let lost = 0
  return {
    add: (item, readyAt) => {
      waiting.push({ item, readyAt })
      if (waiting.length > capacity) {
        waiting.shift()
        lost++
      }
    },
    ready: (now, atMost) => {
      const found: T[] = []
      for (const { item, readyAt } of waiting) {
        if (found.length === atMost) break
        if (readyAt <= now) found.push(item)
      }
      return found
    },
    newest: (now) => waiting.findLast(({ readyAt }) => readyAt <= now)?.item,
    remove: (items) => {
      const gone = new Set(items)
      waiting = waiting.filter(({ item }) => !gone.has(item))
    },
    size: () => waiting.length,
    lost: () => lost,
  }
}

/** Lets so many work at a time; the others wait their turn. */
export const createSemaphore = (atOnce: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let busy = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (busy >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place is handed on, so nobody slips in between.
      if (next) next()
      else busy--
    }
  }
}
