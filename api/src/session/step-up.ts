import type { ProviderAnswer } from '@rogatka/contract/session-factors.ts'
import type { PasskeyAssertion } from '@rogatka/contract/session-passkeys.ts'
import { hasSecondFactor } from '@rogatka/domain/session/providerClaims.ts'
import type { Config } from '../config.ts'
import { type Actor, audit } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import type { RelyingParty } from '../core/relying-party.ts'
import { findRoleDemand, setVerifiedAt } from '../core/session-queries.ts'
import { findIdentity, hasFactor } from '../users/public-api.ts'
import { assertPasskeyNotRequired } from './factor-demand.ts'
import { verifyCurrentPassword } from './lockout.ts'
import { requireRelyingParty, verifyPasskey } from './passkeys.ts'
import { type ProviderContext, redeemAnswer, requireProvider } from './provider-sign-in.ts'
import { attemptCode, type CodeAttempt } from './sign-in.ts'

type Proof = {
  code?: string | undefined
  password?: string | undefined
  passkey?: PasskeyAssertion | undefined
  provider?: ProviderAnswer | undefined
}

/**
 * Verifies the user of a session again, by the second factor, or the password of an account without one, or its provider; a
 * linked account has both, unless a role requires the provider.
 * Failures count towards the lockout of the account.
 * @throws 422 for the field that is missing or wrong, 429 during a lockout, 403 for a locked passkey
 */
export async function stepUp(
  db: Pool,
  { code, password, passkey, provider }: Proof,
  by: Actor & CodeAttempt & { party: RelyingParty | null; context: ProviderContext; config: Pick<Config, 'providers'> },
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
  } else if (provider) {
    await assertPasskeyNotRequired(db, userId, 422)
    await verifyByProvider(db, provider, by)
    await db.transaction(accepted)
  } else if (await hasFactor(db, userId)) {
    await assertPasskeyNotRequired(db, userId, 422)
    if (code === undefined) throw new Refusal('factor-code-required', 422, 'code')
    await attemptCode(db, { userId, username, code }, by, { accepted })
  } else {
    // For provider accounts `verifyCurrentPassword` accepts a recent verification, which must not count as a new one.
    const identity = await findIdentity(db, userId)
    // Nor does a password replace the provider that a role requires.
    const mustUseProvider = identity && (identity.linkedAt === null || (await findRoleDemand(db, userId)).provider)
    if (mustUseProvider) throw new Refusal('provider-required', 422)
    if (password === undefined) throw new Refusal('user-password-required', 422, 'password')
    await verifyCurrentPassword(db, by, password)
    await db.transaction(accepted)
  }
  // Other processes read the stored time before they refuse.
  session.verifiedAt = now
}

/**
 * Verifies that the provider has just signed in the user of the session, and asked for a second factor if the account has one;
 * that of a linked account is shown to the portal.
 * @throws 422 otherwise, 403 for an answer that is not valid, 503 if the provider cannot be asked
 */
async function verifyByProvider(
  db: Pool,
  answer: ProviderAnswer,
  { session: { userId, tokenHash }, now, context, config }: Parameters<typeof stepUp>[2],
): Promise<void> {
  const identity = await findIdentity(db, userId)
  const provider = requireProvider(config, identity?.provider)
  const { issuer, subject, claims } = await redeemAnswer(context, provider, answer, {
    purpose: 'step-up',
    tokenHash,
    now,
  })
  if (issuer !== identity?.issuer || subject !== identity.subject) throw new Refusal('provider-other-user', 422)
  const isShown = hasSecondFactor(claims, provider.mfaAcr) && identity.linkedAt === null
  if (!isShown && (await hasFactor(db, userId))) throw new Refusal('factor-code-required', 422, 'code')
}
