import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

export type Passkey = {
  id: number
  userId: number
  name: string
  credentialId: Buffer
  /** COSE. */
  publicKey: Buffer
  transports: string[]
  /** The provider of the authenticator keeps a copy. */
  backedUp: boolean
  createdAt: Date
  lastUsedAt: Date | null
  /** A copy of it was used. */
  lockedAt: Date | null
}

const columns = sql`
  id, user_id as "userId", name, credential_id as "credentialId", public_key as "publicKey", transports, backed_up as "backedUp",
  created_at as "createdAt", last_used_at as "lastUsedAt", locked_at as "lockedAt"`

/** Passkeys of a user, oldest first, locked ones included. */
export const listPasskeys = (db: Database, userId: number) =>
  db.query<Passkey>(sql`select ${columns} from passkey where user_id = ${userId} order by id`)

export async function passkeyByCredential(db: Database, credentialId: Buffer): Promise<Passkey | undefined> {
  const [row] = await db.query<Passkey>(sql`select ${columns} from passkey where credential_id = ${credentialId}`)
  return row
}

type NewPasskey = Omit<Passkey, 'id' | 'createdAt' | 'lastUsedAt' | 'lockedAt'> & { counter: number }

/** Returns false if the credential is known already. */
export async function insertPasskey(db: Database, key: NewPasskey, now: Date): Promise<boolean> {
  const inserted = await db.execute(sql`
    insert into passkey (user_id, name, credential_id, public_key, counter, transports, backed_up, created_at)
    values (${key.userId}, ${key.name}, ${key.credentialId}, ${key.publicKey}, ${key.counter}::bigint,
            ${key.transports}::text[], ${key.backedUp}::boolean, ${now}::timestamptz)
    on conflict (credential_id) do nothing`)
  return inserted > 0
}

/**
 * Accepts a signature by its counter, which grows with each unless the authenticator counts none. Returns false for one
 * that did not grow, and for a locked key.
 */
export async function acceptCounter(db: Database, id: number, counter: number, now: Date): Promise<boolean> {
  const updated = await db.execute(sql`
    update passkey set counter = ${counter}::bigint, last_used_at = ${now}::timestamptz
    where id = ${id} and locked_at is null
      and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))`)
  return updated > 0
}

/** Locks a key; returns false if it was locked before. */
export async function lockPasskey(db: Database, id: number, now: Date): Promise<boolean> {
  return (
    (await db.execute(sql`
      update passkey set locked_at = ${now}::timestamptz where id = ${id} and locked_at is null`)) > 0
  )
}

/** Returns the earlier name; undefined if the user has no such key. */
export async function renamePasskey(db: Database, userId: number, id: number, name: string) {
  const [row] = await db.query<{ name: string }>(sql`
    with before as (select id, name from passkey where id = ${id} and user_id = ${userId} for update)
    update passkey p set name = ${name} from before where p.id = before.id returning before.name`)
  return row?.name
}

/** Returns the name; undefined if the user has no such key. */
export async function deletePasskey(db: Database, userId: number, id: number) {
  const [row] = await db.query<{ name: string }>(sql`
    delete from passkey where id = ${id} and user_id = ${userId} returning name`)
  return row?.name
}
