/** `total` at once, of them `perUser` of one user; a caller waits at most `waitMs`, in a queue that is bounded likewise. */
export type SemaphoreLimits = { total: number; perUser: number; waitMs: number; queue: number; queuePerUser: number }

/** FIFO semaphore: at most `total` tasks run at a time, all others wait for as long as their signals let them. */
export function createSemaphore(total: number) {
  const unlimited = { waitMs: Number.POSITIVE_INFINITY, queue: Number.POSITIVE_INFINITY }
  const turns = createUserSemaphore({ total, perUser: total, ...unlimited, queuePerUser: Number.POSITIVE_INFINITY })
  // All are one user, whose queue has no limit: never 'busy'.
  return { take: (signal?: AbortSignal) => turns.take(0, signal) as Promise<Leave | null> }
}

/** Ends a turn; a second call does nothing. */
type Leave = () => void
type Waiting = { user: number; enter: () => void }

/** FIFO semaphore with a limit per user: users at their limit, and those with more running, let others pass. */
export function createUserSemaphore({ total, perUser, waitMs, queue, queuePerUser }: SemaphoreLimits) {
  const running = new Map<number, number>()
  let free = total
  let waiting: Waiting[] = []

  const runningOf = (user: number) => running.get(user) ?? 0
  const hasRoom = (user: number) => free > 0 && runningOf(user) < perUser

  const begin = (user: number): Leave => {
    free--
    running.set(user, runningOf(user) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      free++
      if (runningOf(user) > 1) running.set(user, runningOf(user) - 1)
      else running.delete(user)
      for (let next = nextWaiting(); next; next = nextWaiting()) next.enter()
    }
  }

  /** Of those with room, the first of the users with the fewest running: many calls of one never go before another's. */
  const nextWaiting = () =>
    waiting.filter(({ user }) => hasRoom(user)).toSorted((a, b) => runningOf(a.user) - runningOf(b.user))[0]

  return {
    /** Whether somebody else waits who would run if this user's turn ended. */
    areOthersWaiting: (user: number): boolean =>
      waiting.some((other) => other.user !== user && runningOf(other.user) < perUser),
    /** Waits for a turn. Null when the signal came first; 'busy' when the queue is full or the wait too long. */
    take(user: number, signal?: AbortSignal): Promise<Leave | 'busy' | null> {
      if (signal?.aborted) return Promise.resolve(null)
      if (hasRoom(user)) return Promise.resolve(begin(user))
      const ofUser = waiting.filter((other) => other.user === user).length
      if (waiting.length >= queue || ofUser >= queuePerUser) return Promise.resolve('busy')
      return new Promise((resolve) => {
        const settle = (outcome: () => Leave | 'busy' | null) => {
          waiting = waiting.filter((other) => other !== place)
          clearTimeout(timer)
          signal?.removeEventListener('abort', giveUp)
          resolve(outcome())
        }
        const giveUp = () => settle(() => null)
        const place = { user, enter: () => settle(() => begin(user)) }
        const timer = Number.isFinite(waitMs) ? setTimeout(() => settle(() => 'busy'), waitMs) : undefined
        waiting.push(place)
        signal?.addEventListener('abort', giveUp)
      })
    },
  }
}
