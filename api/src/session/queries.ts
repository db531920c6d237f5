import type { SessionFactor } from '@rogatka/contract/options.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

const LOCKOUT_MINUTES = 15
const MAX_FAILURES_BY_USERNAME = 5

/**
 * Counts a login as failed until it succeeds, so that concurrent attempts cannot exceed the limit. `ip`: as returned by
 * `clientKey`.
 */
export async function recordAttempt(db: Database, username: string, ip: string, now: Date): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    insert into login_failure (username, ip, failed_at) values (lower(${username}), ${ip}, ${now}::timestamptz) returning id`)
  return row?.id as number
}

/** Deletes an attempt refused during a lockout, so that it does not prolong it. */
export const deleteAttempt = (db: Database, id: number) => db.execute(sql`delete from login_failure where id = ${id}`)

export const deleteFailures = (db: Database, username: string) =>
  db.execute(sql`
  delete from login_failure where username = lower(${username})`)

/** Seconds until the next permitted login; 0 if permitted now. Includes the current attempt. */
export async function lockoutSeconds(
  db: Database,
  { username, address, maxByAddress }: { username: string; address: string; maxByAddress: number },
  now: Date,
): Promise<number> {
  const since = new Date(now.getTime() - LOCKOUT_MINUTES * MINUTE_MS)
  const [row] = await db.query<{ until: Date | null }>(sql`
    select greatest(
      (select failed_at from login_failure
       where username = lower(${username}) and failed_at > ${since}::timestamptz order by failed_at desc offset ${MAX_FAILURES_BY_USERNAME} limit 1),
      (select failed_at from login_failure
       where ip = ${address} and failed_at > ${since}::timestamptz order by failed_at desc offset ${maxByAddress} limit 1)
    ) as until`)
  return row?.until ? Math.max(1, Math.ceil((row.until.getTime() - since.getTime()) / 1000)) : 0
}

/** Attempts that a username has left before its lockout. */
export async function attemptsLeft(db: Database, username: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - LOCKOUT_MINUTES * MINUTE_MS)
  const [row] = await db.query<{ failures: number }>(sql`
    select count(*)::int as failures from login_failure
    where username = lower(${username}) and failed_at > ${since}::timestamptz`)
  return Math.max(0, MAX_FAILURES_BY_USERNAME - (row?.failures ?? 0))
}

/** Deletes failed logins that no longer count towards a lockout. */
export const deleteOldFailures = (db: Database, now: Date) =>
  db.execute(
    sql`delete from login_failure where failed_at < ${new Date(now.getTime() - 2 * LOCKOUT_MINUTES * MINUTE_MS)}::timestamptz`,
  )

/** Through which provider a session was opened, null: by the portal itself; with its encrypted ID token. */
export async function sessionOrigin(db: Database, tokenHash: Buffer) {
  const [row] = await db.query<{ provider: string | null; idToken: Buffer | null }>(sql`
    select provider, id_token as "idToken" from session where token_hash = ${tokenHash}`)
  return row
}

export const ownSessions = (db: Database, userId: number, tokenHash: Buffer) =>
  db.query<{
    id: number
    createdAt: Date
    lastSeenAt: Date
    ip: string
    userAgent: string | null
    factor: SessionFactor | null
    provider: string | null
    current: boolean
  }>(sql`
  select activity_id as id, created_at as "createdAt", last_seen_at as "lastSeenAt", ip, user_agent as "userAgent",
         factor, provider, token_hash = ${tokenHash} as current
  from session where user_id = ${userId}
  order by created_at desc`)
