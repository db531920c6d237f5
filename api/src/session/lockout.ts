import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, audit } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { disconnectError, disconnectSignal } from '../core/disconnect.ts'
import { passwordMatches } from '../core/passwords.ts'
import { clientKey } from '../core/rate-limit.ts'
import { Refusal } from '../core/refusal.ts'
import { createUserSemaphore } from '../core/semaphore.ts'
import { requireStepUp } from '../core/step-up.ts'
import { findCredentials } from '../users/public-api.ts'
import { deleteAttempt, deleteFailures, lockoutSeconds, recordAttempt } from './queries.ts'

/**
 * Limits the concurrent password checks of a process, by address. A running check counts as a failure: with only a few at a
 * time, a control room that signs in at once behind one address is not locked out.
 */
const checks = createUserSemaphore({ total: 2, perUser: 2, waitMs: 30_000, queue: 2_000, queuePerUser: 1_000 })
const RETRY_SECONDS = 5

/** `maxByAddress`: failures of an address that lock it out. */
export type Attempt = { request: FastifyRequest; reply: FastifyReply; now: Date; maxByAddress: number }

/**
 * Runs the check of a password or a code under the semaphore and the lockout. The attempt counts as failed until
 * `deleteFailures`, or `deleteAttempt` with its id.
 * @throws 429 if the username or the address has too many failures, 503 if too many others wait
 */
export async function attempt<T>(
  db: Database,
  username: string,
  { request, reply, now, maxByAddress }: Attempt,
  check: (id: number) => Promise<T>,
): Promise<T> {
  const address = clientKey(request.ip)
  const release = await checks.acquire(address, disconnectSignal(reply))
  if (release === null) throw disconnectError()
  if (release === 'busy') throw new Refusal('unavailable', 503, null, RETRY_SECONDS)
  try {
    const id = await recordAttempt(db, username, address, now)
    const seconds = await lockoutSeconds(db, { username, address, maxByAddress }, now)
    if (seconds > 0) {
      await deleteAttempt(db, id)
      throw new Refusal('too-many-login-attempts', 429, null, seconds)
    }
    return await check(id)
  } finally {
    release()
  }
}

/**
 * Verifies the current password of a signed-in user; a wrong one counts as a failed login and is audited. A user of an
 * account of a provider, which has none, must have been verified recently instead. Returns the stored hash, for `lockVerified`:
 * verification is too slow to hold a lock.
 * @throws 422 or 400 for the field, 429 during a lockout, 503 if too many others wait, 403 `step-up-required`
 */
export async function verifyCurrentPassword(
  db: Pool,
  actor: Actor & Attempt,
  password: string | undefined,
): Promise<string> {
  const account = await findCredentials(db, actor.session.userId)
  if (account?.isOfProvider) {
    await requireStepUp(db, actor.session, actor.now)
    return account.passwordHash
  }
  if (password === undefined) throw new Refusal('user-password-required', 400, 'password')
  const username = account?.username ?? actor.session.username
  const matches = await attempt(db, username, actor, () => passwordMatches(account?.passwordHash, password))
  if (!account || !matches) {
    await audit(db, actor, { action: 'current-password-refused', subject: username })
    throw wrongCurrentPassword()
  }
  await deleteFailures(db, username)
  return account.passwordHash
}

/** Also if the password was changed between verification and change. */
export const wrongCurrentPassword = () => new Refusal('wrong-current-password', 422, 'password')
