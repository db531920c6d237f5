import type { Database, Pool } from './database.ts'
import { createListener } from './listen.ts'
import { sql } from './statement.ts'

const ATTEMPT_INTERVAL_MS = 1_000

export type Leadership = {
  /** Called on a notification of the channel. */
  onNotify: (payload: string) => void
  /** Stops the leader's work; resolves when none of it is running. */
  stop: () => Promise<void>
}

/**
 * Leader election: one process per database leads, holding an advisory lock on its LISTEN connection. When it dies or
 * stops, the lock is released and another takes over.
 */
export function runAsLeader(
  db: Pool,
  { lock, channel }: { lock: number; channel: string },
  begin: () => Leadership,
): { stop: () => Promise<void> } {
  let leadership: Leadership | undefined
  let lockConnection: Database | undefined
  let isTrying = false
  let stopping: Promise<void> = Promise.resolve()

  const stopLeading = () => {
    const previous = leadership
    leadership = undefined
    if (previous) stopping = previous.stop()
    return stopping
  }

  /** For another process, at once: the connection stays open for others. */
  const unlock = (connection: Database) =>
    void connection.query(sql`select pg_advisory_unlock(${lock})`).catch(() => {
      // The connection is lost, and the lock with it.
    })

  const tryToLead = async () => {
    const connection = lockConnection
    if (!connection || leadership || isTrying) return
    isTrying = true
    try {
      await stopping
      const [row] = await connection.query<{ leads: boolean }>(sql`select pg_try_advisory_lock(${lock}) as leads`)
      if (!row?.leads) return
      if (lockConnection === connection) leadership = begin()
      else unlock(connection)
    } catch {
      // The connection is lost: the listener reconnects.
    } finally {
      isTrying = false
    }
  }

  const listening = createListener(db, [channel], {
    onNotify: (_channel, payload) => leadership?.onNotify(payload),
    onListening: async (connection) => {
      // The lock of the previous connection is released.
      await stopLeading()
      lockConnection = connection
      await tryToLead()
    },
    onDisconnect: () => {
      lockConnection = undefined
      void stopLeading()
    },
  })
  const timer = setInterval(() => void tryToLead(), ATTEMPT_INTERVAL_MS).unref()

  return {
    stop: async () => {
      clearInterval(timer)
      const connection = lockConnection
      const isLeading = leadership !== undefined
      lockConnection = undefined
      await stopLeading()
      if (connection && isLeading) unlock(connection)
      await listening.stop()
    },
  }
}
