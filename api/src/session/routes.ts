import { build, login, logout, ping, resetPassword, setPassword } from '@rogatka/contract/session.ts'
import { CLEAR_CACHE } from '../core/headers.ts'
import { closeVisits } from '../core/live-visits.ts'
import { relyingParty } from '../core/relying-party.ts'
import { type Api, route } from '../core/route.ts'
import { closeSession } from '../core/session-queries.ts'
import { VERSION } from '../core/version.ts'
import type { ProviderClient } from './provider-client.ts'
import { logoutAddressOf, originOf } from './provider-logout.ts'
import { canLinkAtSignIn } from './provider-sign-in.ts'
import { requestReset, resetByToken } from './reset.ts'
import { signIn } from './sign-in.ts'

/** Registers login, logout, heartbeat, password reset and the settings of the sign-in page. */
export function sessionRoutes(api: Api, client: ProviderClient): void {
  route(api, login, ({ db, now, body, request, reply }) =>
    signIn(db, body, {
      ...{ request, reply, now },
      maxByAddress: api.config.addressLoginFailures,
      canLink: canLinkAtSignIn(api.config),
    }),
  )

  route(api, logout, async ({ db, now, session, reply }) => {
    const origin = await originOf(db, api.config, session)
    await db.transaction(async (db) => {
      await closeVisits(db, session.tokenHash, now)
      await closeSession(db, session, now)
    })
    api.sessions.clearCache(session.userId)
    reply.headers(CLEAR_CACHE)
    const address = await logoutAddressOf({ client, log: api.http.log }, api.config, origin)
    return address === null ? undefined : { providerAddress: address }
  })

  route(api, ping, () => undefined)

  route(api, resetPassword, async ({ db, now, body, language }) => {
    await db.transaction((db) => requestReset(db, body.email, language, now))
  })

  route(api, setPassword, async ({ db, now, body, request }) => {
    const userId = await resetByToken(db, body, { ip: request.ip, now, rules: api.config })
    api.sessions.clearCache(userId)
  })

  route(api, build, () => ({
    buildCode: api.config.buildCode,
    version: VERSION,
    ownerCompany: api.config.ownerCompany,
    legacyUrl: api.config.legacyUrl,
    sourceUrl: api.config.sourceUrl,
    passwordMinLength: api.config.passwordMinLength,
    passkeys: relyingParty(api.config) !== null,
    providers: api.config.providers.map(({ id, label, linkAtSignIn }) => ({ id, label, linkAtSignIn })),
    imageRetentionDays: Math.min(api.config.imageRetentionDays, api.config.retentionDays),
    retentionDays: api.config.retentionDays,
    partitions: api.config.partitions,
  }))
}
