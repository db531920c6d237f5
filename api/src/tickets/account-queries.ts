import type { Database } from '../core/database.ts'
import { decrypt, encrypt } from '../core/secrets.ts'
import { identifier, sql } from '../core/statement.ts'
import { tokenExpiry } from './token-expiry.ts'

/** Associated data of the encryption: a secret cannot be decrypted in the row of another user. */
const secretContext = (what: 'token' | 'password', userId: number) => `ticket ${what} of user ${userId}`

/** Whether a token is stored, without the token. */
export async function readTokenState(db: Database, userId: number) {
  const [row] = await db.query<{ email: string; expiresAt: Date | null }>(sql`
    select email, expires_at as "expiresAt" from ticket_account where user_id = ${userId} and token_secret is not null`)
  return { stored: row !== undefined, email: row?.email ?? null, expiresAt: row?.expiresAt ?? null }
}

/** Stores a user's token, encrypted, and deletes the password used to create it. */
export const storeToken = (
  db: Database,
  key: Buffer,
  entry: { userId: number; email: string; token: string },
  now: Date,
) => {
  const secret = encrypt(key, entry.token, secretContext('token', entry.userId))
  return db.execute(sql`
    insert into ticket_account (user_id, email, token_secret, expires_at)
    values (${entry.userId}, ${entry.email}, ${secret}, ${tokenExpiry(now)}::timestamptz)
    on conflict (user_id) do update set
      email = excluded.email, token_secret = excluded.token_secret, expires_at = excluded.expires_at,
      password_secret = null, token_attempted_at = null`)
}

/** Numbers of re-encrypted secrets, and of those that neither key decrypts, which are unchanged. */
type RotationResult = { renewed: number; unreadable: number }

/** Re-encrypts all secrets with another key. Idempotent. */
export async function rotateSecrets(db: Database, from: Buffer, to: Buffer): Promise<RotationResult> {
  const done = { renewed: 0, unreadable: 0 }
  for (const what of ['token', 'password'] as const) {
    const column = identifier(`${what}_secret`)
    const rows = await db.query<{ userId: number; secret: Buffer }>(sql`
      select user_id as "userId", ${column} as secret from ticket_account where ${column} is not null for update`)
    for (const { userId, secret } of rows) {
      const context = secretContext(what, userId)
      const text = decrypt(from, secret, context)
      if (text !== null) {
        await db.execute(
          sql`update ticket_account set ${column} = ${encrypt(to, text, context)} where user_id = ${userId}`,
        )
        done.renewed++
      } else if (decrypt(to, secret, context) === null) done.unreadable++
    }
  }
  return done
}

/** A user's token for the ticket service; null without a valid one. */
export async function validToken(db: Database, key: Buffer, userId: number, now: Date): Promise<string | null> {
  const [row] = await db.query<{ secret: Buffer }>(sql`
    select token_secret as secret from ticket_account
    where user_id = ${userId} and token_secret is not null and expires_at > ${now}::timestamptz`)
  return row ? decrypt(key, row.secret, secretContext('token', userId)) : null
}

/** The password for the account to create: that of an earlier attempt, else this new one. */
export async function findOrStorePassword(
  db: Database,
  key: Buffer,
  { userId, email }: { userId: number; email: string },
  newPassword: string,
): Promise<string> {
  const [row] = await db.query<{ secret: Buffer | null }>(sql`
    select password_secret as secret from ticket_account where user_id = ${userId}`)
  const stored = row?.secret ? decrypt(key, row.secret, secretContext('password', userId)) : null
  if (stored !== null) return stored
  const secret = encrypt(key, newPassword, secretContext('password', userId))
  await db.execute(sql`
    insert into ticket_account (user_id, email, password_secret) values (${userId}, ${email}, ${secret})
    on conflict (user_id) do update set email = excluded.email, password_secret = excluded.password_secret`)
  return newPassword
}

export const saveServiceUser = (db: Database, userId: number, serviceUserId: number) =>
  db.execute(sql`
  update ticket_account set service_user_id = ${serviceUserId} where user_id = ${userId}`)

/** The user's id in the ticket service; null without one. */
export const findServiceUser = async (db: Database, userId: number): Promise<number | null> => {
  const [row] = await db.query<{ id: number | null }>(sql`
    select service_user_id as id from ticket_account where user_id = ${userId}`)
  return row?.id ?? null
}

/** When the last request for a token returned none; null if that did not happen. */
export const findTokenAttempt = async (db: Database, userId: number): Promise<Date | null> => {
  const [row] = await db.query<{ at: Date | null }>(sql`
    select token_attempted_at as at from ticket_account where user_id = ${userId}`)
  return row?.at ?? null
}

export const recordTokenAttempt = (db: Database, userId: number, now: Date) =>
  db.execute(sql`
  update ticket_account set token_attempted_at = ${now}::timestamptz where user_id = ${userId}`)
