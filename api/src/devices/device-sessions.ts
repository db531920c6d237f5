import { hash } from 'node:crypto'
import { DEVICE_TOKEN_PREFIX } from '@rogatka/contract/devices.ts'
import { endOf } from '@rogatka/domain/core/tokenState.ts'
import { devicePermissions } from '@rogatka/domain/devices/grants.ts'
import type { FastifyBaseLogger } from 'fastify'
import { type Pool, SESSION_TIMEOUT_MS } from '../core/database.ts'
import { createLastSeen } from '../core/last-seen.ts'
import type { NotifiedCache } from '../core/listen.ts'
import { hashToken, newToken, type Session, type Sessions } from '../core/sessions.ts'
import { withDatabaseTimeout } from '../core/timeout.ts'
import { CHANNEL, type DeviceRow, findDeviceByHash, touchDevices } from './queries.ts'

/** Updates of all devices are written together at this interval, and devices whose last day has passed are found. */
const TICK_MS = 5_000
/** Far above the number of devices; beyond it the cache is cleared. */
const MAX_CACHED = 10_000

/** A new token: 256 random bits. */
export const newDeviceToken = (): string => DEVICE_TOKEN_PREFIX + newToken()

/** A device is looked up again after this time, also if no notification says that it has changed. */
const CACHE_TTL_MS = 5 * 60_000

type Entry = { session: Session; endsAt: number | null; until: number }

export type DeviceSessions = Sessions & {
  /** Evicts a device: for a change by this process, without waiting for its notification. */
  clearDevice: (id: number) => void
}

/**
 * Requests of a device as a session that no user has: with the permissions for what it shows, a negative user id, and
 * neither an idle timeout nor an end but its own. Route handlers limit it to its stations (`core/device-scope.ts`).
 */
const sessionOf = (row: DeviceRow, token: string, key: string): Session => ({
  tokenHash: hashToken(token),
  key,
  userId: -row.id,
  username: row.name,
  permissions: devicePermissions(row),
  roleId: null,
  mustChangePassword: false,
  createdAt: row.renewedAt,
  lastSeenAt: row.lastSeenAt ?? row.renewedAt,
  device: {
    id: row.id,
    name: row.name,
    locationIds: row.locationIds,
    columns: row.columns,
    anonymised: row.anonymised,
    wanted: row.wanted,
  },
})

/** Sessions, and devices by their tokens. Devices are cached while their notifications are received. */
export function withDevices(
  sessions: Sessions,
  db: Pool,
  log: Pick<FastifyBaseLogger, 'warn'>,
  now: () => Date,
): DeviceSessions {
  const cache = new Map<string, Entry>()
  const lastSeen = createLastSeen(
    (seen) => touchDevices(db, seen, now()),
    (error) => log.warn({ err: error }, 'devices: when they were seen could not be written, trying again'),
  )
  let isListening = false
  let generation = 0
  const callbacks: ((userId?: number) => void)[] = []

  const clear = (id?: number) => {
    generation += 1
    for (const [key, { session }] of cache) if (id === undefined || session.device?.id === id) cache.delete(key)
    for (const callback of callbacks) if (id !== undefined) callback(-id)
  }

  const isEnded = ({ endsAt }: Entry, at: Date) => endsAt !== null && endsAt <= at.getTime()

  async function find(token: string, at: Date): Promise<Session | null> {
    const key = hash('sha256', token, 'base64')
    const cached = cache.get(key)
    const remainingMs = cached ? cached.until - at.getTime() : 0
    // More than the TTL remains only if the clock was set back.
    let entry = remainingMs > 0 && remainingMs <= CACHE_TTL_MS ? cached : undefined
    if (!entry) {
      const before = generation
      const [row] = await withDatabaseTimeout(findDeviceByHash(db, hashToken(token)), SESSION_TIMEOUT_MS)
      if (!row) {
        // Its notification was lost: its streams end, too.
        if (cached) clear(cached.session.device?.id)
        return null
      }
      entry = { session: sessionOf(row, token, key), endsAt: endOf(row.validUntil), until: at.getTime() + CACHE_TTL_MS }
      if (row.lastSeenAt) lastSeen.load(key, row.lastSeenAt)
      if (cache.size >= MAX_CACHED) cache.clear()
      // A query that overlaps a change may return the old state.
      if (isListening && before === generation) cache.set(key, entry)
    }
    if (isEnded(entry, at)) return null
    lastSeen.touch(key, at)
    return entry.session
  }

  /** Ends the streams of devices whose last day has passed. */
  const endOverdue = (at: Date) => {
    for (const entry of cache.values()) if (isEnded(entry, at)) clear(entry.session.device?.id)
  }

  const notified: NotifiedCache = {
    channel: CHANNEL,
    clear: (payload) => clear(Number(payload)),
    setListening: (to) => {
      isListening = to
      // Notifications in between are lost: the callbacks of sessions check all streams.
      clear()
    },
  }

  return {
    ...sessions,
    find: (token, at) => (token.startsWith(DEVICE_TOKEN_PREFIX) ? find(token, at) : sessions.find(token, at)),
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
    clearDevice: clear,
  }
}
