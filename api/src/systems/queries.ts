import type { SystemRight } from '@rogatka/contract/systems.ts'
import type { Database } from '../core/database.ts'
import type { Seen } from '../core/last-seen.ts'
import { assignments, sql, valuesOf } from '../core/statement.ts'

/** NOTIFY channel of changes of systems; the payload is the id. */
export const CHANNEL = 'system_changed'

/** Invalidates a system in all API processes; call it in the transaction of the change. */
export const notifySystemChange = (db: Database, id: number) =>
  db.query(sql`select pg_notify(${CHANNEL}, ${String(id)})`)

export type SystemValues = {
  name: string
  remark: string | null
  locationIds: number[]
  rights: SystemRight[]
  plates: boolean
  validUntil: string
}

export type SystemRow = SystemValues & {
  id: number
  createdAt: Date
  createdBy: string
  renewedAt: Date
  lastSeenAt: Date | null
  revokedAt: Date | null
  revokedBy: string | null
  version: number
}

const selectSystems = sql`
  select id, name, remark, location_ids as "locationIds", rights, plates, valid_until::text as "validUntil",
         created_at as "createdAt", created_by as "createdBy", renewed_at as "renewedAt",
         last_seen_at as "lastSeenAt", revoked_at as "revokedAt", revoked_by as "revokedBy", version
  from exchange_system`

/** All systems by name. */
export const systems = (db: Database) =>
  db.query<SystemRow>(sql`${selectSystems} order by name collate "und-x-icu", id`)

export async function systemById(db: Database, id: number): Promise<SystemRow | undefined> {
  const [row] = await db.query<SystemRow>(sql`${selectSystems} where id = ${id}`)
  return row
}

/** Locks a system until the transaction ends. */
export async function lockSystem(db: Database, id: number): Promise<SystemRow | undefined> {
  const [row] = await db.query<SystemRow>(sql`${selectSystems} where id = ${id} for update`)
  return row
}

const columnsOf = ({ locationIds, validUntil, ...values }: SystemValues) => ({
  ...values,
  location_ids: locationIds,
  valid_until: validUntil,
})

type NewSystem = SystemValues & { keyHash: Buffer; createdBy: string }

/** Inserts a system; a name already used violates exchange_system_name_unique. */
export async function insertSystem(db: Database, { keyHash, createdBy, ...values }: NewSystem, now: Date) {
  const row = { ...columnsOf(values), key_hash: keyHash, created_by: createdBy, created_at: now, renewed_at: now }
  const [added] = await db.query<{ id: number }>(sql`insert into exchange_system ${valuesOf(row)} returning id`)
  return added?.id as number
}

export const updateSystem = (db: Database, id: number, values: SystemValues) =>
  db.execute(sql`update exchange_system set ${assignments(columnsOf(values))}, version = version + 1 where id = ${id}`)

/** Replaces the key of a system; nobody has been seen with the new one. */
export const setKey = (db: Database, id: number, keyHash: Buffer, now: Date) =>
  db.execute(sql`
  update exchange_system set key_hash = ${keyHash}, renewed_at = ${now}::timestamptz, last_seen_at = null,
                             version = version + 1
  where id = ${id}`)

export const setRevoked = (db: Database, id: number, by: string, now: Date) =>
  db.execute(sql`
  update exchange_system set key_hash = null, revoked_at = ${now}::timestamptz, revoked_by = ${by},
                             version = version + 1
  where id = ${id}`)

/** Finds the system of a key, also after its last day. */
export const findSystemByHash = (db: Database, keyHash: Buffer) =>
  db.prepared<SystemRow>(sql`${selectSystems} where key_hash = ${keyHash}`)

/**
 * Updates when systems were last seen with their present key; never to an older time, unless the stored one is in the
 * future, from before a clock was set back. `key`: hash of the exchange key in base64.
 */
export const touchSystems = (db: Database, seen: readonly Seen[], now: Date) =>
  db.execute(sql`
  update exchange_system s set last_seen_at = seen.at
  from unnest(${seen.map(({ key }) => key)}::text[],
              ${seen.map(({ at }) => at.toISOString())}::timestamptz[]) as seen (key, at)
  where s.key_hash = decode(seen.key, 'base64')
    and (s.last_seen_at is null or s.last_seen_at < seen.at or s.last_seen_at > ${now}::timestamptz + interval '1 minute')`)

/** Deletes systems that were revoked, or whose last day was, before a time. `day`: the same in Warsaw. */
export const deleteSystemsBefore = (db: Database, before: Date, day: string) =>
  db.execute(sql`
  delete from exchange_system where revoked_at < ${before}::timestamptz or valid_until < ${day}::date`)
