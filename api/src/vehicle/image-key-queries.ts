import { randomBytes } from 'node:crypto'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** NOTIFY channel of a new key. */
export const CHANNEL = 'image_key_changed'

const newSecret = () => randomBytes(32)

const findImageKey = async (db: Database) =>
  (await db.query<{ secret: Buffer }>(sql`select secret from image_address_key`))[0]?.secret

/** The key that signs addresses of images; created at the first call. */
export async function findOrCreateImageKey(db: Database): Promise<Buffer> {
  const found = await findImageKey(db)
  if (found) return found
  // Another process may create one at the same time.
  await db.execute(sql`insert into image_address_key (secret) values (${newSecret()}) on conflict do nothing`)
  return (await findImageKey(db)) as Buffer
}

/** Replaces the key in all processes: the addresses signed before become invalid. */
export const renewImageKey = (db: Database) =>
  db.query(sql`
  with renewed as (
    insert into image_address_key as k (secret) values (${newSecret()})
    on conflict (is_only) do update set secret = excluded.secret, created_at = excluded.created_at
    returning true
  )
  select pg_notify(${CHANNEL}, '') from renewed`)
