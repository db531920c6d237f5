import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Pool } from './database.ts'
import { identifier, sql } from './statement.ts'

const RETRY_DELAY_MS = 500
/** A connection can be dropped silently (by a router), so it is probed. */
const HEARTBEAT_MS = 5_000
/** A loaded process reads responses late, which is no loss; reconnecting would add to the load. */
const HEARTBEAT_TIMEOUT_MS = 15_000

type ListenHandlers = {
  onNotify: (channel: string, payload: string) => void
  /**
   * Called at the start and after each reconnect: notifications in between are lost. The connection is the LISTEN one,
   * for advisory locks of the same lifetime.
   */
  onListening: (line: Database) => void | Promise<void>
  /** Called once per loss, however many reconnects fail. */
  onDisconnect?: (error: unknown) => void
}

/** A cache that is invalidated by notifications, and so is used only while they are received. */
export type NotifiedCache = {
  channel: string
  clear: (payload: string) => void
  /** Called when LISTEN connects or is lost. */
  setListening: (to: boolean) => void
}

/** Invalidates caches by the notifications of their channels. */
export const listenForChanges = (db: Pool, caches: readonly NotifiedCache[]) => {
  const setListening = (to: boolean) => {
    for (const cache of caches) cache.setListening(to)
  }
  const listener = createListener(
    db,
    caches.map(({ channel }) => channel),
    {
      onNotify: (channel, payload) => caches.find((cache) => cache.channel === channel)?.clear(payload),
      onListening: () => setListening(true),
      onDisconnect: () => setListening(false),
    },
  )
  return {
    stop: async () => {
      await listener.stop()
      setListening(false)
    },
  }
}

/** Listens to channels on its own connection until stopped, and reconnects after a loss. */
export function createListener(db: Pool, channels: string[], { onNotify, onListening, onDisconnect }: ListenHandlers) {
  const ending = new AbortController()
  const { signal } = ending
  let isDisconnected = false

  const listenOnce = async () => {
    const connection = await db.open(onNotify)
    const gone = connection.closed.then(() => 'gone')
    signal.addEventListener('abort', connection.close)
    if (signal.aborted) connection.close()
    try {
      for (const channel of channels) await connection.execute(sql`listen ${identifier(channel)}`)
      await onListening(connection)
      isDisconnected = false
      while ((await Promise.race([gone, sleep(HEARTBEAT_MS, 'ask', { signal, ref: false })])) === 'ask') {
        const probe = connection.query(sql`select 1`)
        const answer = await Promise.race([gone, probe, sleep(HEARTBEAT_TIMEOUT_MS, 'gone', { ref: false })])
        if (answer === 'gone') break
      }
    } finally {
      signal.removeEventListener('abort', connection.close)
      connection.close()
    }
  }

  const listenUntilStopped = async () => {
    while (!signal.aborted) {
      const error = await listenOnce().catch((error: unknown) => error)
      if (signal.aborted) return
      if (!isDisconnected) onDisconnect?.(error)
      isDisconnected = true
      await sleep(RETRY_DELAY_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const running = listenUntilStopped()

  return {
    stop: async () => {
      ending.abort()
      await running
    },
  }
}
