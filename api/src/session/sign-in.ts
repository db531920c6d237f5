import { hash } from 'node:crypto'
import { type SessionFactor, type SignInFactor, signInFactors } from '@rogatka/contract/options.ts'
import { PENDING_MINUTES } from '@rogatka/contract/session-factors.ts'
import type { FastifyRequest } from 'fastify'
import { auditWithoutSession } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { passwordMatches } from '../core/passwords.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'
import { insertSession } from '../core/session-queries.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import {
  accountByUsername,
  findAuthenticator,
  findCredentials,
  findIdentity,
  hasFactor,
  listPasskeys,
  lockVerified,
  recordSignIn,
} from '../users/public-api.ts'
import {
  assertPasskeyNotRequired,
  assertProviderNotRequired,
  assertSignInMethodAllowed,
  needsOwnPasskey,
} from './factor-demand.ts'
import { useCode } from './factors.ts'
import { type Attempt, attempt } from './lockout.ts'
import {
  attemptsLeft,
  deleteAttempt,
  deleteFailures,
  deletePendingSignIn,
  insertPendingSignIn,
  pendingSignIn,
} from './queries.ts'

const PENDING_MS = PENDING_MINUTES * 60_000

const wrongLogin = () => new Refusal('wrong-username-or-password', 401)
const pendingEnded = () => new Refusal('sign-in-expired', 401)

const digestOf = (passwordHash: string): Buffer => hash('sha256', passwordHash, 'buffer')

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

/**
 * Signs in with a password: returns the token of a new session, or what a second factor completes.
 * @throws 401 for a wrong username or password and a disabled account, 403 if a role requires a sign-in through a provider,
 * 429 during a lockout
 */
export async function signIn(db: Pool, { username, password }: { username: string; password: string }, by: Attempt) {
  const { request, now } = by
  const checked = await attempt(db, username, by, async (id) => {
    const account = await accountByUsername(db, username)
    return { id, account, matches: await passwordMatches(account?.passwordHash, password) }
  })
  const { account } = checked
  // The same error for a disabled user as for a wrong password: existing usernames are not revealed.
  if (!account?.enabled || !checked.matches) throw wrongLogin()
  const { id: userId, passwordHash } = account
  await assertProviderNotRequired(db, userId).catch(async (error: unknown) => {
    // The password was right.
    await deleteAttempt(db, checked.id)
    throw error
  })
  return db.transaction(async (db) => {
    // A factor that is set up meanwhile waits for this lock, or is seen.
    if (!(await lockVerified(db, userId, passwordHash))) throw wrongLogin()
    if (!(await hasFactor(db, userId))) {
      await recordSignIn(db, userId, passwordHash, now)
      await deleteFailures(db, username)
      return { token: await openSession(db, userId, request, now) }
    }
    // Failures stay: who knows the password must not thereby guess more codes.
    await deleteAttempt(db, checked.id)
    return { pending: await awaitFactor(db, { userId, passwordHash }, now) }
  })
}

/** Keeps a sign-in until its second factor is shown. */
export async function awaitFactor(
  db: Database,
  { userId, passwordHash, idToken = null }: { userId: number; passwordHash: string; idToken?: Buffer | null },
  now: Date,
) {
  const id = newToken()
  const pending = { tokenHash: hashToken(id), userId, passwordDigest: digestOf(passwordHash), idToken }
  await insertPendingSignIn(db, pending, now)
  return { id, ...(await factorsOf(db, userId)), expiresAt: new Date(now.getTime() + PENDING_MS) }
}

/**
 * Completes a pending sign-in of this account with a passkey; returns the token of the new session.
 * @throws 401 if it has ended, is unknown, or that of another account
 */
export async function completeWithPasskey(
  db: Pool,
  pending: string,
  account: { userId: number; passwordHash: string },
  { request, now }: Pick<Attempt, 'request' | 'now'>,
): Promise<string> {
  const { userId, passwordHash } = account
  const tokenHash = hashToken(pending)
  const found = await pendingSignIn(db, tokenHash, pendingSince(now))
  if (found?.userId !== userId || !digestOf(passwordHash).equals(found.passwordDigest)) throw pendingEnded()
  return db.transaction(async (db) => {
    if (!(await recordSignIn(db, userId, passwordHash, now))) throw pendingEnded()
    if (!(await deletePendingSignIn(db, tokenHash))) throw pendingEnded()
    const opened = { factor: 'passkey', provider: await providerOf(db, userId), idToken: found.idToken } as const
    return openSession(db, userId, request, now, opened)
  })
}

/** The provider of an account; undefined for one with a password. */
const providerOf = async (db: Database, userId: number) => (await findIdentity(db, userId))?.provider

/**
 * Completes a sign-in with a second factor; returns the token of the new session.
 * @throws 401 if the pending sign-in has ended or is unknown, 403 if a role requires another way, 422 for a wrong or used code,
 * 429 during a lockout
 */
export async function completeSignIn(
  db: Pool,
  { pending, code }: { pending: string; code: string },
  by: CodeAttempt,
): Promise<string> {
  const { request, now } = by
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
      const opened = { factor, provider: await providerOf(db, userId), idToken: found.idToken }
      return openSession(db, userId, request, now, opened)
    },
  })
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
        const result = await useCode(db, secretKey, userId, code, now)
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
