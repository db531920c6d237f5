import { hash } from 'node:crypto'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { endOf } from '@rogatka/domain/core/tokenState.ts'
import type { FastifyBaseLogger } from 'fastify'
import { type Database, type Pool, SESSION_TIMEOUT_MS } from './database.ts'
import { createLastSeen, type TokenUse } from './last-seen.ts'
import type { NotifiedCache } from './listen.ts'
import { hashToken, type Session, type Sessions } from './sessions.ts'
import { withDatabaseTimeout } from './timeout.ts'

/** Times of last use are written together at this interval, and holders whose last day has passed are found. */
const TICK_MS = 5_000
/** Far above the number of holders; beyond it the cache is cleared. */
const MAX_CACHED = 10_000
/** A holder is looked up again after this time, also if no notification says that it has changed. */
const CACHE_TTL_MS = 5 * MINUTE_MS

/** What holds a token without being a user: a device or a system. */
type HolderRow = { id: number; validUntil: string | null; lastSeenAt: Date | null }

/** Holders of one kind. */
export type TokenKind<Row extends HolderRow> = {
  /** For the log. */
  name: string
  /** Their tokens begin with it. */
  prefix: string
  /** NOTIFY channel of their changes; the payload is the id. */
  channel: string
  /** Finds the holder of a token, also after its last day. */
  findByHash: (db: Database, tokenHash: Buffer) => Promise<Row[]>
  touch: (db: Database, seen: readonly TokenUse[], now: Date) => Promise<unknown>
  /** The user id of their sessions: negative, and of no other holder. */
  userIdOf: (id: number) => number
  /** What a session of this holder has besides its token. */
  sessionOf: (row: Row) => Omit<Session, 'tokenHash' | 'key' | 'lastSeenAt' | keyof typeof WITHOUT_ACCOUNT>
}

/** What only sessions of users have. */
const WITHOUT_ACCOUNT = {
  roleId: null,
  mustChangePassword: false,
  mustSetUpFactor: false,
  factor: null,
  verifiedAt: null,
}

type CachedHolder = { id: number; session: Session; endsAt: number | null; until: number }

export type TokenSessions = Sessions & {
  /** Evicts a holder: for a change by this process, without waiting for its notification. */
  clearHolder: (id: number) => void
}

/**
 * Sessions, and those of holders of tokens, which have neither an idle timeout nor an end but their own. Holders are
 * cached while their notifications are received. Route handlers limit them to their stations (`station-scope.ts`).
 */
export function withTokens<Row extends HolderRow>(
  sessions: Sessions,
  kind: TokenKind<Row>,
  { db, log, now }: { db: Pool; log: Pick<FastifyBaseLogger, 'warn'>; now: () => Date },
): TokenSessions {
  const cache = new Map<string, CachedHolder>()
  const lastSeen = createLastSeen(
    (seen) => kind.touch(db, seen, now()),
    (error) => log.warn({ err: error }, `${kind.name}: when they were seen could not be written, trying again`),
  )
  let isListening = false
  let generation = 0
  const callbacks: ((userId?: number) => void)[] = []

  const clear = (id?: number) => {
    generation += 1
    for (const [key, entry] of cache) if (id === undefined || entry.id === id) cache.delete(key)
    if (id !== undefined) for (const callback of callbacks) callback(kind.userIdOf(id))
  }

  const isEnded = ({ endsAt }: CachedHolder, at: Date) => endsAt !== null && endsAt <= at.getTime()

  async function find(token: string, at: Date): Promise<Session | null> {
    const key = hash('sha256', token, 'base64')
    const cached = cache.get(key)
    const remainingMs = cached ? cached.until - at.getTime() : 0
    // More than the TTL remains only if the clock was set back.
    let entry = remainingMs > 0 && remainingMs <= CACHE_TTL_MS ? cached : undefined
    if (!entry) {
      const before = generation
      const tokenHash = hashToken(token)
      const [row] = await withDatabaseTimeout(kind.findByHash(db, tokenHash), SESSION_TIMEOUT_MS)
      if (!row) {
        // Its notification was lost: its streams end, too.
        if (cached) clear(cached.id)
        return null
      }
      const { id, validUntil, lastSeenAt } = row
      const own = kind.sessionOf(row)
      const rest = { ...WITHOUT_ACCOUNT, lastSeenAt: lastSeenAt ?? own.createdAt }
      const session = { ...own, ...rest, tokenHash, key }
      entry = { id, session, endsAt: endOf(validUntil), until: at.getTime() + CACHE_TTL_MS }
      if (lastSeenAt) lastSeen.load(key, lastSeenAt)
      if (cache.size >= MAX_CACHED) cache.clear()
      // A query that overlaps a change may return the old state.
      if (isListening && before === generation) cache.set(key, entry)
    }
    if (isEnded(entry, at)) return null
    lastSeen.touch(key, at)
    return entry.session
  }

  /** Ends the streams of holders whose last day has passed. */
  const endOverdue = (at: Date) => {
    for (const entry of cache.values()) if (isEnded(entry, at)) clear(entry.id)
  }

  const notified: NotifiedCache = {
    channel: kind.channel,
    clear: (payload) => clear(Number(payload)),
    setListening: (isConnected) => {
      isListening = isConnected
      // Notifications in between are lost: the callbacks of sessions check all streams.
      clear()
    },
  }

  return {
    ...sessions,
    find: (token, at) => (token.startsWith(kind.prefix) ? find(token, at) : sessions.find(token, at)),
    onChange: (callback) => {
      sessions.onChange(callback)
      callbacks.push(callback)
    },
    listen: (others = []) => {
      const listening = sessions.listen([notified, ...others])
      const ticking = setInterval(() => {
        endOverdue(now())
        void lastSeen.write()
      }, TICK_MS).unref()
      return {
        stop: async () => {
          clearInterval(ticking)
          await lastSeen.write()
          await listening.stop()
        },
      }
    },
    clearHolder: clear,
  }
}
