import { CLIENT_CHECK_MS, type Database, type Pool, SNAPSHOT } from './database.ts'
import { disconnectError, disconnectSignal } from './disconnect.ts'
import { Refusal } from './refusal.ts'
import { createUserSemaphore, type SemaphoreLimits } from './semaphore.ts'

const QUEUE = { waitMs: 30_000, queue: 64, queuePerUser: 16 }
/**
 * Per process, each with a queue of its own. Each call takes a connection, of which a process has ten, and blocks the event
 * loop for some milliseconds at a time.
 */
const LIMITS = {
  /** Statistics, effectiveness, calibrations, station health. */
  statistics: { total: 4, perUser: 2, ...QUEUE },
  /** Traffic figures for road engineers: a page of them has many calls. */
  figures: { total: 3, perUser: 2, ...QUEUE },
} as const satisfies Record<string, SemaphoreLimits>
const RETRY_SECONDS = 5

type Kind = keyof typeof LIMITS
type Semaphores = Record<Kind, ReturnType<typeof createUserSemaphore>>
const semaphores = new WeakMap<object, Semaphores>()

function semaphoresOf({ limits }: Pick<Pool, 'limits'>): Semaphores {
  const found = semaphores.get(limits) ?? {
    statistics: createUserSemaphore(LIMITS.statistics),
    figures: createUserSemaphore(LIMITS.figures),
  }
  semaphores.set(limits, found)
  return found
}

/** The user, and the response whose connection shows whether the client is still there. */
type Caller = { db: Pick<Pool, 'limits'>; session: { userId: number }; reply: Parameters<typeof disconnectSignal>[0] }

/**
 * Runs an expensive request under a semaphore with a limit per user, so that one user does not block others. A client
 * that disconnects leaves the queue; `work` gets the abort signal, to stop between two steps.
 * @throws 503 if the queue is full or the wait too long
 */
export const withSemaphore = <T>(
  { db, session, reply }: Caller,
  work: (signal: AbortSignal) => Promise<T>,
  kind: Kind = 'statistics',
): Promise<T> => {
  const signal = disconnectSignal(reply)
  return withUserSemaphore({ db, session, signal }, () => work(signal), kind)
}

/**
 * Reads a report's figures from one snapshot, under the semaphore of calls that compute the same.
 * @throws as `withSemaphore` does
 */
export const readUnderSemaphore = <T>(
  { db, session, signal }: { db: Pool; session: Caller['session']; signal: AbortSignal },
  work: (db: Database) => Promise<T>,
  kind: Kind,
): Promise<T> =>
  withUserSemaphore({ db, session, signal }, () => db.transaction(work, { mode: SNAPSHOT, signal }), kind)

async function withUserSemaphore<T>(
  { db, session, signal }: Omit<Caller, 'reply'> & { signal: AbortSignal },
  work: () => Promise<T>,
  kind: Kind,
): Promise<T> {
  const semaphore = semaphoresOf(db)[kind]
  const release = await semaphore.acquire(session.userId, signal)
  if (release === null) throw disconnectError()
  if (release === 'busy') throw new Refusal('unavailable', 503, null, RETRY_SECONDS)
  try {
    return await work()
  } finally {
    // The database cancels the statement only when it next checks for the client.
    if (signal.aborted) setTimeout(release, CLIENT_CHECK_MS)
    else release()
  }
}
