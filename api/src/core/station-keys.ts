import { hash } from 'node:crypto'
import { type Database, type Pool, SESSION_TIMEOUT_MS } from './database.ts'
import type { NotifiedCache } from './listen.ts'
import { hashToken } from './sessions.ts'
import { type Statement, sql } from './statement.ts'
import { withDatabaseTimeout } from './timeout.ts'

/** NOTIFY channel of deleted station keys. */
const CHANNEL = 'station_key_changed'

/** Invalidates the station keys cached by all API processes; select it in the statement that deletes some. */
export const notifyStationKeyChange = (): Statement => sql`pg_notify(${CHANNEL}, '')`

const findByHash = (db: Database, keyHash: Buffer) =>
  db.prepared<{ locationId: number }>(sql`
  select location_id as "locationId" from station_key where key_hash = ${keyHash}`)

export type StationKeys = NotifiedCache & {
  /** The station of a key; undefined if unknown. */
  find: (token: string) => Promise<{ locationId: number } | undefined>
}

/** Finds station keys, cached while their notifications are received: stations send with every vehicle. */
export function createStationKeys(db: Pool): StationKeys {
  const cache = new Map<string, { locationId: number }>()
  let isListening = false
  let generation = 0
  const clear = () => {
    generation += 1
    cache.clear()
  }
  return {
    channel: CHANNEL,
    clear,
    setListening: (to) => {
      isListening = to
      clear()
    },
    find: async (token) => {
      const key = hash('sha256', token, 'base64')
      const cached = cache.get(key)
      if (cached) return cached
      const generationBefore = generation
      const [station] = await withDatabaseTimeout(findByHash(db, hashToken(token)), SESSION_TIMEOUT_MS)
      // A query that overlaps a change may return the old state.
      if (station && isListening && generationBefore === generation) cache.set(key, station)
      return station
    },
  }
}
