import { hash } from 'node:crypto'
import { type SessionFactor, type SignInFactor, signInFactors } from '@rogatka/contract/options.ts'
import { PENDING_MINUTES } from '@rogatka/contract/session-outcome.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { FastifyRequest } from 'fastify'
import { auditWithoutSession } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { passwordMatches } from '../core/passwords.ts'
import {
  deletePendingSignIn,
  insertPendingSignIn,
  type PendingSignIn,
  pendingSignIn,
} from '../core/pending-sign-ins.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'
import { findRoleDemand, insertSession } from '../core/session-queries.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import {
  accountByUsername,
  findAuthenticator,
  findCredentials,
  findIdentity,
  hasFactor,
  hasPasskey,
  listPasskeys,
  lockVerified,
  recordSignIn,
} from '../users/public-api.ts'
import { assertPasskeyNotRequired, assertSignInMethodAllowed, needsLink, needsOwnPasskey } from './factor-demand.ts'
import { acceptCode } from './factors.ts'
import { type Attempt, attempt } from './lockout.ts'
import { attemptsLeft, deleteAttempt, deleteFailures } from './queries.ts'

const PENDING_MS = PENDING_MINUTES * MINUTE_MS

const wrongLogin = () => new Refusal('wrong-username-or-password', 401)
export const pendingEnded = () => new Refusal('sign-in-expired', 401)

/** Of a password hash: tells whether the password is still the one that was verified. */
export const digestOf = (passwordHash: string): Buffer => hash('sha256', passwordHash, 'buffer')

/** Pending sign-ins from before this time have expired. */
export const pendingSince = (now: Date): Date => new Date(now.getTime() - PENDING_MS)

/** How a session is opened; absent: no second factor, no provider. */
type SessionOrigin = {
  factor?: SessionFactor | undefined
  provider?: string | undefined
  /** The ID token of the provider, encrypted. */
  idToken?: Buffer | null | undefined
}

/**
 * Opens a session; returns its token.
 * @throws 403 for a way that a role of the user does not allow
 */
export async function openSession(
  db: Database,
  userId: number,
  request: FastifyRequest,
  now: Date,
  { factor, provider, idToken }: SessionOrigin = {},
): Promise<string> {
  await assertSignInMethodAllowed(db, userId, { factor, provider })
  const token = newToken()
  const userAgent = request.headers['user-agent']?.slice(0, 200) ?? null
  const opened = { tokenHash: hashToken(token), userId, ip: request.ip, userAgent, factor, provider, idToken }
  await insertSession(db, opened, now)
  return token
}

/** The second factors that open an account. */
async function factorsOf(db: Database, userId: number) {
  const [authenticator, passkeys] = [await findAuthenticator(db, userId), await listPasskeys(db, userId)]
  const passkeyRequired = await needsOwnPasskey(db, userId)
  const has: Record<SignInFactor, boolean> = {
    authenticator: authenticator !== undefined && !passkeyRequired,
    passkey: passkeys.length > 0,
  }
  return { factors: signInFactors.filter((factor) => has[factor]), passkeyRequired }
}

/** `canLink`: whether a provider lets local accounts be linked at a sign-in. */
type SignInAttempt = Attempt & { canLink: boolean }

/**
 * Signs in with a password: returns the token of a new session, or what a second factor or a link to a provider completes.
 * @throws 401 for a wrong username or password and a disabled account, 403 if a role requires a sign-in through the provider
 * of the account, 429 during a lockout
 */
export async function signIn(
  db: Pool,
  { username, password }: { username: string; password: string },
  by: SignInAttempt,
) {
  const { request, now, canLink } = by
  const checked = await attempt(db, username, by, async (id) => {
    const account = await accountByUsername(db, username)
    return { id, account, matches: await passwordMatches(account?.passwordHash, password) }
  })
  const { account } = checked
  // The same error for a disabled user as for a wrong password: existing usernames are not revealed.
  if (!account?.enabled || !checked.matches) throw wrongLogin()
  const { id: userId, passwordHash } = account
  const mustLink = await needsLink(db, userId, canLink).catch(async (error: unknown) => {
    // The password was right.
    await deleteAttempt(db, checked.id)
    throw error
  })
  return db.transaction(async (db) => {
    // A factor that is set up meanwhile waits for this lock, or is seen.
    if (!(await lockVerified(db, userId, passwordHash))) throw wrongLogin()
    if (!(await hasFactor(db, userId)) && !mustLink) {
      await recordSignIn(db, userId, passwordHash, now)
      await deleteFailures(db, username)
      return { token: await openSession(db, userId, request, now) }
    }
    // Failures stay: who knows the password must not thereby guess more codes.
    await deleteAttempt(db, checked.id)
    if (!(await hasFactor(db, userId)))
      return { pending: await awaitLink(db, { userId, passwordHash, factor: null }, now) }
    return { pending: await awaitFactor(db, { userId, passwordHash }, now) }
  })
}

