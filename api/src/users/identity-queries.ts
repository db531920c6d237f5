import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** Who somebody is at an OpenID Connect provider. */
export type Identity = { issuer: string; subject: string }

/** The account of an identity; undefined if there is none, or it was deleted. */
export async function accountByIdentity(db: Database, { issuer, subject }: Identity) {
  type Found = { id: number; username: string; enabled: boolean; roleId: number | null; passwordHash: string }
  const [row] = await db.query<Found>(sql`
    select u.id, u.username, u.enabled, u.password_hash as "passwordHash",
           (select ur.role_id from user_role ur where ur.user_id = u.id order by ur.place limit 1) as "roleId"
    from user_identity i
    join app_user u on u.id = i.user_id and u.deleted_at is null
    where i.issuer = ${issuer} and i.subject = ${subject}`)
  return row
}

export const insertIdentity = (
  db: Database,
  { issuer, subject, userId, provider }: Identity & { userId: number; provider: string },
  now: Date,
) =>
  db.execute(sql`
  insert into user_identity (issuer, subject, user_id, provider, created_at, last_used_at)
  values (${issuer}, ${subject}, ${userId}, ${provider}, ${now}::timestamptz, ${now}::timestamptz)`)

/** Records a sign-in; `provider`: by its current id. */
export const recordIdentityUse = (db: Database, userId: number, provider: string, now: Date) =>
  db.execute(sql`
  update user_identity set last_used_at = ${now}::timestamptz, provider = ${provider} where user_id = ${userId}`)

/** The identity of an account; undefined for one with a password. */
export async function findIdentity(
  db: Database,
  userId: number,
): Promise<(Identity & { provider: string }) | undefined> {
  const [row] = await db.query<Identity & { provider: string }>(sql`
    select issuer, subject, provider from user_identity where user_id = ${userId}`)
  return row
}

/** Deletes the identity of a deleted account: who comes back gets a new one. */
export const deleteIdentity = (db: Database, userId: number) =>
  db.execute(sql`delete from user_identity where user_id = ${userId}`)

/** The usernames that are in use of those, in lower case. */
export async function usernamesInUse(db: Database, names: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select lower(username) as name from app_user
    where lower(username) = any (select lower(n) from unnest(${[...names]}::text[]) n) and deleted_at is null`)
  return rows.map(({ name }) => name)
}
