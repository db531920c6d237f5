import type pg from 'pg'
import { LOCKS } from './locks.ts'

/** Runs `work` unless work of this name runs already, in this or another process; then it does nothing. */
export type SingleRun = (name: string, work: () => Promise<unknown>) => Promise<void>

/**
 * Runs work of a name in one process at a time, by advisory locks on one connection: they are released when the process,
 * or its host, is lost.
 */
export function createSingleRun(pool: pg.Pool): { run: SingleRun; end: () => Promise<void> } {
  /** The locks of a connection do not exclude its own. */
  const running = new Set<string>()
  let connection: Promise<pg.PoolClient> | undefined

  const open = () => {
    const opening = pool.connect()
    const clear = () => {
      if (connection === opening) connection = undefined
    }
    opening.then(
      (client) =>
        client.once('end', () => {
          clear()
          client.release(true)
        }),
      clear,
    )
    return opening
  }

  return {
    run: async (name, work) => {
      if (running.has(name)) return
      running.add(name)
      try {
        connection ??= open()
        const client = await connection
        const { rows } = await client.query<{ taken: boolean }>(
          `select pg_try_advisory_lock(${LOCKS.recurringJobs}, hashtext($1)) as taken`,
          [name],
        )
        if (!rows[0]?.taken) return
        try {
          await work()
        } finally {
          await client
            .query(`select pg_advisory_unlock(${LOCKS.recurringJobs}, hashtext($1))`, [name])
            // The connection is lost, and the lock with it.
            .catch(() => {})
        }
      } finally {
        running.delete(name)
      }
    },
    end: async () => {
      const last = connection
      connection = undefined
      await last?.then(
        (client) => client.end(),
        () => {},
      )
    },
  }
}
