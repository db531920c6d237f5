import { build, login, logout, ping, resetPassword, setPassword } from '@rogatka/contract/session.ts'
import { CLEAR_CACHE } from '../core/headers.ts'
import { closeVisits } from '../core/live-visits.ts'
import { passwordMatches } from '../core/passwords.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { closeSession, insertSession } from '../core/session-queries.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import { VERSION } from '../core/version.ts'
import { accountByUsername, recordSignIn } from '../users/public-api.ts'
import { attempt } from './lockout.ts'
import { deleteFailures } from './queries.ts'
import { requestReset, resetByToken } from './reset.ts'

/** Registers login, logout, heartbeat, password reset and the settings of the sign-in page. */
export function sessionRoutes(api: Api): void {
  route(api, login, async ({ db, now, body: { username, password }, request, reply }) => {
    const maxByAddress = api.config.addressLoginFailures
    const { account, matches } = await attempt(db, username, { request, reply, now, maxByAddress }, async () => {
      const account = await accountByUsername(db, username)
      return { account, matches: await passwordMatches(account?.passwordHash, password) }
    })
    // The same error for a disabled user as for a wrong password: existing usernames are not revealed.
    if (!account?.enabled || !matches) throw wrongLogin()

    const token = newToken()
    const userAgent = request.headers['user-agent']?.slice(0, 200) ?? null
    const { id: userId, passwordHash } = account
    await db.transaction(async (db) => {
      if (!(await recordSignIn(db, userId, passwordHash, now))) throw wrongLogin()
      await insertSession(db, { tokenHash: hashToken(token), userId, ip: request.ip, userAgent }, now)
      await deleteFailures(db, username)
    })
    return { token }
  })

  route(api, logout, async ({ db, now, session, reply }) => {
    await db.transaction(async (db) => {
      await closeVisits(db, session.tokenHash, now)
      await closeSession(db, session, now)
    })
    api.sessions.clearCache(session.userId)
    reply.headers(CLEAR_CACHE)
  })

  route(api, ping, () => undefined)

  route(api, resetPassword, async ({ db, now, body, language }) => {
    await db.transaction((db) => requestReset(db, body.email, language, now))
  })

  route(api, setPassword, async ({ db, now, body, request }) => {
    await resetByToken(db, body, { ip: request.ip, now, minLength: api.config.passwordMinLength })
    api.sessions.clearCache()
  })

  route(api, build, () => ({
    buildCode: api.config.buildCode,
    version: VERSION,
    ownerCompany: api.config.ownerCompany,
    legacyUrl: api.config.legacyUrl,
    sourceUrl: api.config.sourceUrl,
    passwordMinLength: api.config.passwordMinLength,
    imageRetentionDays: Math.min(api.config.imageRetentionDays, api.config.retentionDays),
    retentionDays: api.config.retentionDays,
  }))
}

const wrongLogin = () => new Refusal('wrong-username-or-password', 401)
