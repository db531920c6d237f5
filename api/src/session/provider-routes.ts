import * as endpoints from '@rogatka/contract/session-providers.ts'
import { audit, auditWithoutSession } from '../core/audit.ts'
import { prolongPendingSignIn } from '../core/pending-sign-ins.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { closeSessionsOf } from '../core/session-queries.ts'
import { requireStepUp } from '../core/step-up.ts'
import { lockAccounts } from '../roles/public-api.ts'
import { findIdentity, hasFactor, lockVerified } from '../users/public-api.ts'
import { assertLinkable, linkAccount, lockOwnAccount, unlinkAccount } from './identity-link.ts'
import { verifyCurrentPassword } from './lockout.ts'
import type { ProviderClient } from './provider-client.ts'
import {
  askProvider,
  type ProviderContext,
  providerOrigin,
  redeemAnswer,
  requireProvider,
  SIGN_IN,
  signInThroughProvider,
} from './provider-sign-in.ts'
import { completeByLink, digestOf, findLinkPending, pendingEnded } from './sign-in.ts'

/** Registers the sign-in through OpenID Connect providers, and the links of local accounts to them. */
export function providerRoutes(api: Api, client: ProviderClient): void {
  const context: ProviderContext = { db: api.db, client, log: api.http.log, sessions: api.sessions }
  const maxByAddress = api.config.addressLoginFailures

  route(api, endpoints.startProviderLogin, ({ now, params }) =>
    askProvider(context, requireProvider(api.config, params.provider), SIGN_IN, now),
  )

  route(api, endpoints.loginWithProvider, async ({ now, params, body, request }) => {
    const provider = requireProvider(api.config, params.provider)
    const user = await redeemAnswer(context, provider, body, { ...SIGN_IN, now })
    return signInThroughProvider(context, provider, user, { request, now, secretKey: api.config.secretKey })
  })

  route(api, endpoints.startProviderStepUp, async ({ db, now, session: { userId, tokenHash } }) => {
    const provider = requireProvider(api.config, (await findIdentity(db, userId))?.provider)
    return { provider: provider.id, ...(await askProvider(context, provider, { purpose: 'step-up', tokenHash }, now)) }
  })

  /** Where the administrator has not allowed it, the provider would trust the password alone. */
  const requireSignInLink = (id: string) => {
    const provider = requireProvider(api.config, id)
    if (!provider.linkAtSignIn) throw new Refusal('provider-sign-in-required', 403)
    return provider
  }

  route(api, endpoints.startSignInLink, async ({ db, now, params, body }) => {
    const provider = requireSignInLink(params.provider)
    const { userId, tokenHash } = await findLinkPending(db, body.pending, now)
    await assertLinkable(db, userId)
    await prolongPendingSignIn(db, tokenHash, now)
    return askProvider(context, provider, { purpose: 'link', tokenHash }, now)
  })

  route(api, endpoints.linkAtSignIn, async ({ db, now, params, body: { pending, ...answer }, request }) => {
    const provider = requireSignInLink(params.provider)
    const signIn = await findLinkPending(db, pending, now)
    const { userId, tokenHash } = signIn
    const user = await redeemAnswer(context, provider, answer, { purpose: 'link', tokenHash, now })
    const result = await db.transaction(async (db) => {
      // A first sign-in with the same identity waits, and so does another link of the account.
      await lockAccounts(db)
      if (!(await lockVerified(db, userId, signIn.passwordHash))) throw pendingEnded()
      const { entry, refusal } = await linkAccount(db, signIn, { provider, user, way: 'sign-in' }, now)
      await auditWithoutSession(db, { userId, ip: request.ip, now }, entry)
      if (refusal) return refusal
      const origin = await providerOrigin(db, api.config, userId, { provider, user })
      return { token: await completeByLink(db, signIn, origin, { request, now }) }
    })
    if (result instanceof Refusal) throw result
    return result
  })

  route(api, endpoints.startIdentityLink, async ({ db, now, params, session, body, request, reply }) => {
    const provider = requireProvider(api.config, params.provider)
    const { userId, tokenHash } = session
    await assertLinkable(db, userId)
    if (await hasFactor(db, userId)) await requireStepUp(db, session, now)
    const current = await verifyCurrentPassword(db, { session, request, reply, now, maxByAddress }, body.password)
    return askProvider(context, provider, { purpose: 'link', tokenHash, passwordDigest: digestOf(current) }, now)
  })

  route(api, endpoints.linkIdentity, async ({ db, now, params, body, session, request }) => {
    const provider = requireProvider(api.config, params.provider)
    const { tokenHash } = session
    const { passwordDigest, ...user } = await redeemAnswer(context, provider, body, { purpose: 'link', tokenHash, now })
    const refused = await db.transaction(async (db) => {
      await lockOwnAccount(db, session, passwordDigest)
      const { entry, refusal } = await linkAccount(db, session, { provider, user, way: 'settings' }, now)
      await audit(db, { session, request, now }, entry)
      return refusal
    })
    if (refused) throw refused
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
