import { RESET_TOKEN_MINUTES } from '@rogatka/contract/session.ts'
import type { Sql } from '../core/database.ts'
import { announceSessionChange, IDLE_MS, LIFE_MS } from '../core/sessions.ts'

const LOCKOUT_MINUTES = 15
const BY_USERNAME = 5
const BY_IP = 20

/** Counts a login as failed until it succeeds, so that many attempts at once cannot outrun the count. */
export async function noteAttempt(sql: Sql, username: string, ip: string, now: Date): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into login_failure (username, ip, failed_at) values (lower(${username}), ${ip}, ${now}) returning id`
  return row?.id as number
}

/** An attempt that was refused for the lock itself does not prolong it. */
export const forgetAttempt = (sql: Sql, id: number) => sql`delete from login_failure where id = ${id}`

export const forgetFailures = (sql: Sql, username: string) => sql`
  delete from login_failure where username = lower(${username})`

/** Seconds until a login may be tried again; 0 when it may be now. The attempt under way is counted. */
export async function lockedFor(sql: Sql, username: string, ip: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - LOCKOUT_MINUTES * 60_000)
  const [row] = await sql<{ until: Date | null }[]>`
    select greatest(
      (select failed_at from login_failure
       where username = lower(${username}) and failed_at > ${since} order by failed_at desc offset ${BY_USERNAME} limit 1),
      (select failed_at from login_failure
       where ip = ${ip} and failed_at > ${since} order by failed_at desc offset ${BY_IP} limit 1)
    ) as until`
  return row?.until ? Math.max(1, Math.ceil((row.until.getTime() - since.getTime()) / 1000)) : 0
}

export const accountByUsername = async (sql: Sql, username: string) => {
  const [row] = await sql<{ id: number; username: string; passwordHash: string; enabled: boolean }[]>`
    select id, username, password_hash as "passwordHash", enabled from app_user
    where lower(username) = lower(${username}) and deleted_at is null`
  return row
}

type NewSession = { tokenHash: Buffer; userId: number; ip: string; userAgent: string | null }

/** Opens a session and its line in the activity history (event type 1: web login). */
export const openSession = (sql: Sql, s: NewSession, now: Date) => sql`
  with opened as (
    insert into activity (user_id, event_type, login_at, created_at, ip)
    values (${s.userId}, 1, ${now}, ${now}, ${s.ip})
    returning id
  ), seen as (
    update app_user set last_login_at = ${now} where id = ${s.userId}
  )
  insert into session (token_hash, user_id, created_at, last_seen_at, ip, user_agent, activity_id)
  select ${s.tokenHash}, ${s.userId}, ${now}, ${now}, ${s.ip}, ${s.userAgent}, id from opened`

/** Ends one session; every process forgets it at once. */
export async function closeSession(
  sql: Sql,
  { tokenHash, userId }: Pick<NewSession, 'tokenHash' | 'userId'>,
  now: Date,
): Promise<void> {
  await sql`
    with closed as (delete from session where token_hash = ${tokenHash} returning activity_id)
    update activity a set logout_at = ${now} from closed where a.id = closed.activity_id`
  await announceSessionChange(sql, userId)
}

/** Ends all of a user's sessions but, where given, the one that asked. */
export async function closeSessionsOf(sql: Sql, userId: number, but: Buffer | null, now: Date): Promise<void> {
  await sql`
    with closed as (
      delete from session where user_id = ${userId} and token_hash is distinct from ${but} returning activity_id
    )
    update activity a set logout_at = ${now} from closed where a.id = closed.activity_id`
  await announceSessionChange(sql, userId)
}

/** Removes sessions that no request can revive, and login failures and reset tokens whose time is over. */
export async function removeDeadSessions(sql: Sql, now: Date): Promise<void> {
  const idleSince = new Date(now.getTime() - IDLE_MS)
  const bornBefore = new Date(now.getTime() - LIFE_MS)
  await sql`
    with closed as (
      delete from session where last_seen_at < ${idleSince} or created_at < ${bornBefore}
      returning activity_id, last_seen_at
    )
    update activity a set logout_at = closed.last_seen_at from closed where a.id = closed.activity_id`
  await sql`delete from reset_token where created_at < ${new Date(now.getTime() - RESET_TOKEN_MINUTES * 60_000)}`
  await sql`delete from login_failure where failed_at < ${new Date(now.getTime() - 2 * LOCKOUT_MINUTES * 60_000)}`
}

export const accountByEmail = async (sql: Sql, email: string) => {
  const [row] = await sql<{ id: number; email: string }[]>`
    select id, email from app_user
    where lower(email) = lower(${email}) and enabled and deleted_at is null
    order by id limit 1`
  return row
}

/** Reset mails ordered for an address since then. */
export async function recentResets(sql: Sql, email: string, since: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from outbox
    where kind = 'password-reset' and lower(recipient) = lower(${email}) and created_at > ${since}`
  return row?.count ?? 0
}

export const insertResetToken = (sql: Sql, tokenHash: Buffer, userId: number, now: Date) => sql`
  insert into reset_token (token_hash, user_id, created_at) values (${tokenHash}, ${userId}, ${now})`

/** Uses a reset token up, with all others of its user; undefined when it is not valid for that address. */
export async function takeResetToken(sql: Sql, tokenHash: Buffer, email: string, since: Date) {
  const [user] = await sql<{ id: number; username: string; roleId: number | null }[]>`
    select u.id, u.username,
           (select ur.role_id from user_role ur where ur.user_id = u.id order by ur.place limit 1) as "roleId"
    from reset_token t
    join app_user u on u.id = t.user_id and u.enabled and u.deleted_at is null and lower(u.email) = lower(${email})
    where t.token_hash = ${tokenHash} and t.created_at > ${since}
    for update of t`
  if (user) await sql`delete from reset_token where user_id = ${user.id}`
  return user
}

export const ownSessions = (sql: Sql, userId: number, tokenHash: Buffer) => sql<
  { id: number; createdAt: Date; lastSeenAt: Date; ip: string; userAgent: string | null; current: boolean }[]
>`
  select activity_id as id, created_at as "createdAt", last_seen_at as "lastSeenAt", ip, user_agent as "userAgent",
         token_hash = ${tokenHash} as current
  from session where user_id = ${userId}
  order by created_at desc`
