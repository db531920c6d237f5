import type { Database } from '../core/database.ts'
import { decrypt, encrypt } from '../core/secrets.ts'
import { identifier, sql } from '../core/statement.ts'
import { tokenExpiry } from './token-expiry.ts'

/** Secrets of one user do not open in another's row. */
const about = (what: 'token' | 'password', userId: number) => `ticket ${what} of user ${userId}`

/** Whether a token is stored; never the token itself. */
export async function tokenOf(db: Database, userId: number) {
  const [row] = await db.query<{ email: string; expiresAt: Date | null }>(sql`
    select email, expires_at as "expiresAt" from ticket_account where user_id = ${userId} and token_secret is not null`)
  return { stored: row !== undefined, email: row?.email ?? null, expiresAt: row?.expiresAt ?? null }
}

/** Stores a user's token, encrypted; the password that got it is forgotten. */
export const storeToken = (
  db: Database,
  key: Buffer,
  given: { userId: number; email: string; token: string },
  now: Date,
) => {
  const secret = encrypt(key, given.token, about('token', given.userId))
  return db.execute(sql`
    insert into ticket_account (user_id, email, token_secret, expires_at)
    values (${given.userId}, ${given.email}, ${secret}, ${tokenExpiry(now)}::timestamptz)
    on conflict (user_id) do update set
      email = excluded.email, token_secret = excluded.token_secret, expires_at = excluded.expires_at,
      password_secret = null, token_attempted_at = null`)
}

/** What was encrypted anew, and what neither key opens: it stays as it is. */
type Renewal = { renewed: number; unreadable: number }

/** Encrypts every secret with another key. What has that key already stays, so it may be done again. */
export async function rotateSecrets(db: Database, from: Buffer, to: Buffer): Promise<Renewal> {
  const done = { renewed: 0, unreadable: 0 }
  for (const what of ['token', 'password'] as const) {
    const column = identifier(`${what}_secret`)
    const rows = await db.query<{ userId: number; secret: Buffer }>(sql`
      select user_id as "userId", ${column} as secret from ticket_account where ${column} is not null for update`)
    for (const { userId, secret } of rows) {
      const of = about(what, userId)
      const text = decrypt(from, secret, of)
      if (text !== null) {
        await db.execute(sql`update ticket_account set ${column} = ${encrypt(to, text, of)} where user_id = ${userId}`)
        done.renewed++
      } else if (decrypt(to, secret, of) === null) done.unreadable++
    }
  }
  return done
}

/** The token with which the ticket service is asked in a user's name; null without one that still holds. */
export async function validToken(db: Database, key: Buffer, userId: number, now: Date): Promise<string | null> {
  const [row] = await db.query<{ secret: Buffer }>(sql`
    select token_secret as secret from ticket_account
    where user_id = ${userId} and token_secret is not null and expires_at > ${now}::timestamptz`)
  return row ? decrypt(key, row.secret, about('token', userId)) : null
}

/** The password of the account that is being made: the one of an attempt before, else this new one. */
export async function passwordFor(
  db: Database,
  key: Buffer,
  { userId, email }: { userId: number; email: string },
  fresh: string,
): Promise<string> {
  const [row] = await db.query<{ secret: Buffer | null }>(sql`
    select password_secret as secret from ticket_account where user_id = ${userId}`)
  const kept = row?.secret ? decrypt(key, row.secret, about('password', userId)) : null
  if (kept !== null) return kept
  const secret = encrypt(key, fresh, about('password', userId))
  await db.execute(sql`
    insert into ticket_account (user_id, email, password_secret) values (${userId}, ${email}, ${secret})
    on conflict (user_id) do update set email = excluded.email, password_secret = excluded.password_secret`)
  return fresh
}

export const saveServiceUser = (db: Database, userId: number, serviceUserId: number) =>
  db.execute(sql`
  update ticket_account set service_user_id = ${serviceUserId} where user_id = ${userId}`)

/** The user of the ticket service that stands for one of ours; null where there is none. */
export const serviceUserOf = async (db: Database, userId: number): Promise<number | null> => {
  const [row] = await db.query<{ id: number | null }>(sql`
    select service_user_id as id from ticket_account where user_id = ${userId}`)
  return row?.id ?? null
}

/** When a token was last asked for and none answered; null if that did not happen. */
export const tokenAttemptOf = async (db: Database, userId: number): Promise<Date | null> => {
  const [row] = await db.query<{ at: Date | null }>(sql`
    select token_attempted_at as at from ticket_account where user_id = ${userId}`)
  return row?.at ?? null
}

export const recordTokenAttempt = (db: Database, userId: number, now: Date) =>
  db.execute(sql`
  update ticket_account set token_attempted_at = ${now}::timestamptz where user_id = ${userId}`)
