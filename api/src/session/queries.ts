import { RESET_TOKEN_MINUTES } from '@rogatka/contract/session.ts'
import { type Actor, audit } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { passwordMatches } from '../core/passwords.ts'
import { clientKey } from '../core/rate-limit.ts'
import { Refusal } from '../core/refusal.ts'
import { IDLE_MS, LIFE_MS, notifySessionChange } from '../core/sessions.ts'
import { sql } from '../core/statement.ts'
import { findCredentials } from '../users/queries.ts'

const LOCKOUT_MINUTES = 15
const BY_USERNAME = 5
const BY_IP = 20

/** Counts a login as failed until it succeeds, so that many attempts at once cannot outrun the count. `ip` as `clientKey` has it. */
export async function recordAttempt(db: Database, username: string, ip: string, now: Date): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    insert into login_failure (username, ip, failed_at) values (lower(${username}), ${ip}, ${now}::timestamptz) returning id`)
  return row?.id as number
}

/** An attempt that was refused for the lock itself does not prolong it. */
export const deleteAttempt = (db: Database, id: number) => db.execute(sql`delete from login_failure where id = ${id}`)

export const deleteFailures = (db: Database, username: string) =>
  db.execute(sql`
  delete from login_failure where username = lower(${username})`)

/** Seconds until a login may be tried again; 0 when it may be now. The attempt under way is counted. */
export async function lockoutSeconds(db: Database, username: string, ip: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - LOCKOUT_MINUTES * 60_000)
  const [row] = await db.query<{ until: Date | null }>(sql`
    select greatest(
      (select failed_at from login_failure
       where username = lower(${username}) and failed_at > ${since}::timestamptz order by failed_at desc offset ${BY_USERNAME} limit 1),
      (select failed_at from login_failure
       where ip = ${ip} and failed_at > ${since}::timestamptz order by failed_at desc offset ${BY_IP} limit 1)
    ) as until`)
  return row?.until ? Math.max(1, Math.ceil((row.until.getTime() - since.getTime()) / 1000)) : 0
}

/**
 * Counts an attempt as failed before its password is checked.
 * @throws 429 while the username or the address has too many failures
 */
export async function countAttempt(db: Database, username: string, ip: string, now: Date): Promise<void> {
  const attempt = await recordAttempt(db, username, clientKey(ip), now)
  const seconds = await lockoutSeconds(db, username, clientKey(ip), now)
  if (seconds === 0) return
  await deleteAttempt(db, attempt)
  throw new Refusal('too-many-login-attempts', 429, null, seconds)
}

/**
 * Verifies the current password of a signed-in user; a wrong one counts as a failed login and is audited. Returns the
 * hash it matches, for the change to compare: verifying takes too long to hold a lock meanwhile.
 * @throws 422 beside the field, 429 while locked
 */
export async function verifyCurrentPassword(db: Pool, actor: Actor, password: string): Promise<string> {
  const { session, request, now } = actor
  const account = await findCredentials(db, session.userId)
  const username = account?.username ?? session.username
  await countAttempt(db, username, request.ip, now)
  if (!account || !(await passwordMatches(account.passwordHash, password))) {
    await audit(db, actor, { action: 'current-password-refused', subject: username })
    throw wrongCurrentPassword()
  }
  await deleteFailures(db, username)
  return account.passwordHash
}

/** Also for a password that was changed between its check and the change. */
export const wrongCurrentPassword = () => new Refusal('wrong-current-password', 422, 'password')

export const accountByUsername = async (db: Database, username: string) => {
  const [row] = await db.query<{ id: number; username: string; passwordHash: string; enabled: boolean }>(sql`
    select id, username, password_hash as "passwordHash", enabled from app_user
    where lower(username) = lower(${username}) and deleted_at is null`)
  return row
}

type NewSession = {
  tokenHash: Buffer
  userId: number
  /** The hash that the typed password matched. */
  passwordHash: string
  ip: string
  userAgent: string | null
}

/**
 * Opens a session and its line in the activity history (event type 1: web login). Returns false where the account was
 * disabled or got another password since its hash was read: the update waits for such a change and sees it.
 */
export async function openSession(db: Database, s: NewSession, now: Date): Promise<boolean> {
  const opened = await db.execute(sql`
    with account as (
      update app_user set last_login_at = ${now}::timestamptz
      where id = ${s.userId} and enabled and deleted_at is null and password_hash = ${s.passwordHash}
      returning id
    ), opened as (
      insert into activity (user_id, event_type, login_at, created_at, ip)
      select id, 1, ${now}::timestamptz, ${now}::timestamptz, ${s.ip} from account
      returning id, user_id
    )
    insert into session (token_hash, user_id, created_at, last_seen_at, ip, user_agent, activity_id)
    select ${s.tokenHash}, user_id, ${now}::timestamptz, ${now}::timestamptz, ${s.ip}, ${s.userAgent}, id from opened`)
  return opened > 0
}

/** Ends one session; every process forgets it at once. */
export async function closeSession(
  db: Database,
  { tokenHash, userId }: Pick<NewSession, 'tokenHash' | 'userId'>,
  now: Date,
): Promise<void> {
  await db.query(sql`
    with closed as (delete from session where token_hash = ${tokenHash} returning activity_id)
    update activity a set logout_at = ${now}::timestamptz from closed where a.id = closed.activity_id`)
  await notifySessionChange(db, userId)
}

/** Ends all of a user's sessions but, where given, the one that asked. */
export async function closeSessionsOf(db: Database, userId: number, but: Buffer | null, now: Date): Promise<void> {
  await db.query(sql`
    with closed as (
      delete from session where user_id = ${userId} and token_hash is distinct from ${but} returning activity_id
    )
    update activity a set logout_at = ${now}::timestamptz from closed where a.id = closed.activity_id`)
  await notifySessionChange(db, userId)
}

/** Removes sessions that no request can revive, and login failures and reset tokens whose time is over. */
export async function deleteExpiredSessions(db: Database, now: Date): Promise<void> {
  const idleSince = new Date(now.getTime() - IDLE_MS)
  const bornBefore = new Date(now.getTime() - LIFE_MS)
  await db.query(sql`
    with closed as (
      delete from session where last_seen_at < ${idleSince}::timestamptz or created_at < ${bornBefore}::timestamptz
      returning activity_id, last_seen_at
    )
    update activity a set logout_at = closed.last_seen_at from closed where a.id = closed.activity_id`)
  await db.execute(
    sql`delete from reset_token where created_at < ${new Date(now.getTime() - RESET_TOKEN_MINUTES * 60_000)}::timestamptz`,
  )
  await db.execute(
    sql`delete from login_failure where failed_at < ${new Date(now.getTime() - 2 * LOCKOUT_MINUTES * 60_000)}::timestamptz`,
  )
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

export const ownSessions = (db: Database, userId: number, tokenHash: Buffer) =>
  db.query<{
    id: number
    createdAt: Date
    lastSeenAt: Date
    ip: string
    userAgent: string | null
    current: boolean
  }>(sql`
  select activity_id as id, created_at as "createdAt", last_seen_at as "lastSeenAt", ip, user_agent as "userAgent",
         token_hash = ${tokenHash} as current
  from session where user_id = ${userId}
  order by created_at desc`)
