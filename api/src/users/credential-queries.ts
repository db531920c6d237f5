import { RESET_TOKEN_MINUTES } from '@rogatka/contract/session.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** What a password is checked against; without a lock, so that checking may take its time. */
export const findCredentials = async (db: Database, id: number) => {
  const [row] = await db.query<{ username: string; passwordHash: string }>(sql`
    select username, password_hash as "passwordHash" from app_user where id = ${id} and enabled and deleted_at is null`)
  return row
}

/** Locks an account for a change of its owner; returns whether it still has the password that was verified. */
export async function lockVerified(db: Database, id: number, passwordHash: string): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from app_user
    where id = ${id} and enabled and deleted_at is null and password_hash = ${passwordHash} for no key update`)
  return rows.length > 0
}

/** Sets a password; `mustChange` when somebody else than its owner chose it. */
export const setPassword = (db: Database, id: number, passwordHash: string, now: Date, mustChange = false) =>
  db.execute(sql`
  update app_user
  set password_hash = ${passwordHash}, password_updated_at = ${now}::timestamptz, must_change_password = ${mustChange}::boolean
  where id = ${id}`)

/** The next sign-in of the user asks for a new password. */
export const requirePasswordChange = (db: Database, id: number) =>
  db.execute(sql`
  update app_user set must_change_password = true where id = ${id}`)

export const accountByUsername = async (db: Database, username: string) => {
  const [row] = await db.query<{ id: number; username: string; passwordHash: string; enabled: boolean }>(sql`
    select id, username, password_hash as "passwordHash", enabled from app_user
    where lower(username) = lower(${username}) and deleted_at is null`)
  return row
}

/** The enabled accounts of an address, each with its reset mails ordered since then. */
export const accountsByEmail = (db: Database, email: string, since: Date) =>
  db.query<{ id: number; email: string; recentResets: number }>(sql`
  select u.id, u.email, count(o.id)::int as "recentResets"
  from app_user u
  left join outbox o on o.kind = 'password-reset' and o.details ->> 'userId' = u.id::text and o.created_at > ${since}::timestamptz
  where lower(u.email) = lower(${email}) and u.enabled and u.deleted_at is null
  group by u.id
  order by u.id`)

type NewResetToken = { tokenHash: Buffer; userId: number; email: string }

/** Stores a token for the address that its mail goes to; returns the username, or undefined where it is no longer the account's. */
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

/** The account that a reset token may set the password of; undefined when it is not valid for that address. */
export async function accountByResetToken(db: Database, tokenHash: Buffer, email: string, since: Date) {
  const [account] = await db.query<{ id: number; username: string; roleId: number | null }>(sql`
    select u.id, u.username,
           (select ur.role_id from user_role ur where ur.user_id = u.id order by ur.place limit 1) as "roleId"
    from reset_token t
    join app_user u on u.id = t.user_id and u.enabled and u.deleted_at is null and lower(u.email) = lower(t.email)
    where t.token_hash = ${tokenHash} and t.created_at > ${since}::timestamptz and lower(t.email) = lower(${email})`)
  return account
}

/**
 * Uses a reset token up, with all others of its user; returns false when it is gone. The account is locked first, as by
 * every change of a password or an address, so that of two at once the second finds no token.
 */
export async function consumeResetToken(db: Database, tokenHash: Buffer, userId: number): Promise<boolean> {
  await db.query(sql`select 1 from app_user where id = ${userId} for no key update`)
  const deleted = await db.query<{ isTaken: boolean }>(sql`
    delete from reset_token where user_id = ${userId} returning token_hash = ${tokenHash} as "isTaken"`)
  return deleted.some(({ isTaken }) => isTaken)
}

/** Ends the reset tokens of a user; call it in the transaction that changes the password or the address. */
export const deleteResetTokens = (db: Database, userId: number) =>
  db.execute(sql`delete from reset_token where user_id = ${userId}`)

/** Deletes reset tokens whose time is over. */
export const deleteExpiredResetTokens = (db: Database, now: Date) =>
  db.execute(
    sql`delete from reset_token where created_at < ${new Date(now.getTime() - RESET_TOKEN_MINUTES * 60_000)}::timestamptz`,
  )

/**
 * Writes that a user signs in with this password. Returns false if the account was disabled or got another password since
 * its hash was read: the update waits for such a change and sees it.
 */
export async function recordSignIn(db: Database, userId: number, passwordHash: string, now: Date): Promise<boolean> {
  const updated = await db.execute(sql`
    update app_user set last_login_at = ${now}::timestamptz
    where id = ${userId} and enabled and deleted_at is null and password_hash = ${passwordHash}`)
  return updated > 0
}
