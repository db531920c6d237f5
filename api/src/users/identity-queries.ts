import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** Who somebody is at an OpenID Connect provider. */
export type Identity = { issuer: string; subject: string }

/** The account of an identity; undefined if there is none, or it was deleted. */
export async function accountByIdentity(db: Database, { issuer, subject }: Identity) {
  type IdentityAccount = {
    id: number
    username: string
    enabled: boolean
    roleId: number | null
    passwordHash: string
    /** A local account, which keeps its own role. */
    isLinked: boolean
  }
  const [row] = await db.query<IdentityAccount>(sql`
    select u.id, u.username, u.enabled, u.password_hash as "passwordHash",
           i.linked_at is not null as "isLinked",
           (select ur.role_id from user_role ur where ur.user_id = u.id order by ur.place limit 1) as "roleId"
    from user_identity i
    join app_user u on u.id = i.user_id and u.deleted_at is null
    where i.issuer = ${issuer} and i.subject = ${subject}`)
  return row
}

type NewIdentity = Identity & { userId: number; provider: string }

/** Inserts the identity of an account that a sign-in has made. */
export const insertIdentity = (db: Database, { issuer, subject, userId, provider }: NewIdentity, now: Date) =>
  db.execute(sql`
  insert into user_identity (issuer, subject, user_id, provider, created_at, last_used_at)
  values (${issuer}, ${subject}, ${userId}, ${provider}, ${now}::timestamptz, ${now}::timestamptz)`)

/** Links a local account; `name`: the name of the user at the provider. */
export const insertLink = (
  db: Database,
  { issuer, subject, userId, provider, name }: NewIdentity & { name: string },
  now: Date,
) =>
  db.execute(sql`
  insert into user_identity (issuer, subject, user_id, provider, name, created_at, last_used_at, linked_at)
  values (${issuer}, ${subject}, ${userId}, ${provider}, ${name}, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz)`)

/** Records a sign-in; `provider`: current id of the provider, which may have been renamed. */
export const recordIdentityUse = (db: Database, userId: number, provider: string, now: Date) =>
  db.execute(sql`
  update user_identity set last_used_at = ${now}::timestamptz, provider = ${provider} where user_id = ${userId}`)

export type StoredIdentity = Identity & {
  provider: string
  /** Null: a sign-in made the account, which has no password. */
  linkedAt: Date | null
  name: string | null
  lastUsedAt: Date
}

/** The identity of an account; undefined for a local one that is not linked. */
export async function findIdentity(db: Database, userId: number): Promise<StoredIdentity | undefined> {
  const [row] = await db.query<StoredIdentity>(sql`
    select issuer, subject, provider, linked_at as "linkedAt", name, last_used_at as "lastUsedAt"
    from user_identity where user_id = ${userId}`)
  return row
}

/** Deletes the identity of an account: who comes back through the provider gets a new account. */
export const deleteIdentity = (db: Database, userId: number) =>
  db.execute(sql`delete from user_identity where user_id = ${userId}`)

/** Which of these usernames are in use, in lower case. */
export async function usernamesInUse(db: Database, names: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select lower(username) as name from app_user
    where lower(username) = any (select lower(n) from unnest(${[...names]}::text[]) n) and deleted_at is null`)
  return rows.map(({ name }) => name)
}
