import type { DeviceColumns } from '@rogatka/contract/devices.ts'
import type { Database } from '../core/database.ts'
import type { Seen } from '../core/last-seen.ts'
import { assignments, sql, valuesOf } from '../core/statement.ts'

/** NOTIFY channel of changes of devices; the payload is the id. */
export const CHANNEL = 'device_changed'

/** Invalidates a device in all API processes; call it in the transaction of the change. */
export const notifyDeviceChange = (db: Database, id: number) =>
  db.query(sql`select pg_notify(${CHANNEL}, ${String(id)})`)

export type DeviceValues = {
  name: string
  remark: string | null
  locationIds: number[]
  columns: DeviceColumns
  anonymised: boolean
  wanted: boolean
  validUntil: string | null
}

export type DeviceRow = DeviceValues & {
  id: number
  createdAt: Date
  createdBy: string
  renewedAt: Date
  lastSeenAt: Date | null
  revokedAt: Date | null
  revokedBy: string | null
  version: number
}

const selectDevices = sql`
  select id, name, remark, location_ids as "locationIds", columns, anonymised, wanted,
         valid_until::text as "validUntil", created_at as "createdAt", created_by as "createdBy",
         renewed_at as "renewedAt", last_seen_at as "lastSeenAt", revoked_at as "revokedAt",
         revoked_by as "revokedBy", version
  from device`

/** All devices by name. */
export const devices = (db: Database) =>
  db.query<DeviceRow>(sql`${selectDevices} order by name collate "und-x-icu", id`)

export async function deviceById(db: Database, id: number): Promise<DeviceRow | undefined> {
  const [row] = await db.query<DeviceRow>(sql`${selectDevices} where id = ${id}`)
  return row
}

/** Locks a device until the transaction ends. */
export async function lockDevice(db: Database, id: number): Promise<DeviceRow | undefined> {
  const [row] = await db.query<DeviceRow>(sql`${selectDevices} where id = ${id} for update`)
  return row
}

const columnsOf = ({ locationIds, validUntil, ...values }: DeviceValues) => ({
  ...values,
  location_ids: locationIds,
  valid_until: validUntil,
})

type NewDevice = DeviceValues & { tokenHash: Buffer; createdBy: string }

/** Inserts a device; a name already used violates device_name_unique. */
export async function insertDevice(db: Database, { tokenHash, createdBy, ...values }: NewDevice, now: Date) {
  const row = { ...columnsOf(values), token_hash: tokenHash, created_by: createdBy, created_at: now, renewed_at: now }
  const [added] = await db.query<{ id: number }>(sql`insert into device ${valuesOf(row)} returning id`)
  return added?.id as number
}

export const updateDevice = (db: Database, id: number, values: DeviceValues) =>
  db.execute(sql`update device set ${assignments(columnsOf(values))}, version = version + 1 where id = ${id}`)

/** Replaces the token of a device; nobody has been seen with the new one. */
export const setToken = (db: Database, id: number, tokenHash: Buffer, now: Date) =>
  db.execute(sql`
  update device set token_hash = ${tokenHash}, renewed_at = ${now}::timestamptz, last_seen_at = null,
                    version = version + 1
  where id = ${id}`)

export const setRevoked = (db: Database, id: number, by: string, now: Date) =>
  db.execute(sql`
  update device set token_hash = null, revoked_at = ${now}::timestamptz, revoked_by = ${by}, version = version + 1
  where id = ${id}`)

/** Finds the device of a token, also after its last day. */
export const findDeviceByHash = (db: Database, tokenHash: Buffer) =>
  db.prepared<DeviceRow>(sql`${selectDevices} where token_hash = ${tokenHash}`)

/**
 * Updates when devices were last seen with their present token; never to an older time, unless the stored one is in the
 * future, from before a clock was set back. `key`: token hash in base64.
 */
export const touchDevices = (db: Database, seen: readonly Seen[], now: Date) =>
  db.execute(sql`
  update device d set last_seen_at = seen.at
  from unnest(${seen.map(({ key }) => key)}::text[],
              ${seen.map(({ at }) => at.toISOString())}::timestamptz[]) as seen (key, at)
  where d.token_hash = decode(seen.key, 'base64')
    and (d.last_seen_at is null or d.last_seen_at < seen.at or d.last_seen_at > ${now}::timestamptz + interval '1 minute')`)

/** Deletes devices that were revoked, or whose last day was, before a time. `day`: the same in Warsaw. */
export const deleteDevicesBefore = (db: Database, before: Date, day: string) =>
  db.execute(sql`
  delete from device where revoked_at < ${before}::timestamptz or valid_until < ${day}::date`)
