import type { Database, Pool } from './database.ts'
import { createListener } from './listen.ts'
import { sql } from './statement.ts'

const TRY_EVERY_MS = 1_000

export type Leadership = {
  /** Something was announced on the channel. */
  onNotify: () => void
  /** Ends what this process did as the leader; nothing of it goes on when the promise resolves. */
  stop: () => Promise<void>
}

/**
 * Of all processes on one database, one leads: it holds a lock on the connection on which it listens. When it dies the
 * lock is free at once and another takes over.
 */
export function runAsLeader(
  db: Pool,
  { lock, channel }: { lock: number; channel: string },
  begin: () => Leadership,
): { stop: () => Promise<void> } {
  let term: Leadership | undefined
  let lockConnection: Database | undefined
  let trying = false
  let ending: Promise<void> = Promise.resolve()

  const end = () => {
    const ended = term
    term = undefined
    if (ended) ending = ended.stop()
    return ending
  }

  const tryToLead = async () => {
    const asked = lockConnection
    if (!asked || term || trying) return
    trying = true
    try {
      await ending
      const [row] = await asked.query<{ leads: boolean }>(sql`select pg_try_advisory_lock(${lock}) as leads`)
      if (row?.leads && lockConnection === asked) term = begin()
    } catch {
      // The connection is gone: the listener says so, and comes back with another.
    } finally {
      trying = false
    }
  }

  const listening = createListener(db, [channel], {
    onNotify: () => term?.onNotify(),
    onListening: async (connection) => {
      // What was held on the connection before went with it.
      await end()
      lockConnection = connection
      await tryToLead()
    },
    onDisconnect: () => {
      lockConnection = undefined
      void end()
    },
  })
  const timer = setInterval(() => void tryToLead(), TRY_EVERY_MS).unref()

  return {
    stop: async () => {
      clearInterval(timer)
      lockConnection = undefined
      await end()
      await listening.stop()
    },
  }
}
