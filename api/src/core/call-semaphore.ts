import { CLIENT_CHECK_MS } from './database.ts'
import { clientGone, disconnectSignal } from './disconnect.ts'
import { Refusal } from './refusal.ts'
import { createUserSemaphore, type SemaphoreLimits } from './semaphore.ts'

/** Of one process. Each of these calls takes a connection, and the event loop for some milliseconds at a time. */
const LIMITS: SemaphoreLimits = { total: 4, perUser: 2, waitMs: 30_000, queue: 64, queuePerUser: 16 }
const RETRY_SECONDS = 5

const known = new WeakMap<object, ReturnType<typeof createUserSemaphore>>()

/** Who asks, and the connection that shows whether they still wait. */
type Caller = { db: object; session: { userId: number }; reply: Parameters<typeof disconnectSignal>[0] }

/**
 * Runs what computes much for one answer, in turns: many calls of one user leave room for those of others. A caller who
 * disconnects leaves the queue; `work` is given the signal of that, to stop between two of its parts.
 */
export async function withSemaphore<T>(
  { db, session, reply }: Caller,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const turns = known.get(db) ?? createUserSemaphore(LIMITS)
  known.set(db, turns)
  const signal = disconnectSignal(reply)
  const leave = await turns.take(session.userId, signal)
  if (leave === null) throw clientGone()
  if (leave === 'busy') throw new Refusal('unavailable', 503, null, RETRY_SECONDS)
  try {
    return await work(signal)
  } finally {
    // Until the database has noticed that nobody waits for the statement.
    if (signal.aborted) setTimeout(leave, CLIENT_CHECK_MS)
    else leave()
  }
}
