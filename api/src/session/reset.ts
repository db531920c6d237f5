import type { Language } from '@rogatka/contract/languages.ts'
import { RESET_TOKEN_MINUTES } from '@rogatka/contract/session.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { auditWithoutSession } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { type Compose, enqueueMessage } from '../core/outbox.ts'
import { checkNewPassword, hashPassword, type PasswordRules } from '../core/passwords.ts'
import { Refusal } from '../core/refusal.ts'
import { closeSessionsOf } from '../core/session-queries.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import { createTexts } from '../core/texts.ts'
import {
  accountByResetToken,
  accountsByEmail,
  consumeResetToken,
  insertResetToken,
  lockResetMails,
  setPassword,
} from '../users/public-api.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import { deleteFailures } from './queries.ts'
import ro from './ro.json' with { type: 'json' }

const texts = createTexts('session', { pl, en, lt, de, ro })
export const RESET_MAIL = 'password-reset'

/** Maximum mails per account within the lifetime of a token. */
const MAX_MAILS = 3

/** Tokens and mails from before this time are expired. */
const validSince = (now: Date) => new Date(now.getTime() - RESET_TOKEN_MINUTES * MINUTE_MS)

/**
 * Enqueues a reset mail for each account of the address, in a transaction; the response does not reveal whether there are any.
 */
export async function requestReset(db: Database, email: string, language: Language, now: Date): Promise<void> {
  // Concurrent requests would not count each other's mails.
  await lockResetMails(db, email)
  for (const { id, email: recipient, recentResets } of await accountsByEmail(db, email, validSince(now)))
    if (recentResets < MAX_MAILS)
      await enqueueMessage(db, { kind: RESET_MAIL, recipient, language, details: { userId: id } }, now)
}

/** Composes the mail and creates its token only now, so that it is stored nowhere in clear text. */
export const composeReset =
  (pageUrl: string): Compose =>
  async (db, { recipient, language, details }, now) => {
    const token = newToken()
    const owner = { userId: Number(details.userId), email: recipient }
    const username = await insertResetToken(db, { tokenHash: hashToken(token), ...owner }, now)
    if (username === undefined) return null
    const { subject, lines } = texts(language)
    const values = { username, token, minutes: RESET_TOKEN_MINUTES }
    const link = `${pageUrl}/reset-password/reset/${encodeURIComponent(recipient)}`
    const text = [...lines.map((_, at) => texts.format(language, `lines.${at}`, values)), link].join('\n\n')
    return { to: recipient, subject, text }
  }

/**
 * Sets a password with the token of a mail; it works once, for its user and address, until it expires. Returns the id of the user.
 * @throws 422 `reset-token-invalid` for any other token
 */
export async function resetByToken(
  db: Pool,
  { email, password, token }: { email: string; password: string; token: string },
  { ip, now, rules }: { ip: string; now: Date; rules: PasswordRules },
): Promise<number> {
  const tokenHash = hashToken(token)
  const user = await accountByResetToken(db, tokenHash, email, validSince(now))
  if (!user) throw invalidToken()
  await checkNewPassword(rules, password, { ...user, names: [user.username, user.firstName, user.lastName, email] })
  // Hashing is too slow to hold locks; the token is checked again below.
  const passwordHash = await hashPassword(password)
  await db.transaction(async (db) => {
    if (!(await consumeResetToken(db, tokenHash, user.id))) throw invalidToken()
    await setPassword(db, user.id, passwordHash, now)
    await deleteFailures(db, user.username)
    await closeSessionsOf(db, user.id, null, now)
    await auditWithoutSession(db, { userId: user.id, ip, now }, { action: 'password-reset', subject: user.username })
  })
  return user.id
}

const invalidToken = () => new Refusal('reset-token-invalid', 422, 'token')
