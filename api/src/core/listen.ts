import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection, Database, Pool } from './database.ts'
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
   * which others share, for advisory locks of the same lifetime.
   */
  onListening: (connection: Database) => void | Promise<void>
  /** Called when all notifications up to this time, in ms of `performance.now`, have been received. */
  onProbed?: (sentAt: number) => void
  /** Called once per loss, however many reconnects fail. */
  onDisconnect?: (error: unknown) => void
}

/** A cache that is invalidated by notifications, and so is used only while they are received. */
export type NotifiedCache = {
  channel: string
  clear: (payload: string) => void
  /** Called when LISTEN connects or is lost. */
  setListening: (isListening: boolean) => void
}

/** Invalidates caches by the notifications of their channels. */
export const listenForChanges = (db: Pool, caches: readonly NotifiedCache[]) => {
  const setListening = (isListening: boolean) => {
    for (const cache of caches) cache.setListening(isListening)
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

type Listener = ListenHandlers & { channels: readonly string[]; isDisconnected: boolean }

/** The LISTEN connection of each pool, while something listens. */
const sharedConnections = new WeakMap<Pool, ListenConnection>()

/**
 * Listens to channels until stopped, and reconnects after a loss. All listeners of a pool share one connection: PostgreSQL
 * wakes each listening connection for every notification.
 */
export function createListener(db: Pool, channels: readonly string[], handlers: ListenHandlers) {
  const connection = sharedConnections.get(db) ?? openListenConnection(db, () => sharedConnections.delete(db))
  sharedConnections.set(db, connection)
  const listener: Listener = { ...handlers, channels, isDisconnected: false }
  connection.add(listener)
  return { stop: () => connection.remove(listener) }
}

type ListenConnection = { add: (listener: Listener) => void; remove: (listener: Listener) => Promise<void> }

function openListenConnection(db: Pool, onEnd: () => void): ListenConnection {
  const ending = new AbortController()
  const { signal } = ending
  const listeners = new Set<Listener>()
  let current: Connection | undefined

  const onNotify = (channel: string, payload: string) => {
    for (const listener of listeners) if (listener.channels.includes(channel)) listener.onNotify(channel, payload)
  }

  const reportLoss = (listener: Listener, error: unknown) => {
    if (!listener.isDisconnected) listener.onDisconnect?.(error)
    listener.isDisconnected = true
  }

  /** Listens to the channels of a listener. Retries until the connection is lost; then all listeners use the next one. */
  const subscribe = async (listener: Listener, connection: Connection) => {
    while (current === connection && listeners.has(listener))
      try {
        for (const channel of listener.channels) await connection.execute(sql`listen ${identifier(channel)}`)
        await listener.onListening(connection)
        if (current === connection) listener.isDisconnected = false
        return
      } catch (error) {
        if (current !== connection || !listeners.has(listener)) return
        reportLoss(listener, error)
        await pause()
      }
  }

  const listenOnce = async () => {
    const connection = await db.open(onNotify)
    const gone = connection.closed.then(() => 'gone')
    signal.addEventListener('abort', connection.close)
    if (signal.aborted) connection.close()
    current = connection
    try {
      for (const listener of listeners) void subscribe(listener, connection)
      while ((await Promise.race([gone, sleep(HEARTBEAT_MS, 'ask', { signal, ref: false })])) === 'ask') {
        const sentAt = performance.now()
        const probe = connection.query(sql`select 1`)
        const answer = await Promise.race([gone, probe, sleep(HEARTBEAT_TIMEOUT_MS, 'gone', { ref: false })])
        if (answer === 'gone') break
        for (const listener of listeners) listener.onProbed?.(sentAt)
      }
    } finally {
      current = undefined
      signal.removeEventListener('abort', connection.close)
      connection.close()
    }
  }

  const pause = () => sleep(RETRY_DELAY_MS, undefined, { signal, ref: false }).catch(() => {})

  const listenUntilStopped = async () => {
    while (!signal.aborted) {
      const error = await listenOnce().catch((error: unknown) => error)
      if (signal.aborted) return
      for (const listener of listeners) reportLoss(listener, error)
      await pause()
    }
  }
  const running = listenUntilStopped()

  return {
    add: (listener) => {
      listeners.add(listener)
      if (current) void subscribe(listener, current)
    },
    remove: async (listener) => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      onEnd()
      ending.abort()
      await running
    },
  }
}
