import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Pool } from './database.ts'
import { identifier, sql } from './statement.ts'

const RETRY_DELAY_MS = 500
/** A connection can die without a word (a router that forgot it), so it is asked now and then. */
const HEARTBEAT_MS = 5_000
/** A process under load is late to read an answer: that is no loss, and starting anew would only add to its load. */
const HEARTBEAT_TIMEOUT_MS = 15_000

type ListenHandlers = {
  onNotify: (channel: string, payload: string) => void
  /**
   * Listening has begun, at first and after each loss: what was announced in between is not heard again. The connection
   * is the one that listens, for locks that shall last as long.
   */
  onListening: (line: Database) => void | Promise<void>
  /** Once for each loss, however many attempts to come back fail. */
  onDisconnect?: (error: unknown) => void
}

/**
 * Listens to channels on a connection of its own until stopped, and says when it could not hear.
 */
export function createListener(
  db: Pool,
  channels: string[],
  { onNotify: heard, onListening: listening, onDisconnect: lost }: ListenHandlers,
) {
  const ending = new AbortController()
  const { signal } = ending
  let isLost = false

  const listenOnce = async () => {
    const connection = await db.open(heard)
    const gone = connection.closed.then(() => 'gone')
    signal.addEventListener('abort', connection.close)
    if (signal.aborted) connection.close()
    try {
      for (const channel of channels) await connection.execute(sql`listen ${identifier(channel)}`)
      await listening(connection)
      isLost = false
      while ((await Promise.race([gone, sleep(HEARTBEAT_MS, 'ask', { signal, ref: false })])) === 'ask') {
        const asked = connection.query(sql`select 1`)
        const answer = await Promise.race([gone, asked, sleep(HEARTBEAT_TIMEOUT_MS, 'gone', { ref: false })])
        if (answer === 'gone') break
      }
    } finally {
      signal.removeEventListener('abort', connection.close)
      connection.close()
    }
  }

  const listenForEver = async () => {
    while (!signal.aborted) {
      const error = await listenOnce().catch((error: unknown) => error)
      if (signal.aborted) return
      if (!isLost) lost?.(error)
      isLost = true
      await sleep(RETRY_DELAY_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const running = listenForEver()

  return {
    stop: async () => {
      ending.abort()
      await running
    },
  }
}
