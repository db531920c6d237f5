import type { ProviderAnswer } from '@rogatka/contract/session-factors.ts'
import { PROVIDER_MINUTES } from '@rogatka/contract/session-providers.ts'
import { emailAddress } from '@rogatka/contract/wire.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { groupsOf, hasSecondFactor, mappedRole, namesOf, numberedName } from '@rogatka/domain/session/providerClaims.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import { auditWithoutSession } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { hashPassword } from '../core/passwords.ts'
import type { Provider } from '../core/providers.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'
import { closeSessionsOf } from '../core/session-queries.ts'
import { hashToken, newToken, type Sessions } from '../core/sessions.ts'
import { findRole, lockAccounts, roleById, setRole } from '../roles/public-api.ts'
import {
  accountByIdentity,
  hasFactor,
  insertIdentity,
  insertUser,
  recordIdentityUse,
  recordSignIn,
  usernamesInUse,
} from '../users/public-api.ts'
import { needsOwnFactor, needsOwnPasskey } from './factor-demand.ts'
import type { Attempt } from './lockout.ts'
import { type ProviderClient, ProviderDeclined, type ProviderUser } from './provider-client.ts'
import { ProviderUnavailable } from './provider-fetch.ts'
import { encryptIdToken } from './provider-logout.ts'
import { consumeProviderRequest, insertProviderRequest, type ProviderPurpose } from './provider-queries.ts'
import { awaitFactor, openSession } from './sign-in.ts'

/** Requests to providers from before this time have expired. */
export const providerRequestsSince = (now: Date): Date => new Date(now.getTime() - PROVIDER_MINUTES * MINUTE_MS)

/** @throws 404 */
export function requireProvider({ providers }: Pick<Config, 'providers'>, id: string | undefined) {
  const provider = providers.find((one) => one.id === id)
  if (!provider) throw new Refusal('provider-not-found', 404)
  return provider
}

/** Whether any provider lets local accounts be linked at a sign-in whose role requires one. */
export const canLinkAtSignIn = ({ providers }: Pick<Config, 'providers'>): boolean =>
  providers.some(({ linkAtSignIn }) => linkAtSignIn)

/** Dependencies of requests to providers. */
export type ProviderContext = {
  db: Pool
  client: ProviderClient
  log: Pick<FastifyBaseLogger, 'warn'>
  sessions: Pick<Sessions, 'clearCache'>
}

/** A refusal that names the provider, logged with its reason. */
function refused({ log }: ProviderContext, { id, label }: Provider, error: unknown): Refusal {
  const reason = error instanceof Error ? error : new Error(String(error))
  log.warn(
    { provider: id, reason: reason.message, cause: messageOf(reason.cause) },
    'sign-in through a provider failed',
  )
  const refuse = (status: number, code: Parameters<typeof refuseFields>[1][number]['code']) =>
    refuseFields(status, [{ path: null, code, params: { provider: label } }])
  if (reason instanceof ProviderUnavailable) return refuse(503, reason.code)
  if (reason instanceof ProviderDeclined) return refuse(403, 'provider-declined')
  return refuse(403, 'provider-refused')
}

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : undefined)

/** What a request is for; `tokenHash`: of the session to step up or to link, or of the sign-in that is to be linked. */
type RequestPurpose =
  | { purpose: 'sign-in'; tokenHash: null }
  | { purpose: Exclude<ProviderPurpose, 'sign-in'>; tokenHash: Buffer }

/** What only a new request has; `passwordDigest`: of the password that was verified for a link in a session. */
type NewRequest = RequestPurpose & { passwordDigest?: Buffer | null }

export const SIGN_IN: RequestPurpose = { purpose: 'sign-in', tokenHash: null }

/**
 * Asks a provider: returns where the browser goes, and the secret for its answer. For all but a sign-in the user has to sign
 * in even with a session at the provider, as another user may have used this browser.
 * @throws 503 if the provider cannot be asked
 */
export async function askProvider(context: ProviderContext, provider: Provider, request: NewRequest, now: Date) {
  const transaction = newToken()
  const address = await context.client
    .addressOf(provider, transaction, { forceSignIn: request.purpose !== 'sign-in' })
    .catch((error: unknown) => {
      throw refused(context, provider, error)
    })
  const transactionHash = hashToken(transaction)
  await insertProviderRequest(
    context.db,
    { passwordDigest: null, transactionHash, provider: provider.id, ...request },
    now,
  )
  return { address, transaction }
}

/**
 * Redeems the answer of a provider, once; `passwordDigest`: as at the start.
 * @throws 403 if it is not a valid one to a request of this browser, 503 if the provider cannot be asked
 */
export async function redeemAnswer(
  context: ProviderContext,
  provider: Provider,
  { transaction, answer }: ProviderAnswer,
  { now, ...purpose }: RequestPurpose & { now: Date },
): Promise<ProviderUser & { passwordDigest: Buffer | null }> {
  const request = { transactionHash: hashToken(transaction), provider: provider.id, ...purpose }
  const asked = await consumeProviderRequest(context.db, request, providerRequestsSince(now))
  if (!asked) throw refused(context, provider, 'no such request, or answered or expired')
  const { createdAt, passwordDigest } = asked
  // A provider that ignores that it was to sign in again has only the time of an earlier sign-in.
  const maxAge = request.purpose === 'sign-in' ? undefined : Math.ceil((now.getTime() - createdAt.getTime()) / 1000)
  const user = await context.client.redeem(provider, { transaction, answer }, maxAge).catch((error: unknown) => {
    throw refused(context, provider, error)
  })
  return { ...user, passwordDigest }
}

