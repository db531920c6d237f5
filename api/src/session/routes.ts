import { build, login, logout, ping, resetPassword, setPassword } from '@rogatka/contract/session.ts'
import { closeVisits } from '../activity/queries.ts'
import { passwordMatches } from '../core/passwords.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import {
  accountByUsername,
  closeSession,
  forgetAttempt,
  forgetFailures,
  lockedFor,
  noteAttempt,
  openSession,
} from './queries.ts'
import { orderReset, resetByToken } from './reset.ts'

const VERSION = '0.1.0'

/** Opens login, logout, heartbeat, and what the page has to know before anybody signs in. */
export function sessionRoutes(api: Api): void {
  route(api, login, async ({ sql, now, body: { username, password }, request }) => {
    const attempt = await noteAttempt(sql, username, request.ip, now)
    const wait = await lockedFor(sql, username, request.ip, now)
    if (wait > 0) {
      await forgetAttempt(sql, attempt)
      throw new Refusal('too-many-login-attempts', 429, null, wait)
    }
    const account = await accountByUsername(sql, username)
    const matches = await passwordMatches(account?.passwordHash, password)
    // A disabled user hears the same as a wrong password: who exists is nobody's business.
    if (!account?.enabled || !matches) throw new Refusal('wrong-username-or-password', 401)

    const token = newToken()
    const userAgent = request.headers['user-agent']?.slice(0, 200) ?? null
    await sql.begin(async (sql) => {
      await forgetFailures(sql, username)
      await openSession(sql, { tokenHash: hashToken(token), userId: account.id, ip: request.ip, userAgent }, now)
    })
    return { token }
  })

  route(api, logout, async ({ sql, now, session }) => {
    await sql.begin(async (sql) => {
      await closeVisits(sql, session.userId, now)
      await closeSession(sql, session, now)
    })
    api.sessions.forget(session.userId)
  })

  route(api, ping, () => undefined)

  route(api, resetPassword, async ({ sql, now, body, language }) => {
    await sql.begin((sql) => orderReset(sql, body.email, language, now))
  })

  route(api, setPassword, async ({ sql, now, body, request }) => {
    await sql.begin((sql) => resetByToken(sql, body, { ip: request.ip, now, least: api.config.passwordMinLength }))
    api.sessions.forget()
  })

  route(api, build, () => ({
    buildCode: api.config.buildCode,
    version: VERSION,
    ownerCompany: api.config.ownerCompany,
    legacyUrl: api.config.legacyUrl,
    passwordMinLength: api.config.passwordMinLength,
    imageRetentionDays: Math.min(api.config.imageRetentionDays, api.config.retentionDays),
  }))
}
