import type { SessionFactor } from '@rogatka/contract/options.ts'
import { PENDING_MINUTES } from '@rogatka/contract/session-outcome.ts'
import type { Database } from './database.ts'
import { sql } from './statement.ts'

export type PendingSignIn = {
  userId: number
  passwordDigest: Buffer
  /** Through which it began; null: by a password, or by the previous version. */
  provider: string | null
  /** Of that provider, encrypted. */
  idToken: Buffer | null
  /** The second factor that was shown, if only a link is left. */
  factor: SessionFactor | null
}

export const insertPendingSignIn = (
  db: Database,
  { tokenHash, userId, passwordDigest, provider, idToken, factor }: PendingSignIn & { tokenHash: Buffer },
  now: Date,
) =>
  db.execute(sql`
  insert into sign_in_pending (token_hash, user_id, password_digest, provider, id_token, factor, created_at)
  values (${tokenHash}, ${userId}, ${passwordDigest}, ${provider}, ${idToken}, ${factor}, ${now}::timestamptz)`)

export async function pendingSignIn(db: Database, tokenHash: Buffer, since: Date): Promise<PendingSignIn | undefined> {
  const [row] = await db.query<PendingSignIn>(sql`
    select user_id as "userId", password_digest as "passwordDigest", provider, id_token as "idToken", factor from sign_in_pending
    where token_hash = ${tokenHash} and created_at > ${since}::timestamptz`)
  return row
}

/** Lets a sign-in last as long again, while its user is at a provider; however often, twice as long in all. */
export const prolongPendingSignIn = (db: Database, tokenHash: Buffer, now: Date) =>
  db.execute(sql`
  update sign_in_pending
  set began_at = coalesce(began_at, created_at),
      created_at = greatest(created_at,
        least(${now}::timestamptz, coalesce(began_at, created_at) + ${PENDING_MINUTES}::int * interval '1 minute'))
  where token_hash = ${tokenHash}`)

/** Returns false if it was completed already. */
export async function deletePendingSignIn(db: Database, tokenHash: Buffer): Promise<boolean> {
  return (await db.execute(sql`delete from sign_in_pending where token_hash = ${tokenHash}`)) > 0
}

/** Deletes all pending sign-ins of a user. */
export const deletePendingSignInsOf = (db: Database, userId: number) =>
  db.execute(sql`delete from sign_in_pending where user_id = ${userId}`)

export const deleteExpiredPendingSignIns = (db: Database, before: Date) =>
  db.execute(sql`delete from sign_in_pending where created_at <= ${before}::timestamptz`)

/** Deletes the ID tokens of sign-ins that wait for their second factor. */
export const deletePendingIdTokens = (db: Database) =>
  db.execute(sql`update sign_in_pending set id_token = null where id_token is not null`)
