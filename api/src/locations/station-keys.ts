import { hash } from 'node:crypto'
import { endOf } from '@rogatka/domain/core/tokenState.ts'
import type { FastifyBaseLogger } from 'fastify'
import { type Pool, SESSION_TIMEOUT_MS } from '../core/database.ts'
import { createLastSeen } from '../core/last-seen.ts'
import { hashToken } from '../core/sessions.ts'
import type { StationKeys } from '../core/station-keys.ts'
import { withDatabaseTimeout } from '../core/timeout.ts'
import { findKeyByHash, KEY_CHANNEL, touchKeys } from './key-queries.ts'

/** Times of last use are written together at this interval. */
const WRITE_INTERVAL_MS = 5_000

const keyOf = (token: string) => hash('sha256', token, 'base64')

type CachedKey = { locationId: number; endsAt: number | null }

/** Finds station keys, cached while their notifications are received: stations send with every vehicle. */
export function createStationKeys(db: Pool, log: Pick<FastifyBaseLogger, 'warn'>, now: () => Date) {
  const cache = new Map<string, CachedKey>()
  const lastSeen = createLastSeen(
    (seen) => touchKeys(db, seen, now()),
    (error) => log.warn({ err: error }, 'station keys: their last use could not be written, trying again'),
  )
  let isListening = false
  let generation = 0
  const listeners = new Set<() => void>()
  const clear = () => {
    generation += 1
    cache.clear()
    for (const listener of listeners) listener()
  }

  async function read(token: string, key: string): Promise<CachedKey | undefined> {
    const before = generation
    const [row] = await withDatabaseTimeout(findKeyByHash(db, hashToken(token)), SESSION_TIMEOUT_MS)
    if (!row) return undefined
    const entry = { locationId: row.locationId, endsAt: endOf(row.validUntil) }
    if (row.lastUsedAt) lastSeen.load(key, row.lastUsedAt)
    // A query that overlaps a change may return the old state.
    if (isListening && before === generation) cache.set(key, entry)
    return entry
  }

  const check: StationKeys['check'] = async (token, at) => {
    const key = keyOf(token)
    const entry = cache.get(key) ?? (await read(token, key))
    if (!entry || (entry.endsAt !== null && entry.endsAt <= at.getTime())) return undefined
    return { locationId: entry.locationId }
  }

  const keys: StationKeys = {
    channel: KEY_CHANNEL,
    clear,
    setListening: (to) => {
      isListening = to
      clear()
    },
    check,
    find: async (token, at) => {
      const station = await check(token, at)
      if (station) lastSeen.touch(keyOf(token), at)
      return station
    },
    onChange: (work) => {
      listeners.add(work)
      return () => void listeners.delete(work)
    },
  }
  return {
    ...keys,
    /** Writes times of last use until stopped. */
    start: () => {
      const timer = setInterval(() => void lastSeen.write(), WRITE_INTERVAL_MS).unref()
      return {
        stop: async () => {
          clearInterval(timer)
          await lastSeen.write()
        },
      }
    },
  }
}
