import { createHash, hash, randomBytes } from 'node:crypto'
import { passwordExpired } from '@rogatka/domain/session/passwordAge.ts'
import type { FastifyBaseLogger } from 'fastify'
import { type Database, type Pool, SESSION_TIMEOUT_MS } from './database.ts'
import { createListener } from './listen.ts'
import { sql } from './statement.ts'
import { withTimeout } from './timeout.ts'

export type Session = {
  tokenHash: Buffer
  /** The same in base64, to remember things of a session by. */
  key: string
  userId: number
  username: string
  /** Of the user's first role. */
  permissions: string[]
  roleId: number | null
  /** The password is stale, or an administrator asked for a new one. */
  mustChangePassword: boolean
  createdAt: Date
  lastSeenAt: Date
}

/** Without any request for so long a session is dead. */
export const IDLE_MS = 15 * 60_000
/** So long after login a session is dead, whatever it did. */
export const LIFE_MS = 12 * 3_600_000
/**
 * So long an answer about a session may be repeated from memory; a change elsewhere is announced and ends it at once.
 * Of a thousand polls, one each second, three ask the database.
 */
const CACHE_TTL_MS = 5 * 60_000
/** A request moves `last_seen_at` at most so often. */
const TOUCH_MS = 60_000
/** What has moved is written for all sessions at once, so often. */
const WRITE_EVERY_MS = 5_000

/** Announced on every change that ends sessions or alters rights; the payload is whose, or nothing for everybody's. */
const CHANNEL = 'session_changed'

export const newToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Tells every API process to forget what it remembers of sessions; call it in the transaction of the change. */
export const notifySessionChange = (db: Database, userId?: number) =>
  db.query(sql`select pg_notify(${CHANNEL}, ${userId === undefined ? '' : String(userId)})`)

const sessionByHash = (db: Database, tokenHash: Buffer) =>
  db.prepared<
    Omit<Session, 'mustChangePassword' | 'tokenHash' | 'key'> & {
      mustChange: boolean
      passwordUpdatedAt: Date | null
    }
  >(sql`
  select s.user_id as "userId", u.username, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt",
         r.id as "roleId", coalesce(r.permissions, '{}') as permissions,
         u.must_change_password as "mustChange", u.password_updated_at as "passwordUpdatedAt"
  from session s
  join app_user u on u.id = s.user_id and u.enabled and u.deleted_at is null
  left join user_role ur on ur.user_id = u.id
       and ur.place = (select min(f.place) from user_role f where f.user_id = u.id)
  left join role r on r.id = ur.role_id
  where s.token_hash = ${tokenHash}`)

const touch = (db: Database, sessions: readonly Session[]) =>
  db.execute(sql`
  update session s set last_seen_at = seen.at
  from unnest(${sessions.map(({ key }) => key)}::text[],
              ${sessions.map(({ lastSeenAt }) => lastSeenAt.toISOString())}::timestamptz[]) as seen (key, at)
  where s.token_hash = decode(seen.key, 'base64') and s.last_seen_at < seen.at`)

export type Sessions = {
  /** The live session of a token, or null: unknown, idle for 15 minutes, 12 hours old, or its user disabled. */
  find: (token: string, now: Date) => Promise<Session | null>
  /**
   * Forgets what is remembered of a user, or of all: for a change that this process made itself and must not wait to
   * hear of.
   */
  forget: (userId?: number) => void
  /** Starts to listen for changes made by other processes, and to write what was seen. */
  listen: () => { stop: () => Promise<void> }
}

/** Looks sessions up and remembers them for some minutes, so that a poll each second does not ask the database each time. */
export function createSessions(db: Pool, log: Pick<FastifyBaseLogger, 'warn'>): Sessions {
  const remembered = new Map<string, { session: Session; until: number }>()
  /** Seen lately, and not written yet. */
  let seen = new Map<string, Session>()
  let generation = 0
  /** Only while changes elsewhere are heard of may an answer be repeated from memory. */
  let isListening = false
  const forget = (userId?: number) => {
    generation += 1
    for (const [key, { session }] of remembered)
      if (userId === undefined || session.userId === userId) remembered.delete(key)
  }
  const forgetAll = () => forget()

  async function find(token: string, now: Date): Promise<Session | null> {
    const key = hash('sha256', token, 'base64')
    const known = remembered.get(key)
    let session = known && known.until > now.getTime() ? known.session : null
    if (!session) {
      remembered.delete(key)
      const asked = generation
      const tokenHash = hashToken(token)
      const [row] = await withTimeout(sessionByHash(db, tokenHash), SESSION_TIMEOUT_MS)
      if (!row) return null
      const { mustChange, passwordUpdatedAt, ...rest } = row
      const lastSeenAt = seen.get(key)?.lastSeenAt ?? row.lastSeenAt
      session = {
        ...rest,
        lastSeenAt,
        tokenHash,
        key,
        mustChangePassword: mustChange || passwordExpired(passwordUpdatedAt, now),
      }
      // An answer that was under way when a change was announced may be the old one.
      if (isListening && asked === generation) remembered.set(key, { session, until: now.getTime() + CACHE_TTL_MS })
    }
    const idle = now.getTime() - session.lastSeenAt.getTime()
    if (idle > IDLE_MS || now.getTime() - session.createdAt.getTime() > LIFE_MS) {
      remembered.delete(key)
      return null
    }
    if (idle > TOUCH_MS) {
      session.lastSeenAt = now
      seen.set(key, session)
    }
    if (remembered.size > 10_000) remembered.clear()
    return session
  }

  async function write(): Promise<void> {
    const sessions = [...seen.values()]
    if (sessions.length === 0) return
    const before = seen
    seen = new Map()
    // A database that can be read but not written, because its disk is full, must not end what its users watch.
    await touch(db, sessions).catch((error: unknown) => {
      log.warn({ err: error }, 'sessions: when they were seen could not be written, trying again')
      seen = new Map([...before, ...seen])
    })
  }

  function listen() {
    // What was announced while nobody listened is not heard again: then all is forgotten, and nothing remembered until
    // listening has begun again, which may take as long as the database takes no new connection.
    const setListening = (to: boolean) => {
      isListening = to
      forgetAll()
    }
    const listening = createListener(db, [CHANNEL], {
      onNotify: (_channel, userId) => forget(userId === '' ? undefined : Number(userId)),
      onListening: () => setListening(true),
      onDisconnect: () => setListening(false),
    })
    const writing = setInterval(write, WRITE_EVERY_MS).unref()
    return {
      stop: async () => {
        clearInterval(writing)
        await write()
        await listening.stop()
        setListening(false)
      },
    }
  }

  return { find, forget, listen }
}