/**
 * Opens a session for a user whom the portal has verified, or keeps the sign-in until its account is linked to the provider
 * that a role requires.
 * @throws 403 for a way that a role of the user does not allow
 */
export async function openOrAwaitLink(
  db: Database,
  { userId, passwordHash }: { userId: number; passwordHash: string },
  origin: SessionOrigin & { factor: SessionFactor },
  { request, now, canLink }: Pick<SignInAttempt, 'request' | 'now' | 'canLink'>,
) {
  const { factor, provider } = origin
  if (provider === undefined && (await needsLink(db, userId, canLink)))
    return { pending: await awaitLink(db, { userId, passwordHash, factor }, now) }
  return { token: await openSession(db, userId, request, now, origin) }
}

/** Keeps a sign-in until its account is linked; `factor`: the second one, that was shown. */
async function awaitLink(
  db: Database,
  { userId, passwordHash, factor }: { userId: number; passwordHash: string; factor: SessionFactor | null },
  now: Date,
) {
  const state = { userId, passwordDigest: digestOf(passwordHash), provider: null, idToken: null, factor }
  const kept = await keepPending(db, state, now)
  return { ...kept, factors: [], passkeyRequired: false, linkRequired: true }
}

async function keepPending(db: Database, state: PendingSignIn, now: Date) {
  const id = newToken()
  await insertPendingSignIn(db, { ...state, tokenHash: hashToken(id) }, now)
  return { id, expiresAt: new Date(now.getTime() + PENDING_MS) }
}

/** Keeps a sign-in until its second factor is shown. */
export async function awaitFactor(
  db: Database,
  {
    userId,
    passwordHash,
    provider = null,
    idToken = null,
  }: { userId: number; passwordHash: string; provider?: string | null; idToken?: Buffer | null },
  now: Date,
) {
  const state = { userId, passwordDigest: digestOf(passwordHash), provider, idToken, factor: null }
  return { ...(await keepPending(db, state, now)), ...(await factorsOf(db, userId)), linkRequired: false }
}

/**
 * Completes a pending sign-in of this account with a passkey; returns the token of the new session, or what a link completes.
 * @throws 401 if it has ended, is unknown, or that of another account
 */
export async function completeWithPasskey(
  db: Pool,
  pending: string,
  account: { userId: number; passwordHash: string },
  by: Pick<SignInAttempt, 'request' | 'now' | 'canLink'>,
) {
  const { now } = by
  const { userId, passwordHash } = account
  const tokenHash = hashToken(pending)
  const found = await pendingSignIn(db, tokenHash, pendingSince(now))
  if (found?.userId !== userId || !digestOf(passwordHash).equals(found.passwordDigest)) throw pendingEnded()
  return db.transaction(async (db) => {
    if (!(await recordSignIn(db, userId, passwordHash, now))) throw pendingEnded()
    if (!(await deletePendingSignIn(db, tokenHash))) throw pendingEnded()
    const opened = { factor: 'passkey', provider: await providerOf(db, found), idToken: found.idToken } as const
    return openOrAwaitLink(db, account, opened, by)
  })
}

/** The provider through which a sign-in began; undefined for one by password. */
async function providerOf(db: Database, { userId, provider }: PendingSignIn): Promise<string | undefined> {
  if (provider !== null) return provider
  // The previous version does not write it, and signs in to these only through their provider.
  const identity = await findIdentity(db, userId)
  return identity?.linkedAt === null ? identity.provider : undefined
}

/**
 * Completes a sign-in with a second factor; returns the token of the new session, or what a link completes.
 * @throws 401 if the pending sign-in has ended or is unknown, 403 if a role requires another way, 422 for a wrong or used code,
 * 429 during a lockout
 */
export async function completeSignIn(
  db: Pool,
  { pending, code }: { pending: string; code: string },
  by: CodeAttempt & SignInAttempt,
) {
  const { now } = by
  const tokenHash = hashToken(pending)
  const found = await pendingSignIn(db, tokenHash, pendingSince(now))
  const account = found && (await findCredentials(db, found.userId))
  if (!account || !digestOf(account.passwordHash).equals(found.passwordDigest)) throw pendingEnded()
  const { username, passwordHash } = account
  const { userId } = found
  await assertPasskeyNotRequired(db, userId, 403)
  return attemptCode(db, { userId, username, code }, by, {
    before: async (db) => {
      if (!(await recordSignIn(db, userId, passwordHash, now))) throw pendingEnded()
    },
    accepted: async (db, factor) => {
      // Of two requests with the same sign-in, each with a valid code, one succeeds.
      if (!(await deletePendingSignIn(db, tokenHash))) throw pendingEnded()
      const opened = { factor, provider: await providerOf(db, found), idToken: found.idToken }
      return openOrAwaitLink(db, { userId, passwordHash }, opened, by)
    },
  })
}

