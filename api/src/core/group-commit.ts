import { isDatabaseUnavailable } from './database.ts'
import { activeSpan, type OpenSpan, sharedSpan } from './spans.ts'

type GroupCommitOptions<Item, Result> = {
  /** Writes items in one transaction; returns their results in the same order, after the commit. */
  write: (items: readonly Item[]) => Promise<readonly Result[]>
  /** Rows of an item. */
  sizeOf: (item: Item) => number
  /** Rows per group; an item with more is a group of its own. */
  maxSize: number
}

type QueuedItem<Item, Result> = {
  item: Item
  /** What the caller works for. */
  span: OpenSpan | undefined
  resolve: (result: Result) => void
  reject: (error: unknown) => void
  /** Its group has failed. */
  isAlone?: boolean
}

/**
 * Group commit: while a group is being written, new items wait, and form the next group. Concurrent callers share one
 * transaction; a lone caller does not wait. If a group fails, each of its items is written on its own, so that one
 * does not fail the others; but not if the database is unavailable. If it does not respond, those that wait fail, too.
 */
export function createGroupCommit<Item, Result>({
  write,
  sizeOf,
  maxSize,
}: GroupCommitOptions<Item, Result>): (item: Item) => Promise<Result> {
  let queue: QueuedItem<Item, Result>[] = []
  let isWriting = false

  /** Removes the first items of the queue, up to `maxSize` rows, or one that is written on its own. */
  const takeGroup = () => {
    let size = 0
    const isAlone = queue[0]?.isAlone
    const end = queue.findIndex(({ item }, index) => {
      size += sizeOf(item)
      return index > 0 && (isAlone || size > maxSize)
    })
    const group = end < 0 ? queue : queue.slice(0, end)
    queue = end < 0 ? [] : queue.slice(end)
    return group
  }

  const writeGroup = async (group: readonly QueuedItem<Item, Result>[]): Promise<void> => {
    try {
      const spans = group.map(({ span }) => span)
      const results = await sharedSpan('group commit', spans, () => write(group.map(({ item }) => item)))
      group.forEach(({ resolve }, index) => {
        resolve(results[index] as Result)
      })
    } catch (error) {
      if (isTimeout(error)) {
        // The database does not respond: those that wait, also after a failure of their group, would wait as long again.
        const waiting = queue
        queue = []
        for (const { reject } of waiting) reject(error)
      }
      if (group.length > 1 && !isDatabaseUnavailable(error))
        queue = [...group.map((waiting) => ({ ...waiting, isAlone: true })), ...queue]
      else for (const { reject } of group) reject(error)
    }
  }

  const writeQueue = async () => {
    isWriting = true
    while (queue.length > 0) await writeGroup(takeGroup())
    isWriting = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, span: activeSpan(), resolve, reject })
      if (!isWriting) void writeQueue()
    })
}

const isTimeout = (error: unknown) => ['CONNECTION_TIMEOUT', '57014'].includes((error as { code?: string })?.code ?? '')