/**
 * Signs in who a provider says it is, in the role that it gives: creates the account at the first time, else renews its role.
 * A linked account keeps its own role, but needs one of the provider. Returns the token of a new session, or what a second factor completes.
 * @throws 403 for a disabled account, and `no-role` without a role, which ends the sessions
 */
export async function signInThroughProvider(
  { db, sessions }: ProviderContext,
  provider: Provider,
  user: ProviderUser,
  { request, now, secretKey }: Pick<Attempt, 'request' | 'now'> & Pick<Config, 'secretKey'>,
) {
  const wanted = mappedRole(provider.roleMap, groupsOf(user.claims, provider.roleClaim))
  const before = await accountByIdentity(db, user)
  // Nobody knows it: it is thrown away. Before the locks, as hashing is slow.
  const unknownHash = before ? null : await hashPassword(newToken())
  const result = await db.transaction(async (db) => {
    // A role cannot be deleted meanwhile, and of two first sign-ins one creates the account.
    await lockAccounts(db)
    const role = wanted === undefined ? undefined : await findRole(db, wanted)
    const known = await accountByIdentity(db, user)
    if (known && !known.enabled) return new Refusal('account-disabled', 403)
    if (!role) {
      if (!known) return noRole(provider)
      await closeSessionsOf(db, known.id, null, now)
      await auditWithoutSession(
        db,
        { userId: known.id, ip: request.ip, now },
        { action: 'provider-gave-no-role', subject: known.username, after: { provider: provider.id } },
      )
      return noRole(provider)
    }
    const by = { provider, role, request, now }
    const account = known
      ? await (known.isLinked ? known : renewRole(db, known, by))
      : await createAccount(db, user, unknownHash ?? (await hashPassword(newToken())), by)
    await recordIdentityUse(db, account.id, provider.id, now)
    if (!(await recordSignIn(db, account.id, account.passwordHash, now))) return new Refusal('account-disabled', 403)
    const { id: userId, username } = account
    const origin = await providerOrigin(db, { secretKey }, userId, { provider, user })
    if (origin.factor || !(await hasFactor(db, userId)))
      return { username, token: await openSession(db, userId, request, now, origin) }
    const { passwordHash } = account
    return { username, pending: await awaitFactor(db, { userId, passwordHash, ...origin }, now) }
  })
  // Other processes are notified of sessions that ended.
  if (before) sessions.clearCache(before.id)
  // Thrown after the transaction, which keeps what it ended.
  if (result instanceof Refusal) throw result
  return result
}

/**
 * The origin of a session of a user who has signed in at a provider. Its second factor counts, unless only a passkey opens
 * the account, or the account is linked and has a factor of its own, which the link must not replace.
 */
export async function providerOrigin(
  db: Database,
  { secretKey }: Pick<Config, 'secretKey'>,
  userId: number,
  { provider, user }: { provider: Provider; user: ProviderUser },
) {
  const idToken = encryptIdToken(secretKey, user.idToken, userId)
  const counts =
    hasSecondFactor(user.claims, provider.mfaAcr) &&
    !(await needsOwnPasskey(db, userId)) &&
    !(await needsOwnFactor(db, userId))
  return { provider: provider.id, idToken, ...(counts && { factor: 'provider' as const }) }
}

export const noRole = ({ label }: Provider) =>
  refuseFields(403, [{ path: null, code: 'no-role', params: { provider: label } }])

type RoleOrigin = { provider: Provider; role: { id: number; name: string } } & Pick<Attempt, 'request' | 'now'>
type KnownAccount = NonNullable<Awaited<ReturnType<typeof accountByIdentity>>>
type AccountRef = { id: number; username: string; passwordHash: string }

async function renewRole(
  db: Database,
  known: KnownAccount,
  { provider, role, request, now }: RoleOrigin,
): Promise<AccountRef> {
  if (known.roleId === role.id) return known
  const before = known.roleId === null ? undefined : await roleById(db, known.roleId)
  await setRole(db, known.id, role.id)
  // They were opened with other rights.
  await closeSessionsOf(db, known.id, null, now)
  await auditWithoutSession(
    db,
    { userId: known.id, ip: request.ip, now },
    {
      action: 'role-from-provider',
      subject: known.username,
      before: { roles: before ? [{ id: before.id, name: before.name }] : [] },
      after: { roles: [role], provider: provider.id },
    },
  )
  return known
}

async function createAccount(
  db: Database,
  { issuer, subject, claims }: ProviderUser,
  passwordHash: string,
  { provider, role, request, now }: RoleOrigin,
): Promise<AccountRef> {
  const { username: wanted, ...names } = namesOf({ ...claims, sub: subject })
  const username = await freeName(db, wanted)
  const email = claims.email_verified === false ? null : (emailAddress.safeParse(claims.email).data ?? null)
  const id = await insertUser(db, { ...names, username, email, passwordHash }, now)
  await setRole(db, id, role.id)
  await insertIdentity(db, { issuer, subject, userId: id, provider: provider.id }, now)
  await auditWithoutSession(
    db,
    { userId: id, ip: request.ip, now },
    {
      action: 'user-added-by-provider',
      subject: username,
      after: { ...names, username, email, roles: [role], provider: provider.id },
    },
  )
  return { id, username, passwordHash }
}

/** How many numbers are tried at once. */
const NUMBERS = 100

/** The name, or with a number if it is in use. */
async function freeName(db: Database, wanted: string): Promise<string> {
  for (let first = 1; ; first += NUMBERS) {
    const names = Array.from({ length: NUMBERS }, (_, at) => numberedName(wanted, first + at))
    const used = new Set(await usernamesInUse(db, names))
    const free = names.find((name) => !used.has(name.toLowerCase()))
    if (free !== undefined) return free
  }
}
