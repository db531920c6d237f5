import * as endpoints from '@rogatka/contract/session-providers.ts'
import { type Api, route } from '../core/route.ts'
import { findIdentity } from '../users/public-api.ts'
import type { ProviderClient } from './provider-client.ts'
import { askProvider, type ProviderContext, redeemAnswer, requireProvider, signInFrom } from './provider-sign-in.ts'

/** Registers the sign-in through OpenID Connect providers. */
export function providerRoutes(api: Api, client: ProviderClient): void {
  const asking: ProviderContext = { db: api.db, client, log: api.http.log, sessions: api.sessions }

  route(api, endpoints.startProviderLogin, ({ now, params }) =>
    askProvider(asking, requireProvider(api.config, params.provider), null, now),
  )

  route(api, endpoints.loginWithProvider, async ({ now, params, body, request }) => {
    const provider = requireProvider(api.config, params.provider)
    const user = await redeemAnswer(asking, provider, body, { tokenHash: null, now })
    return signInFrom(asking, provider, user, { request, now, secretKey: api.config.secretKey })
  })

  route(api, endpoints.startProviderStepUp, async ({ db, now, session: { userId, tokenHash } }) => {
    const provider = requireProvider(api.config, (await findIdentity(db, userId))?.provider)
    return { provider: provider.id, ...(await askProvider(asking, provider, tokenHash, now)) }
  })
}
