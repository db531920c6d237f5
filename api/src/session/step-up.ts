import { type Actor, audit } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { setVerifiedAt } from '../core/session-queries.ts'
import { hasFactor } from '../users/public-api.ts'
import { verifyCurrentPassword } from './lockout.ts'
import { attemptCode, type CodeAttempt } from './sign-in.ts'

/**
 * Verifies the user of a session again, by the second factor, or the password of an account without one. Failures count
 * towards the lockout of the account.
 * @throws 422 for the field that is missing or wrong, 429 during a lockout
 */
export async function stepUp(
  db: Pool,
  { code, password }: { code?: string | undefined; password?: string | undefined },
  by: Actor & CodeAttempt,
): Promise<void> {
  const { session, now } = by
  const { userId, username, tokenHash } = session
  const accepted = async (db: Database) => {
    await setVerifiedAt(db, tokenHash, now)
    await audit(db, by, { action: 'stepped-up', subject: username })
  }
  if (await hasFactor(db, userId)) {
    if (code === undefined) throw new Refusal('factor-code-required', 422, 'code')
    await attemptCode(db, { userId, username, code }, by, { accepted })
  } else {
    if (password === undefined) throw new Refusal('user-password-required', 422, 'password')
    await verifyCurrentPassword(db, by, password)
    await db.transaction(accepted)
  }
  // Other processes read it before they refuse.
  session.verifiedAt = now
}
