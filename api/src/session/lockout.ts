import { type Actor, audit } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { passwordMatches } from '../core/passwords.ts'
import { clientKey } from '../core/rate-limit.ts'
import { Refusal } from '../core/refusal.ts'
import { findCredentials } from '../users/public-api.ts'
import { deleteAttempt, deleteFailures, lockoutSeconds, recordAttempt } from './queries.ts'

/**
 * Counts an attempt as failed before its password is checked.
 * @throws 429 if the username or the address has too many failures
 */
export async function countAttempt(db: Database, username: string, ip: string, now: Date): Promise<void> {
  const attempt = await recordAttempt(db, username, clientKey(ip), now)
  const seconds = await lockoutSeconds(db, username, clientKey(ip), now)
  if (seconds === 0) return
  await deleteAttempt(db, attempt)
  throw new Refusal('too-many-login-attempts', 429, null, seconds)
}

/**
 * Verifies the current password of a signed-in user; a wrong one counts as a failed login and is audited. Returns the
 * hash that matched, for `lockVerified`: verification is too slow to hold a lock.
 * @throws 422 for the field, 429 during a lockout
 */
export async function verifyCurrentPassword(db: Pool, actor: Actor, password: string): Promise<string> {
  const { session, request, now } = actor
  const account = await findCredentials(db, session.userId)
  const username = account?.username ?? session.username
  await countAttempt(db, username, request.ip, now)
  if (!account || !(await passwordMatches(account.passwordHash, password))) {
    await audit(db, actor, { action: 'current-password-refused', subject: username })
    throw wrongCurrentPassword()
  }
  await deleteFailures(db, username)
  return account.passwordHash
}

/** Also if the password was changed between verification and change. */
export const wrongCurrentPassword = () => new Refusal('wrong-current-password', 422, 'password')
