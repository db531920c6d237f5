import type { PasskeyAssertion } from '@rogatka/contract/session-passkeys.ts'
import { type Actor, audit } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { setVerifiedAt } from '../core/session-queries.ts'
import { hasFactor } from '../users/public-api.ts'
import { verifyCurrentPassword } from './lockout.ts'
import { type RelyingParty, requireRelyingParty, verifyPasskey } from './passkeys.ts'
import { attemptCode, type CodeAttempt } from './sign-in.ts'

type Proof = {
  code?: string | undefined
  password?: string | undefined
  passkey?: PasskeyAssertion | undefined
}

/**
 * Verifies the user of a session again, by the second factor, or the password of an account without one. Failures count
 * towards the lockout of the account.
 * @throws 422 for the field that is missing or wrong, 429 during a lockout, 403 for a locked passkey
 */
export async function stepUp(
  db: Pool,
  { code, password, passkey }: Proof,
  by: Actor & CodeAttempt & { party: RelyingParty | null },
): Promise<void> {
  const { session, request, now } = by
  const { userId, username, tokenHash } = session
  const accepted = async (db: Database) => {
    await setVerifiedAt(db, tokenHash, now)
    await audit(db, by, { action: 'stepped-up', subject: username })
  }
  if (passkey) {
    const assertion = { credential: passkey, purpose: 'step-up', tokenHash, userId } as const
    const found = await verifyPasskey(db, requireRelyingParty(by.party), assertion, { ip: request.ip, now })
    // Not 401, which would say that the session has ended.
    if (!found) throw new Refusal('passkey-refused', 422, 'passkey')
    await db.transaction(accepted)
  } else if (await hasFactor(db, userId)) {
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
