import { RESET_TOKEN_MINUTES } from '@rogatka/contract/session.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import { LOCKS } from '../core/locks.ts'
import { sql } from '../core/statement.ts'

type Credentials = {
  username: string
  passwordHash: string
  /** A sign-in through a provider made the account: nobody knows the password. */
  isOfProvider: boolean
}

/** The password hash to verify against; without a lock, as verification is slow. */
export const findCredentials = async (db: Database, id: number) => {
  const [row] = await db.query<Credentials>(sql`
    select u.username, u.password_hash as "passwordHash",
           exists (select from user_identity i where i.user_id = u.id and i.linked_at is null) as "isOfProvider"
    from app_user u where u.id = ${id} and u.enabled and u.deleted_at is null`)
  return row
}

/** Locks an account for a change by its owner; returns whether the verified password is still current. */
export async function lockVerified(db: Database, id: number, passwordHash: string): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from app_user
    where id = ${id} and enabled and deleted_at is null and password_hash = ${passwordHash} for no key update`)
  return rows.length > 0
}

/** Sets a password; `mustChange` if someone other than its owner chose it. */
export const setPassword = (db: Database, id: number, passwordHash: string, now: Date, mustChange = false) =>
  db.execute(sql`
  update app_user
  set password_hash = ${passwordHash}, password_updated_at = ${now}::timestamptz, must_change_password = ${mustChange}::boolean
  where id = ${id}`)

/** Requires a new password at the next sign-in. */
export const requirePasswordChange = (db: Database, id: number) =>
  db.execute(sql`
  update app_user set must_change_password = true where id = ${id}`)

export const accountByUsername = async (db: Database, username: string) => {
  const [row] = await db.query<{ id: number; username: string; passwordHash: string; enabled: boolean }>(sql`
    select id, username, password_hash as "passwordHash", enabled from app_user
    where lower(username) = lower(${username}) and deleted_at is null`)
  return row
}

/** E-mail addresses of the enabled accounts whose first role, which applies, has a permission; each once. */
export const emailsWithPermission = (db: Database, permission: string) =>
  db.query<{ email: string }>(sql`
  with account as (
    select distinct on (u.id) u.email, r.permissions
    from app_user u
    join user_role ur on ur.user_id = u.id
    join role r on r.id = ur.role_id
    where u.email <> '' and u.enabled and u.deleted_at is null
    order by u.id, ur.place
  )
  select distinct email from account where ${permission} = any(permissions) order by email`)

/** Locks mails to reset passwords of an address until the end of the transaction, whether accounts have it or not. */
export const lockResetMails = (db: Database, email: string) =>
  db.query(sql`select pg_advisory_xact_lock(${LOCKS.resetMails}, hashtext(lower(${email})))`)

/** The enabled accounts with an e-mail address and a password, each with its number of reset mails since then. */
export const accountsByEmail = (db: Database, email: string, since: Date) =>
  db.query<{ id: number; email: string; recentResets: number }>(sql`
  select u.id, u.email, count(o.id)::int as "recentResets"
  from app_user u
  left join outbox o on o.kind = 'password-reset' and o.details ->> 'userId' = u.id::text and o.created_at > ${since}::timestamptz
  where lower(u.email) = lower(${email}) and u.enabled and u.deleted_at is null
    and not exists (select from user_identity i where i.user_id = u.id and i.linked_at is null)
  group by u.id
  order by u.id`)

type NewResetToken = { tokenHash: Buffer; userId: number; email: string }

/**
 * Inserts a token for the address of its mail; returns the username, or undefined if the account no longer has that
 * address.
 */
export async function insertResetToken(db: Database, { tokenHash, userId, email }: NewResetToken, now: Date) {
  const [account] = await db.query<{ username: string }>(sql`
    with account as (
      select id, username from app_user
      where id = ${userId} and lower(email) = lower(${email}) and enabled and deleted_at is null
      for share
    ), added as (
      insert into reset_token (token_hash, user_id, email, created_at)
      select ${tokenHash}, id, ${email}, ${now}::timestamptz from account
    )
    select username from account`)
  return account?.username
}

/** The account of a reset token; undefined if the token is not valid for that address. */
export async function accountByResetToken(db: Database, tokenHash: Buffer, email: string, since: Date) {
  type Holder = {
    id: number
    username: string
    firstName: string | null
    lastName: string | null
    roleId: number | null
  }
  const [account] = await db.query<Holder>(sql`
    select u.id, u.username, u.first_name as "firstName", u.last_name as "lastName",
           (select ur.role_id from user_role ur where ur.user_id = u.id order by ur.place limit 1) as "roleId"
    from reset_token t
    join app_user u on u.id = t.user_id and u.enabled and u.deleted_at is null and lower(u.email) = lower(t.email)
    where t.token_hash = ${tokenHash} and t.created_at > ${since}::timestamptz and lower(t.email) = lower(${email})`)
  return account
}

/**
 * Deletes a reset token and all others of its user; returns false if it no longer exists. Locks the account first, as
 * every change of a password or address does, so that a token works only once.
 */
export async function consumeResetToken(db: Database, tokenHash: Buffer, userId: number): Promise<boolean> {
  await db.query(sql`select 1 from app_user where id = ${userId} for no key update`)
  const deleted = await db.query<{ isThisToken: boolean }>(sql`
    delete from reset_token where user_id = ${userId} returning token_hash = ${tokenHash} as "isThisToken"`)
  return deleted.some(({ isThisToken }) => isThisToken)
}

/** Deletes the reset tokens of a user, in the transaction that changes the password or address. */
export const deleteResetTokens = (db: Database, userId: number) =>
  db.execute(sql`delete from reset_token where user_id = ${userId}`)

/** Deletes expired reset tokens. */
export const deleteExpiredResetTokens = (db: Database, now: Date) =>
  db.execute(
    sql`delete from reset_token where created_at < ${new Date(now.getTime() - RESET_TOKEN_MINUTES * MINUTE_MS)}::timestamptz`,
  )

/**
 * Records a sign-in with this password. Returns false if the account was disabled or its password changed since its
 * hash was read: the update waits for such a change and sees it.
 */
export async function recordSignIn(db: Database, userId: number, passwordHash: string, now: Date): Promise<boolean> {
  const updated = await db.execute(sql`
    update app_user set last_login_at = ${now}::timestamptz
    where id = ${userId} and enabled and deleted_at is null and password_hash = ${passwordHash}`)
  return updated > 0
}
