import type { SessionFactor } from '@rogatka/contract/options.ts'
import { type FactorPolicy, isFactorRequired, type RoleDemand } from '@rogatka/domain/session/factorPolicy.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { findRoleDemand } from '../core/session-queries.ts'
import type { Session } from '../core/sessions.ts'
import { findIdentity, hasFactor, hasPasskey, hasUnlockedPasskey } from '../users/public-api.ts'

/** What the user of a session needs, by the current state of their roles: a second factor of any kind, a passkey, a provider. */
export async function findFactorDemand(
  db: Database,
  policy: FactorPolicy,
  { userId, permissions }: Session,
): Promise<RoleDemand> {
  const demand = await findRoleDemand(db, userId)
  return {
    factor: isFactorRequired(policy, { permissions, demand }),
    passkey: demand.passkey,
    provider: demand.provider,
  }
}

/** Whether only a passkey opens an account: a role requires one, and there is one. Without, it is set up after the sign-in. */
export const needsOwnPasskey = async (db: Database, userId: number): Promise<boolean> =>
  (await findRoleDemand(db, userId)).passkey && (await hasPasskey(db, userId))

/** Whether the second factor of the portal is needed whatever the provider has verified: a linked account has one. */
export const needsOwnFactor = async (db: Database, userId: number): Promise<boolean> =>
  (await findIdentity(db, userId))?.linkedAt != null && (await hasFactor(db, userId))

/**
 * Whether an account has to be linked to a provider before it opens: a role requires one, and the portal itself has verified
 * the user. `canLink`: whether a provider allows that at a sign-in.
 * @throws 403 if the account is linked: only its provider opens it; or if it cannot be linked at a sign-in
 */
export async function needsLink(db: Database, userId: number, canLink: boolean): Promise<boolean> {
  if (!(await findRoleDemand(db, userId)).provider) return false
  if (!canLink || (await findIdentity(db, userId))) throw new Refusal('provider-sign-in-required', 403)
  return true
}

/**
 * Refuses to open a session in a way that a role of the account does not allow.
 * @throws 403
 */
export async function assertSignInMethodAllowed(
  db: Database,
  userId: number,
  { factor, provider }: { factor?: SessionFactor | undefined; provider?: string | undefined },
): Promise<void> {
  const demand = await findRoleDemand(db, userId)
  if (demand.provider && provider === undefined) throw new Refusal('provider-sign-in-required', 403)
  if (demand.passkey && factor !== 'passkey' && (await hasPasskey(db, userId)))
    throw await passkeyRefusal(db, userId, 403)
}

/** Says that the passkeys are locked if all of them are: they cannot be used, and a code does not replace them. */
const passkeyRefusal = async (db: Database, userId: number, status: 403 | 422): Promise<Refusal> =>
  (await hasUnlockedPasskey(db, userId)) ? new Refusal('passkey-required', status) : new Refusal('passkey-locked', 403)

/**
 * @param status 403 for a sign-in, 422 for a step-up
 * @throws if only a passkey opens the account; 403 if all of its passkeys are locked
 */
export async function assertPasskeyNotRequired(db: Database, userId: number, status: 403 | 422): Promise<void> {
  if (await needsOwnPasskey(db, userId)) throw await passkeyRefusal(db, userId, status)
}
