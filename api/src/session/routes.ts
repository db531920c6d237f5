import { build, login, logout, ping, resetPassword, setPassword } from '@rogatka/contract/session.ts'
import { closeVisits } from '../activity/queries.ts'
import { CLEAR_CACHE } from '../core/headers.ts'
import { passwordMatches } from '../core/passwords.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import { VERSION } from '../core/version.ts'
import { accountByUsername, closeSession, countAttempt, forgetFailures, openSession } from './queries.ts'
import { orderReset, resetByToken } from './reset.ts'

/** Opens login, logout, heartbeat, and what the page has to know before anybody signs in. */
export function sessionRoutes(api: Api): void {
  route(api, login, async ({ sql, now, body: { username, password }, request }) => {
    await countAttempt(sql, username, request.ip, now)
    const account = await accountByUsername(sql, username)
    const matches = await passwordMatches(account?.passwordHash, password)
    // A disabled user hears the same as a wrong password: who exists is nobody's business.
    if (!account?.enabled || !matches) throw wrongLogin()

    const token = newToken()
    const userAgent = request.headers['user-agent']?.slice(0, 200) ?? null
    const { id: userId, passwordHash } = account
    await sql.begin(async (sql) => {
      const session = { tokenHash: hashToken(token), userId, passwordHash, ip: request.ip, userAgent }
      if (!(await openSession(sql, session, now))) throw wrongLogin()
      await forgetFailures(sql, username)
    })
    return { token }
  })

  route(api, logout, async ({ sql, now, session, reply }) => {
    await sql.begin(async (sql) => {
      await closeVisits(sql, session.userId, now)
      await closeSession(sql, session, now)
    })
    api.sessions.forget(session.userId)
    reply.headers(CLEAR_CACHE)
  })

  route(api, ping, () => undefined)

  route(api, resetPassword, async ({ sql, now, body, language }) => {
    await sql.begin((sql) => orderReset(sql, body.email, language, now))
  })

  route(api, setPassword, async ({ sql, now, body, request }) => {
    await resetByToken(sql, body, { ip: request.ip, now, least: api.config.passwordMinLength })
    api.sessions.forget()
  })

  route(api, build, () => ({
    buildCode: api.config.buildCode,
    version: VERSION,
    ownerCompany: api.config.ownerCompany,
    legacyUrl: api.config.legacyUrl,
    sourceUrl: api.config.sourceUrl,
    passwordMinLength: api.config.passwordMinLength,
    imageRetentionDays: Math.min(api.config.imageRetentionDays, api.config.retentionDays),
  }))
}

const wrongLogin = () => new Refusal('wrong-username-or-password', 401)
