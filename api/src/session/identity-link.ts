import { groupsOf, mappedRole, namesOf } from '@rogatka/domain/session/providerClaims.ts'
import type { NewAuditEntry } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import type { Provider } from '../core/providers.ts'
import { Refusal } from '../core/refusal.ts'
import { findRoleDemand, lockSession } from '../core/session-queries.ts'
import type { Session } from '../core/sessions.ts'
import { findRole, lockAccounts } from '../roles/public-api.ts'
import {
  accountByIdentity,
  auditedIdentity,
  deleteIdentity,
  findCredentials,
  findIdentity,
  insertLink,
  lockVerified,
} from '../users/public-api.ts'
import { wrongCurrentPassword } from './lockout.ts'
import type { ProviderUser } from './provider-client.ts'
import { noRole } from './provider-sign-in.ts'
import { digestOf } from './sign-in.ts'

type Owner = { userId: number; username: string }

/** @throws 422 for an account that has an identity already */
export async function assertLinkable(db: Database, userId: number): Promise<void> {
  const identity = await findIdentity(db, userId)
  if (identity) throw new Refusal(identity.linkedAt === null ? 'account-of-provider' : 'account-linked', 422)
}

/**
 * Locks the account of a session for its link, within a transaction. The user may have been deleted, disabled or signed out
 * while at the provider.
 * @param passwordDigest of the password that was verified at the start
 * @throws 401 if the session or the account has ended, 422 if the password was changed
 */
export async function lockOwnAccount(
  db: Database,
  { userId, tokenHash }: Pick<Session, 'userId' | 'tokenHash'>,
  passwordDigest: Buffer | null,
): Promise<void> {
  // A first sign-in with the same identity waits, and so does another link of the account.
  await lockAccounts(db)
  const account = await findCredentials(db, userId)
  if (!account) throw new Refusal('unauthorized', 401)
  if (passwordDigest === null || !digestOf(account.passwordHash).equals(passwordDigest)) throw wrongCurrentPassword()
  if (!(await lockVerified(db, userId, account.passwordHash))) throw wrongCurrentPassword()
  if (!(await lockSession(db, tokenHash))) throw new Refusal('unauthorized', 401)
}

/**
 * Links a local account, which is locked, to the identity that a provider has just signed in. The account keeps its password
 * and its role. Within a transaction. Returns the audit entry; one of a refusal comes with it, to be thrown once the entry is
 * stored: 403 `no-role` for an identity that could not sign in, 422 if it belongs to another account.
 * @throws 422 if the account is linked
 */
export async function linkAccount(
  db: Database,
  { userId, username }: Owner,
  { provider, user, way }: { provider: Provider; user: ProviderUser; way: 'settings' | 'sign-in' },
  now: Date,
): Promise<{ entry: NewAuditEntry; refusal: Refusal | null }> {
  await assertLinkable(db, userId)
  const { issuer, subject, claims } = user
  const name = namesOf({ ...claims, sub: subject }).username
  const after = { provider: provider.id, providerAccount: name, issuer, providerSubject: subject, linkWay: way }
  const refuse = (linkRefusal: string, refusal: Refusal) => ({
    entry: { action: 'identity-link-refused', subject: username, after: { ...after, linkRefusal } } as const,
    refusal,
  })
  const role = mappedRole(provider.roleMap, groupsOf(claims, provider.roleClaim))
  if (role === undefined || !(await findRole(db, role))) return refuse('no-role', noRole(provider))
  if (await accountByIdentity(db, { issuer, subject }))
    return refuse('other-account', new Refusal('identity-of-other-account', 422))
  await insertLink(db, { issuer, subject, userId, provider: provider.id, name }, now)
  return { entry: { action: 'identity-linked', subject: username, after }, refusal: null }
}

/**
 * Unlinks the account of its user; returns the audit entry. Within a transaction.
 * @throws 404 if it is not linked, 422 for an account that the provider made, or if a role requires the provider
 */
export async function unlinkAccount(db: Database, { userId, username }: Owner): Promise<NewAuditEntry> {
  await lockAccounts(db)
  const identity = await findIdentity(db, userId)
  if (!identity) throw new Refusal('account-not-linked', 404)
  if (identity.linkedAt === null) throw new Refusal('account-of-provider', 422)
  if ((await findRoleDemand(db, userId)).provider) throw new Refusal('link-required', 422)
  await deleteIdentity(db, userId)
  return { action: 'identity-unlinked', subject: username, before: auditedIdentity(identity) }
}
