import { createHmac } from 'node:crypto'
import type { ProviderAnswer } from '@rogatka/contract/session-factors.ts'
import { type Claims, groupsOf } from '@rogatka/domain/session/providerClaims.ts'
import * as oidc from 'openid-client'
import type { Provider } from '../core/providers.ts'
import { createProviderFetch, type ProviderErrorCode, ProviderUnavailable } from './provider-fetch.ts'

/** From the first request to a provider to the last one of a step. */
const TIMEOUT_MS = 10_000
/** Difference of the clocks of provider and portal, in seconds. */
const CLOCK_TOLERANCE_S = 30
/** A sign-out waits no longer for the provider. */
const LOGOUT_TIMEOUT_MS = 3_000

/** The user declined at the provider, or is not allowed to use the portal there. */
export class ProviderDeclined extends Error {}
/** The answer is not a valid one to the question of this browser. The message says why, for the log. */
export class ProviderRefused extends Error {}

/** Who a provider says somebody is. */
export type ProviderUser = {
  issuer: string
  subject: string
  claims: Claims
  idToken: string
}

export type ProviderClient = {
  /**
   * Where the browser goes. `forceSignIn`: the user has to sign in even with a session at the provider.
   * @throws ProviderUnavailable
   */
  addressOf: (provider: Provider, transaction: string, options: { forceSignIn: boolean }) => Promise<string>
  /**
   * Redeems the answer to a request. `maxAge`: seconds since the user has shown the provider who they are; undefined: any.
   * @throws ProviderUnavailable, ProviderDeclined, ProviderRefused
   */
  redeem: (provider: Provider, answer: ProviderAnswer, maxAge: number | undefined) => Promise<ProviderUser>
  /**
   * Where the browser goes to end the session of the provider (RP-Initiated Logout 1.0), which then sends it to the login page;
   * null if the provider has no such address. `idToken`: of the sign-in; null: the provider asks which user to sign out.
   * @throws ProviderUnavailable
   */
  logoutAddressOf: (provider: Provider, idToken: string | null) => Promise<string | null>
}

/** State, nonce and PKCE verifier of a request: derived, so that nothing is stored with which an answer could be redeemed. */
const derive = (transaction: string, purpose: 'nonce' | 'state' | 'verifier'): string =>
  createHmac('sha256', transaction).update(purpose).digest('base64url')

/** `publicUrl`: of the portal. `authorities`: of providers, in PEM, besides those of Node.js. */
export function createProviderClient(
  publicUrl: string,
  authorities: readonly string[],
  timeoutMs = TIMEOUT_MS,
): ProviderClient {
  const redirectUri = ({ id }: Provider): string => `${publicUrl}/login/callback/${id}`

  /** What the provider says about itself, read again for each step, so that no retired key of it is accepted. */
  async function discover(provider: Provider, signal: AbortSignal): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = provider
    const fetch = createProviderFetch(authorities, signal)
    const isPlain = issuer.startsWith('http:')
    const metadata = { [oidc.clockTolerance]: CLOCK_TOLERANCE_S }
    const config = await oidc.discovery(new URL(issuer), clientId, metadata, authentication(clientSecret), {
      [oidc.customFetch]: fetch,
      timeout: timeoutMs / 1000,
      ...(isPlain && { execute: [oidc.allowInsecureRequests] }),
    })
    oidc.enableNonRepudiationChecks(config)
    return config
  }

  return {
    addressOf: (provider, transaction, { forceSignIn }) =>
      withProviderErrors(async (signal) => {
        const config = await discover(provider, signal)
        const { mfaAcr } = provider
        return oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri(provider),
          scope: provider.scope,
          state: derive(transaction, 'state'),
          nonce: derive(transaction, 'nonce'),
          code_challenge: await oidc.calculatePKCECodeChallenge(derive(transaction, 'verifier')),
          code_challenge_method: 'S256',
          ...(mfaAcr.length > 0 && { acr_values: mfaAcr.join(' ') }),
          ...(forceSignIn && { prompt: 'login', max_age: '0' }),
        }).href
      }),

    redeem: (provider, { transaction, answer }, maxAge) =>
      withProviderErrors(async (signal) => {
        const config = await discover(provider, signal)
        const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri(provider)}?${answer}`), {
          expectedState: derive(transaction, 'state'),
          expectedNonce: derive(transaction, 'nonce'),
          pkceCodeVerifier: derive(transaction, 'verifier'),
          idTokenExpected: true,
          ...(maxAge !== undefined && { maxAge }),
        })
        const token = tokens.claims()
        if (!token || !tokens.id_token) throw new ProviderRefused('no ID token')
        // Many providers return groups and names only from the userinfo endpoint.
        const isComplete = groupsOf(token, provider.roleClaim).length > 0 && 'preferred_username' in token
        const more =
          isComplete || !config.serverMetadata().userinfo_endpoint
            ? {}
            : await oidc.fetchUserInfo(config, tokens.access_token, token.sub)
        // How the user was asked counts only where it is signed.
        const { amr, acr, auth_time } = token
        const claims = { ...more, ...token, amr, acr, auth_time }
        return { issuer: token.iss, subject: token.sub, claims, idToken: tokens.id_token }
      }),

    logoutAddressOf: (provider, idToken) =>
      withProviderErrors(
        async (signal) => {
          const config = await discover(provider, signal)
          const { end_session_endpoint: endpoint } = config.serverMetadata()
          if (!endpoint || !/^https?:$/.test(new URL(endpoint).protocol)) return null
          return oidc.buildEndSessionUrl(config, {
            post_logout_redirect_uri: `${publicUrl}/login`,
            ...(idToken !== null && { id_token_hint: idToken }),
          }).href
        },
        Math.min(timeoutMs, LOGOUT_TIMEOUT_MS),
      ),
  }

  /** Runs work under a time limit; turns errors of the library into those of this module. */
  async function withProviderErrors<T>(work: (signal: AbortSignal) => Promise<T>, withinMs = timeoutMs): Promise<T> {
    try {
      return await work(AbortSignal.timeout(withinMs))
    } catch (error) {
      throw toProviderError(error)
    }
  }
}

/** `client_secret_basic` where the provider accepts it, which is the default, else `client_secret_post`. */
const authentication =
  (secret: string | undefined): oidc.ClientAuth =>
  (server, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    if (secret === undefined) return oidc.None()(server, ...request)
    const method = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost
    return method(secret)(server, ...request)
  }

const causesOf = (error: unknown): unknown[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : [error])

/** Codes of the library for answers that are not those of an OpenID provider. */
const UNREADABLE = ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR']

function toProviderError(error: unknown): Error {
  if (error instanceof ProviderRefused) return error
  const unavailable = causesOf(error).find((cause) => cause instanceof ProviderUnavailable)
  if (unavailable) return unavailable
  if (error instanceof oidc.AuthorizationResponseError)
    return error.error === 'access_denied' ? new ProviderDeclined(error.error) : new ProviderRefused(error.error)
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'OAUTH_TIMEOUT') return new ProviderUnavailable('provider-timeout', { cause: error })
  if (code !== undefined && UNREADABLE.includes(code))
    return new ProviderUnavailable('provider-answer-unreadable' satisfies ProviderErrorCode, { cause: error })
  // Neither code nor token is in these messages.
  return new ProviderRefused(`${code ?? 'error'}: ${message ?? 'unknown'}`)
}
