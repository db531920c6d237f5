import type { Language } from '@rogatka/contract/languages.ts'
import { RESET_TOKEN_MINUTES } from '@rogatka/contract/session.ts'
import { noteDeed } from '../core/audit.ts'
import type { Sql } from '../core/database.ts'
import { type Compose, putInOutbox } from '../core/outbox.ts'
import { checkNewPassword, hashPassword } from '../core/passwords.ts'
import { Refusal } from '../core/refusal.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import { setPassword, userById } from '../users/queries.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import {
  accountByEmail,
  closeSessionsOf,
  forgetFailures,
  insertResetToken,
  recentResets,
  takeResetToken,
} from './queries.ts'
import ro from './ro.json' with { type: 'json' }

const wording = { pl, en, lt, de, ro }
export const RESET_MAIL = 'password-reset'

/** So many mails to one address within the life of a token; more would only be a nuisance to its owner. */
const MAILS_AT_ONCE = 3

/** Orders a reset mail when the address is somebody's; does the same work and says nothing when it is not. */
export async function orderReset(sql: Sql, email: string, language: Language, now: Date): Promise<void> {
  const account = await accountByEmail(sql, email)
  const recent = await recentResets(sql, email, new Date(now.getTime() - RESET_TOKEN_MINUTES * 60_000))
  if (!account || recent >= MAILS_AT_ONCE) return
  const details = { userId: account.id }
  await putInOutbox(sql, { kind: RESET_MAIL, recipient: account.email, language, details }, now)
}

/** Writes the mail, and makes its token only now: it stands nowhere else in clear. */
export const composeReset =
  (pageUrl: string): Compose =>
  async (sql, { recipient, language, details }, now) => {
    const account = await userById(sql, Number(details.userId))
    if (!account?.enabled) return null
    const token = newToken()
    await insertResetToken(sql, hashToken(token), account.id, now)
    const { subject, lines } = wording[language]
    const values = { username: account.username, token, minutes: String(RESET_TOKEN_MINUTES) }
    const link = `${pageUrl}/reset-password/reset/${encodeURIComponent(recipient)}`
    const text = [...lines, link].join('\n\n').replace(/\{\{(\w+)\}\}/g, (_, key) => values[key as keyof typeof values])
    return { to: recipient, subject, text }
  }

/**
 * Sets a password by the token of a mail; it works once, for its user and address, within its time.
 * @throws the same refusal for every other token
 */
export async function resetByToken(
  sql: Sql,
  { email, password, token }: { email: string; password: string; token: string },
  { ip, now, least }: { ip: string; now: Date; least: number },
): Promise<void> {
  const since = new Date(now.getTime() - RESET_TOKEN_MINUTES * 60_000)
  const user = await takeResetToken(sql, hashToken(token), email, since)
  if (!user) throw new Refusal('reset-token-invalid', 422, 'token')
  checkNewPassword(password, user.roleId, least)
  await setPassword(sql, user.id, await hashPassword(password), now)
  await forgetFailures(sql, user.username)
  await closeSessionsOf(sql, user.id, null, now)
  await noteDeed(sql, { userId: user.id, ip, now }, { action: 'password-reset', subject: user.username })
}
