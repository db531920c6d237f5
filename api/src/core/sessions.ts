import { createHash, hash, randomBytes } from 'node:crypto'
import type { Device } from '@rogatka/contract/devices.ts'
import type { SessionFactor } from '@rogatka/contract/options.ts'
import type { System } from '@rogatka/contract/systems.ts'
import { type FactorPolicy, isFactorMissing } from '@rogatka/domain/session/factorPolicy.ts'
import { passwordExpired } from '@rogatka/domain/session/passwordAge.ts'
import type { FastifyBaseLogger } from 'fastify'
import { type Database, type Pool, SESSION_TIMEOUT_MS } from './database.ts'
import { listenForChanges, type NotifiedCache } from './listen.ts'
import { CHANNEL, deleteExpiredSessions, findSessionByHash, touch } from './session-queries.ts'
import { withDatabaseTimeout } from './timeout.ts'

export type Session = {
  tokenHash: Buffer
  /** `tokenHash` in base64, as a map key. */
  key: string
  userId: number
  username: string
  /** Of the user's first role. */
  permissions: string[]
  roleId: number | null
  /** An administrator requires a new password, or it has expired, which does not end a session through a provider. */
  mustChangePassword: boolean
  /** A second factor, or a passkey, is required, and this session was opened without. */
  mustSetUpFactor: boolean
  /** Null: opened with the password alone. */
  factor: SessionFactor | null
  /** When the user was last verified in it; null: not since an earlier version opened it. */
  verifiedAt: Date | null
  createdAt: Date
  lastSeenAt: Date
  /** Set for a device or a system, which no user has: its `userId` is negative, its `username` its name. */
  device?: SessionDevice
  system?: SessionSystem
}

/** What a device shows. */
export type SessionDevice = Pick<Device, 'id' | 'name' | 'locationIds' | 'columns' | 'anonymised' | 'wanted'>

/** What a system may read. */
export type SessionSystem = Pick<System, 'id' | 'name' | 'locationIds' | 'rights' | 'plates' | 'validUntil'>

/** Idle timeout of a session. */
export const IDLE_MS = 15 * 60_000
/** Absolute timeout of a session. */
export const LIFE_MS = 12 * 3_600_000
/**
 * A change in another process invalidates the cache by NOTIFY. Of a thousand polls, one per second, three query the
 * database.
 */
const CACHE_TTL_MS = 5 * 60_000
/** Minimum interval between updates of `last_seen_at`. */
const TOUCH_MS = 60_000
/** Updates of all sessions are written together at this interval. */
const WRITE_INTERVAL_MS = 5_000

export const newToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Deletes expired sessions. */
export const endExpiredSessions = (db: Database, now: Date) =>
  deleteExpiredSessions(db, new Date(now.getTime() - IDLE_MS), new Date(now.getTime() - LIFE_MS))

export type Sessions = {
  /** The live session of a token; null if unknown, idle for 15 minutes, 12 hours old, or its user disabled. */
  find: (token: string, now: Date) => Promise<Session | null>
  /** Evicts a user, or all, from the cache: for a change by this process, without waiting for its notification. */
  clearCache: (userId?: number) => void
  /** Calls back after each change by which sessions of a user, or of all, may end or get other permissions. */
  onChange: (callback: (userId?: number) => void) => void
  /** Starts listening for changes by other processes, also for other caches, and writing `last_seen_at`. */
  listen: (others?: readonly NotifiedCache[]) => { stop: () => Promise<void> }
}

/** Finds sessions, cached for some minutes, so that polls each second do not query the database. */
export function createSessions(db: Pool, log: Pick<FastifyBaseLogger, 'warn'>, policy: FactorPolicy = 'off'): Sessions {
  const cache = new Map<string, { session: Session; until: number }>()
  /** Sessions with an unwritten `lastSeenAt`. */
  let unwritten = new Map<string, Session>()
  let generation = 0
  /** The cache is used only while LISTEN is connected. */
  let isListening = false
  const callbacks: ((userId?: number) => void)[] = []
  const clearCache = (userId?: number) => {
    generation += 1
    lookups.clear()
    for (const [key, { session }] of cache) if (userId === undefined || session.userId === userId) cache.delete(key)
    for (const callback of callbacks) callback(userId)
  }

  /** Lookups that run: calls with one token share theirs. */
  const lookups = new Map<string, Promise<Session | null>>()

  async function lookUp(key: string, token: string, now: Date): Promise<Session | null> {
    const generationBefore = generation
    const tokenHash = hashToken(token)
    const [row] = await withDatabaseTimeout(findSessionByHash(db, tokenHash), SESSION_TIMEOUT_MS)
    if (!row) return null
    const { mustChange, passwordUpdatedAt, demand, isThroughProvider, hasPassword, ...rest } = row
    const lastSeenAt = unwritten.get(key)?.lastSeenAt ?? row.lastSeenAt
    const session = {
      ...rest,
      lastSeenAt,
      tokenHash,
      key,
      mustChangePassword:
        hasPassword && (mustChange || (!isThroughProvider && passwordExpired(passwordUpdatedAt, now))),
      mustSetUpFactor: isFactorMissing(policy, { ...rest, demand }, rest.factor),
    }
    // A query that overlaps a change may return the old state.
    if (isListening && generationBefore === generation) cache.set(key, { session, until: now.getTime() + CACHE_TTL_MS })
    return session
  }

  function sharedLookUp(key: string, token: string, now: Date): Promise<Session | null> {
    const running = lookups.get(key)
    if (running) return running
    const lookup = lookUp(key, token, now).finally(() => {
      if (lookups.get(key) === lookup) lookups.delete(key)
    })
    lookups.set(key, lookup)
    return lookup
  }

  async function find(token: string, now: Date): Promise<Session | null> {
    const key = hash('sha256', token, 'base64')
    const cached = cache.get(key)
    let session = cached && cached.until > now.getTime() ? cached.session : null
    if (!session) {
      cache.delete(key)
      session = await sharedLookUp(key, token, now)
      if (!session) return null
    }
    const idle = now.getTime() - session.lastSeenAt.getTime()
    if (idle > IDLE_MS || now.getTime() - session.createdAt.getTime() > LIFE_MS) {
      cache.delete(key)
      return null
    }
    if (idle > TOUCH_MS) {
      session.lastSeenAt = now
      unwritten.set(key, session)
    }
    if (cache.size > 10_000) cache.clear()
    return session
  }

  async function write(): Promise<void> {
    const sessions = [...unwritten.values()]
    if (sessions.length === 0) return
    const before = unwritten
    unwritten = new Map()
    // A database with a full disk, still readable, must not end sessions.
    await touch(db, sessions).catch((error: unknown) => {
      log.warn({ err: error }, 'sessions: when they were seen could not be written, trying again')
      unwritten = new Map([...before, ...unwritten])
    })
  }

  // Notifications during a disconnect are lost: the cache is cleared, and unused until LISTEN reconnects.
  const setListening = (isConnected: boolean) => {
    isListening = isConnected
    clearCache()
  }

  function listen(others: readonly NotifiedCache[] = []) {
    const clear = (userId: string) => clearCache(userId === '' ? undefined : Number(userId))
    const listening = listenForChanges(db, [{ channel: CHANNEL, clear, setListening }, ...others])
    const writing = setInterval(write, WRITE_INTERVAL_MS).unref()
    return {
      stop: async () => {
        clearInterval(writing)
        await write()
        await listening.stop()
      },
    }
  }

  return { find, clearCache, onChange: (callback) => void callbacks.push(callback), listen }
}
