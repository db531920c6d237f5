import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** What an authenticator signs for. */
export type ChallengePurpose = 'sign-in' | 'step-up' | 'set-up'

type Challenge = {
  challenge: Buffer
  purpose: ChallengePurpose
  /** Of the session that asked; null for a sign-in. */
  tokenHash: Buffer | null
}

export const insertChallenge = (db: Database, { challenge, purpose, tokenHash }: Challenge, now: Date) =>
  db.execute(sql`
  insert into passkey_challenge (challenge, purpose, token_hash, created_at)
  values (${challenge}, ${purpose}, ${tokenHash}, ${now}::timestamptz)`)

/** Consumes a challenge; returns false if it is unknown, used, for something or somebody else, or older than `since`. */
export async function consumeChallenge(
  db: Database,
  { challenge, purpose, tokenHash }: Challenge,
  since: Date,
): Promise<boolean> {
  const [row] = await db.query<{ isValid: boolean }>(sql`
    delete from passkey_challenge where challenge = ${challenge}
    returning purpose = ${purpose} and token_hash is not distinct from ${tokenHash}
              and created_at > ${since}::timestamptz as "isValid"`)
  return row?.isValid ?? false
}

export const deleteExpiredChallenges = (db: Database, before: Date) =>
  db.execute(sql`delete from passkey_challenge where created_at <= ${before}::timestamptz`)
