import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { providerAnswer } from './session-factors.ts'
import { signInOutcome } from './session-outcome.ts'
import { ownPassword, requiredText } from './wire.ts'

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
  response: signInOutcome.extend({ username: z.string() }),
})

const pending = requiredText(100)

export const startSignInLink = endpoint({
  method: 'POST',
  path: '/login/link/:provider',
  access: 'public',
  summary:
    'Returns the address at which a provider signs a user in whose account has to be linked to complete a sign-in',
  rate: 'sign-in',
  params: z.object({ provider: providerId }),
  body: z.object({ pending }),
  response: providerRequest,
})

export const linkAtSignIn = endpoint({
  method: 'POST',
  path: '/login/link/:provider/callback',
  access: 'public',
  summary: 'Completes a sign-in by linking the account to the identity in the answer of a provider; returns a token',
  rate: 'sign-in',
  params: z.object({ provider: providerId }),
  body: providerAnswer.extend({ pending }),
  response: z.object({ token: z.string() }),
})

export const startIdentityLink = endpoint({
  method: 'POST',
  path: '/users/self/identity/providers/:provider',
  access: 'session',
  summary:
    'Returns the address at which a provider signs the caller in, to link their account to it; requires the current password',
  rate: 'sign-in',
  params: z.object({ provider: providerId }),
  body: z.object({ password: ownPassword }),
  response: providerRequest,
})

export const linkIdentity = endpoint({
  method: 'POST',
  path: '/users/self/identity/providers/:provider/callback',
  access: 'session',
  summary: "Links the caller's account to the identity in the answer of a provider, which then signs in to it",
  rate: 'sign-in',
  params: z.object({ provider: providerId }),
  body: providerAnswer,
})

export const unlinkOwnIdentity = endpoint({
  method: 'DELETE',
  path: '/users/self/identity',
  access: 'session',
  summary:
    "Unlinks the caller's account from its provider, unless a role requires it; ends the caller's other sessions",
  stepUp: 'recent',
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
