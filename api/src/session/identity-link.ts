import { groupsOf, mappedRole, namesOf } from '@rogatka/domain/session/providerClaims.ts'
import type { NewAuditEntry } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import type { Provider } from '../core/providers.ts'
import { Refusal } from '../core/refusal.ts'
import { findRoleDemand } from '../core/session-queries.ts'
import { findRole, lockAccounts } from '../roles/public-api.ts'
import { accountByIdentity, deleteIdentity, findIdentity, insertLink } from '../users/public-api.ts'
import type { ProviderUser } from './provider-client.ts'
import { noRole } from './provider-sign-in.ts'

type Owner = { userId: number; username: string }

/** @throws 422 for an account that has an identity already */
export async function assertLinkable(db: Database, userId: number): Promise<void> {
  const identity = await findIdentity(db, userId)
  if (identity) throw new Refusal(identity.linkedAt === null ? 'account-of-provider' : 'account-linked', 422)
}

/**
 * Links a local account to the identity that a provider has just signed in; returns the audit entry. The account keeps its
 * password and its role. Within a transaction.
 * @throws 403 `no-role` for an identity that could not sign in, 422 if it belongs to another account or the account is linked
 */
export async function linkAccount(
  db: Database,
  { userId, username }: Owner,
  provider: Provider,
  { issuer, subject, claims }: ProviderUser,
  now: Date,
): Promise<NewAuditEntry> {
  // A first sign-in with the same identity waits, and so does another link of the account.
  await lockAccounts(db)
  await assertLinkable(db, userId)
  const role = mappedRole(provider.roleMap, groupsOf(claims, provider.roleClaim))
  if (role === undefined || !(await findRole(db, role))) throw noRole(provider)
  if (await accountByIdentity(db, { issuer, subject })) throw new Refusal('identity-of-other-account', 422)
  const name = namesOf({ ...claims, sub: subject }).username
  await insertLink(db, { issuer, subject, userId, provider: provider.id, name }, now)
  return { action: 'identity-linked', subject: username, after: { provider: provider.id, providerAccount: name } }
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
  const { provider, name } = identity
  return { action: 'identity-unlinked', subject: username, before: { provider, providerAccount: name } }
}
