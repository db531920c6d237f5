import * as endpoints from '@rogatka/contract/session-providers.ts'
import { audit, auditWithoutSession } from '../core/audit.ts'
import { type Api, route } from '../core/route.ts'
import { closeSessionsOf } from '../core/session-queries.ts'
import { findIdentity } from '../users/public-api.ts'
import { assertLinkable, linkAccount, unlinkAccount } from './identity-link.ts'
import type { ProviderClient } from './provider-client.ts'
import {
  askProvider,
  type ProviderContext,
  providerOrigin,
  redeemAnswer,
  requireProvider,
  SIGN_IN,
  signInFrom,
} from './provider-sign-in.ts'
import { prolongPendingSignIn } from './queries.ts'
import { completeByLink, findLinkPending } from './sign-in.ts'

/** Registers the sign-in through OpenID Connect providers, and the links of local accounts to them. */
export function providerRoutes(api: Api, client: ProviderClient): void {
  const asking: ProviderContext = { db: api.db, client, log: api.http.log, sessions: api.sessions }

  route(api, endpoints.startProviderLogin, ({ now, params }) =>
    askProvider(asking, requireProvider(api.config, params.provider), SIGN_IN, now),
  )

  route(api, endpoints.loginWithProvider, async ({ now, params, body, request }) => {
    const provider = requireProvider(api.config, params.provider)
    const user = await redeemAnswer(asking, provider, body, { ...SIGN_IN, now })
    return signInFrom(asking, provider, user, { request, now, secretKey: api.config.secretKey })
  })

  route(api, endpoints.startProviderStepUp, async ({ db, now, session: { userId, tokenHash } }) => {
    const provider = requireProvider(api.config, (await findIdentity(db, userId))?.provider)
    return { provider: provider.id, ...(await askProvider(asking, provider, { purpose: 'step-up', tokenHash }, now)) }
  })

  route(api, endpoints.startSignInLink, async ({ db, now, params, body }) => {
    const provider = requireProvider(api.config, params.provider)
    const { userId, tokenHash } = await findLinkPending(db, body.pending, now)
    await assertLinkable(db, userId)
    await prolongPendingSignIn(db, tokenHash, now)
    return askProvider(asking, provider, { purpose: 'link', tokenHash }, now)
  })

  route(api, endpoints.linkAtSignIn, async ({ db, now, params, body: { pending, ...answer }, request }) => {
    const provider = requireProvider(api.config, params.provider)
    const signIn = await findLinkPending(db, pending, now)
    const { userId, tokenHash } = signIn
    const user = await redeemAnswer(asking, provider, answer, { purpose: 'link', tokenHash, now })
    const token = await db.transaction(async (db) => {
      const entry = await linkAccount(db, signIn, provider, user, now)
      await auditWithoutSession(db, { userId, ip: request.ip, now }, entry)
      const origin = await providerOrigin(db, api.config, userId, { provider, user })
      return completeByLink(db, signIn, origin, { request, now })
    })
    return { token }
  })

  route(api, endpoints.startIdentityLink, async ({ db, now, params, session: { userId, tokenHash } }) => {
    const provider = requireProvider(api.config, params.provider)
    await assertLinkable(db, userId)
    return askProvider(asking, provider, { purpose: 'link', tokenHash }, now)
  })

  route(api, endpoints.linkIdentity, async ({ db, now, params, body, session, request }) => {
    const provider = requireProvider(api.config, params.provider)
    const question = { purpose: 'link', tokenHash: session.tokenHash } as const
    const user = await redeemAnswer(asking, provider, body, { ...question, now })
    await db.transaction(async (db) => {
      await audit(db, { session, request, now }, await linkAccount(db, session, provider, user, now))
    })
  })

  route(api, endpoints.unlinkOwnIdentity, async ({ db, now, session, request }) => {
    await db.transaction(async (db) => {
      const entry = await unlinkAccount(db, session)
      await closeSessionsOf(db, session.userId, session.tokenHash, now)
      await audit(db, { session, request, now }, entry)
    })
    api.sessions.clearCache(session.userId)
  })
}
