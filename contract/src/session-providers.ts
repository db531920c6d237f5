import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { pendingSignIn, providerAnswer } from './session-factors.ts'

/*
 * Sign-in through OpenID Connect providers: authorization code with PKCE. The browser goes to the address of the provider,
 * which sends it back to `/login/callback/:provider`.
 */

/** Minutes in which a provider is asked and answers. */
export const PROVIDER_MINUTES = 10

/** Id of a provider in OIDC_PROVIDERS. */
export const providerId = z.string().regex(/^[a-z0-9-]{1,40}$/, 'invalid-value')

/** What a browser needs to ask a provider. */
const providerRequest = z.object({
  /** Where the browser goes. */
  address: z.string(),
  /** Secret that the browser keeps and sends with the answer; works once. */
  transaction: z.string(),
})

export const startProviderLogin = endpoint({
  method: 'POST',
  path: '/login/providers/:provider',
  access: 'public',
  summary:
    'Returns the address at which a provider signs users in, and a secret for its answer, valid once within 10 minutes',
  rate: 'sign-in',
  params: z.object({ provider: providerId }),
  response: providerRequest,
})

export const loginWithProvider = endpoint({
  method: 'POST',
  path: '/login/providers/:provider/callback',
  access: 'public',
  summary:
    'Signs in with the answer of a provider; creates the account at the first time and renews its role. Returns a token, or what the second factor completes',
  rate: 'sign-in',
  params: z.object({ provider: providerId }),
  body: providerAnswer,
  response: z.object({
    username: z.string(),
    /** Absent for an account with a second factor, unless the provider has asked for one. */
    token: z.string().optional(),
    pending: pendingSignIn.optional(),
  }),
})

export const startProviderStepUp = endpoint({
  method: 'POST',
  path: '/session/step-up/provider',
  access: 'session',
  summary: 'Returns the address at which the provider of the caller signs them in again, for a step-up',
  rate: 'sign-in',
  response: providerRequest.extend({ provider: z.string() }),
  allowsMissingFactor: true,
})
