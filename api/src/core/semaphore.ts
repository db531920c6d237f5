/**
 * At most `total` concurrent tasks, `perUser` of one user; a task waits at most `waitMs`, in a queue bounded by `queue`
 * and `queuePerUser`.
 */
export type SemaphoreLimits = { total: number; perUser: number; waitMs: number; queue: number; queuePerUser: number }

/** FIFO semaphore: at most `total` tasks run at a time. Waiting tasks leave the queue on abort. */
export function createSemaphore(total: number) {
  const unlimited = { waitMs: Number.POSITIVE_INFINITY, queue: Number.POSITIVE_INFINITY }
  const semaphore = createUserSemaphore({ total, perUser: total, ...unlimited, queuePerUser: Number.POSITIVE_INFINITY })
  // All tasks share one user with an unbounded queue: never 'busy'.
  return { acquire: (signal?: AbortSignal) => semaphore.acquire(0, signal) as Promise<Release | null> }
}

/** Releases the slot; idempotent. */
type Release = () => void
type User = number | string
type WaitingTask = { user: User; enter: () => void }

/** FIFO semaphore with a limit per user; users with fewer running tasks precede others. */
export function createUserSemaphore({ total, perUser, waitMs, queue, queuePerUser }: SemaphoreLimits) {
  const running = new Map<User, number>()
  let free = total
  let waiting: WaitingTask[] = []

  const runningOf = (user: User) => running.get(user) ?? 0
  const hasSlot = (user: User) => free > 0 && runningOf(user) < perUser

  const begin = (user: User): Release => {
    free--
    running.set(user, runningOf(user) + 1)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      free++
      if (runningOf(user) > 1) running.set(user, runningOf(user) - 1)
      else running.delete(user)
      for (let next = nextWaiting(); next; next = nextWaiting()) next.enter()
    }
  }

  /**
   * The first waiting task of the user with the fewest running tasks, so that many tasks of one user do not delay
   * others.
   */
  const nextWaiting = () =>
    waiting.filter(({ user }) => hasSlot(user)).toSorted((a, b) => runningOf(a.user) - runningOf(b.user))[0]

  return {
    /** Whether another user's task waits that could run if this user released a slot. */
    areOthersWaiting: (user: User): boolean =>
      waiting.some((other) => other.user !== user && runningOf(other.user) < perUser),
    /** Waits for a slot. Null on abort; 'busy' if the queue is full or the wait too long. */
    acquire(user: User, signal?: AbortSignal): Promise<Release | 'busy' | null> {
      if (signal?.aborted) return Promise.resolve(null)
      if (hasSlot(user)) return Promise.resolve(begin(user))
      const ofUser = waiting.filter((other) => other.user === user).length
      if (waiting.length >= queue || ofUser >= queuePerUser) return Promise.resolve('busy')
      return new Promise((resolve) => {
        const settle = (outcome: () => Release | 'busy' | null) => {
          waiting = waiting.filter((other) => other !== waiter)
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          resolve(outcome())
        }
        const onAbort = () => settle(() => null)
        const waiter = { user, enter: () => settle(() => begin(user)) }
        const timer = Number.isFinite(waitMs) ? setTimeout(() => settle(() => 'busy'), waitMs) : undefined
        waiting.push(waiter)
        signal?.addEventListener('abort', onAbort)
      })
    },
  }
}
