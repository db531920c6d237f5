import { randomBytes } from 'node:crypto'
import type { Database } from '../core/database.ts'
import type { TokenUse } from '../core/last-seen.ts'
import { sql, valuesOf } from '../core/statement.ts'

/** NOTIFY channel of changes of station keys, and of stations that are closed or opened. */
export const KEY_CHANNEL = 'station_key_changed'

/** Invalidates the station keys cached by all API processes; call it in the transaction of the change. */
export const notifyStationKeyChange = (db: Database) => db.query(sql`select pg_notify(${KEY_CHANNEL}, '')`)

/** The station of a key, unless it is closed; also of a key that is past its last day. */
export const findKeyByHash = (db: Database, keyHash: Buffer) =>
  db.prepared<{ locationId: number; validUntil: string | null; lastUsedAt: Date | null }>(sql`
  select k.location_id as "locationId", k.valid_until::text as "validUntil", k.last_used_at as "lastUsedAt"
  from station_key k
  join location l on l.id = k.location_id
  where k.key_hash = ${keyHash} and k.revoked_at is null and l.closed_at is null`)

export type KeyRow = {
  id: number
  locationId: number
  createdAt: Date
  createdBy: string | null
  validUntil: string | null
  lastUsedAt: Date | null
  revokedAt: Date | null
  revokedBy: string | null
  revokeReason: string | null
}

/** The keys of a station, newest first. */
export const listStationKeys = (db: Database, locationId: number) =>
  db.query<KeyRow>(sql`
  select id, location_id as "locationId", created_at as "createdAt", created_by as "createdBy",
         valid_until::text as "validUntil", last_used_at as "lastUsedAt", revoked_at as "revokedAt",
         revoked_by as "revokedBy", revoke_reason as "revokeReason"
  from station_key
  where location_id = ${locationId}
  order by created_at desc, id desc`)

type NewKey = { keyHash: Buffer; locationId: number; createdBy: string | null; validUntil: string | null }

/** Inserts a key; returns its id. */
export async function insertKey(db: Database, { keyHash, locationId, createdBy, validUntil }: NewKey, now: Date) {
  const [added] = await db.query<{ id: number }>(sql`
    insert into station_key ${valuesOf({
      key_hash: keyHash,
      location_id: locationId,
      created_by: createdBy,
      created_at: now,
      valid_until: validUntil,
    })}
    returning id`)
  return added?.id as number
}

/** Revokes a key for good: its hash is replaced by random bytes. */
export const setKeyRevoked = (db: Database, id: number, by: string | null, reason: string | null, now: Date) =>
  db.execute(sql`
  update station_key
  set key_hash = ${randomBytes(32)}, revoked_at = ${now}::timestamptz, revoked_by = ${by}, revoke_reason = ${reason}
  where id = ${id}`)

/**
 * Updates when keys were last used; never to an older time, unless the stored one is in the future, from before a clock
 * was set back.
 */
export const touchKeys = (db: Database, seen: readonly TokenUse[], now: Date) =>
  db.execute(sql`
  update station_key k set last_used_at = seen.at
  from unnest(${seen.map(({ key }) => key)}::text[],
              ${seen.map(({ at }) => at.toISOString())}::timestamptz[]) as seen (key, at)
  where k.key_hash = decode(seen.key, 'base64')
    and (k.last_used_at is null or k.last_used_at < seen.at or k.last_used_at > ${now}::timestamptz + interval '1 minute')`)