/**
 * A sign-in that only a link completes: its account, and the second factor that was shown, which is that of the account if it
 * has one.
 * @throws 401 if it has ended, is unknown, its second factor was not shown or is gone, or no role requires a link any more
 */
export async function findLinkPending(db: Database, pending: string, now: Date) {
  const tokenHash = hashToken(pending)
  const found = await pendingSignIn(db, tokenHash, pendingSince(now))
  const account = found && (await findCredentials(db, found.userId))
  if (!account || !digestOf(account.passwordHash).equals(found.passwordDigest)) throw pendingEnded()
  const { userId, factor } = found
  await assertLinkAwaited(db, { userId, factor })
  return { userId, factor, tokenHash, ...account }
}

/** @throws 401 if the second factor that was shown is not that of the account, or no role requires a link */
async function assertLinkAwaited(db: Database, { userId, factor }: { userId: number; factor: SessionFactor | null }) {
  const isShown = factor === null ? !(await hasFactor(db, userId)) : await hasFactorOfKind(db, userId, factor)
  if (!isShown || !(await findRoleDemand(db, userId)).provider) throw pendingEnded()
}

/** Whether an account still has a factor of this kind; a recovery code stands for any. */
async function hasFactorOfKind(db: Database, userId: number, factor: SessionFactor): Promise<boolean> {
  if (factor === 'authenticator') return (await findAuthenticator(db, userId)) !== undefined
  return factor === 'passkey' ? hasPasskey(db, userId) : hasFactor(db, userId)
}

/**
 * Ends a pending sign-in whose account is linked in this transaction, which has locked the account; returns the token of the
 * new session.
 * @throws 401 if it has ended meanwhile, 403 for a way that a role of the user does not allow
 */
export async function completeByLink(
  db: Database,
  { userId, username, passwordHash, tokenHash, factor }: Awaited<ReturnType<typeof findLinkPending>>,
  origin: SessionOrigin,
  { request, now }: Pick<Attempt, 'request' | 'now'>,
): Promise<string> {
  if (!(await recordSignIn(db, userId, passwordHash, now))) throw pendingEnded()
  // A factor that is set up or removed meanwhile waits for the lock, or is seen.
  await assertLinkAwaited(db, { userId, factor })
  if (!(await deletePendingSignIn(db, tokenHash))) throw pendingEnded()
  await deleteFailures(db, username)
  return openSession(db, userId, request, now, { ...origin, factor: factor ?? origin.factor })
}

export type CodeAttempt = Attempt & { secretKey: Buffer | null }

/**
 * Checks a code of the app or a recovery code, and in the same transaction does what it is for. Failures count towards
 * the lockout of the account.
 * @throws 422 for a wrong or used code, 429 during a lockout, 503 if the portal lacks the right key
 */
export async function attemptCode<T>(
  db: Pool,
  { userId, username, code }: { userId: number; username: string; code: string },
  by: CodeAttempt,
  {
    before,
    accepted,
  }: {
    before?: (db: Database) => Promise<void>
    accepted: (db: Database, factor: SessionFactor) => Promise<T>
  },
): Promise<T> {
  const { request, now, secretKey } = by
  return attempt(db, username, by, async (id) => {
    const result = await db
      .transaction(async (db) => {
        await before?.(db)
        const result = await acceptCode(db, secretKey, userId, code, now)
        // The transaction has changed nothing: a wrong code leaves the sign-in pending.
        if (typeof result === 'string') throw new CodeRefused(result)
        await deleteFailures(db, username)
        if (result.factor === 'recovery-code')
          await auditWithoutSession(
            db,
            { userId, ip: request.ip, now },
            { action: 'recovery-code-used', subject: username, after: { codesLeft: result.codesLeft } },
          )
        return accepted(db, result.factor)
      })
      .catch((error: unknown) => {
        if (error instanceof CodeRefused) return error
        throw error
      })
    if (!(result instanceof CodeRefused)) return result
    // The user is not at fault.
    if (result.reason === 'unreadable') await deleteAttempt(db, id)
    throw await refusedCode(db, username, result.reason, by)
  })
}

class CodeRefused extends Error {
  readonly reason: 'used' | 'wrong' | 'unreadable'
  constructor(reason: CodeRefused['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** The refusal of a code, audited; says how many attempts are left. */
async function refusedCode(
  db: Pool,
  username: string,
  reason: CodeRefused['reason'],
  { request, now }: Attempt,
): Promise<Refusal> {
  if (reason === 'unreadable') return new Refusal('factor-unreadable', 503, 'code')
  const userId = (await accountByUsername(db, username))?.id ?? null
  await auditWithoutSession(db, { userId, ip: request.ip, now }, { action: 'factor-refused', subject: username })
  const left = await attemptsLeft(db, username, now)
  return refuseFields(422, [
    { path: 'code', code: reason === 'used' ? 'factor-code-used' : 'factor-code-wrong', params: { left } },
  ])
}
