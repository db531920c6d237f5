import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { signInOutcome } from './session-outcome.ts'
import { passkey, passkeyAssertion } from './session-passkeys.ts'
import { instant, ownPassword, requiredText } from './wire.ts'

/** A code of the authenticator app, or a recovery code; spaces and hyphens are ignored. */
const code = requiredText(40, 'factor-code-required')

/** What a browser brings back from an OpenID Connect provider. */
export const providerAnswer = z.object({
  /** The secret of the request; works once. */
  transaction: requiredText(100),
  /** Query of the address to which the provider sent it, without question mark. */
  answer: z.string().max(8_000, 'text-too-long'),
})
export type ProviderAnswer = z.output<typeof providerAnswer>

export const loginWithFactor = endpoint({
  method: 'POST',
  path: '/login/factor',
  access: 'public',
  summary:
    'Completes a sign-in with a code of the authenticator app or a recovery code, each works once, unless a link completes it',
  rate: 'sign-in',
  body: z.object({ pending: requiredText(100), code }),
  response: signInOutcome,
})

/**
 * Exactly one is needed: the password, or the provider of the account, only for an account without a second factor, which
 * `users/self/factors` tells.
 */
export const stepUp = endpoint({
  method: 'POST',
  path: '/session/step-up',
  access: 'session',
  summary:
    'Verifies the caller again: by a code of the app, a recovery code or a passkey, or by the password or the provider for an account without a second factor',
  rate: 'sign-in',
  body: z.object({
    code: code.optional(),
    password: ownPassword,
    passkey: passkeyAssertion.optional(),
    provider: providerAnswer.optional(),
  }),
  allowsMissingFactor: true,
})

export const RECOVERY_CODES = 10

export const ownFactors = endpoint({
  method: 'GET',
  path: '/users/self/factors',
  access: 'session',
  summary: "Returns the caller's second factors and identity at a provider",
  response: z.object({
    /** The role or the portal requires one: the last one cannot be removed. */
    required: z.boolean(),
    /** A role requires a passkey: codes open nothing once there is one. */
    passkeyRequired: z.boolean(),
    /** A role requires a sign-in through a provider: the account cannot be unlinked. */
    providerRequired: z.boolean(),
    /** The identity at a provider; null: of a local account that is not linked. */
    identity: z
      .object({
        provider: z.string(),
        /** The name that the provider had for its user when the account was linked. */
        name: z.string().nullable(),
        /** Null: the provider made the account, which has no password. */
        linkedAt: instant.nullable(),
        lastUsedAt: instant,
      })
      .nullable(),
    /** Whether the portal can keep the secret of an app. */
    available: z.boolean(),
    authenticator: z.object({ createdAt: instant, lastUsedAt: instant.nullable() }).nullable(),
    /** Whether the address of the portal is one for which browsers have passkeys. */
    passkeysAvailable: z.boolean(),
    passkeys: z.array(passkey),
    recoveryCodesLeft: z.int(),
  }),
  allowsMissingFactor: true,
})
export type WireOwnFactors = z.input<typeof ownFactors.response>

const recoveryCodes = z.array(z.string())

export const startAuthenticator = endpoint({
  method: 'POST',
  path: '/users/self/factors/authenticator',
  access: 'session',
  summary: 'Creates the secret of an authenticator app and recovery codes, which replace earlier ones once confirmed',
  response: z.object({
    /** Base32, as typed into the app. */
    secret: z.string(),
    /** otpauth URI, as read from a QR code. */
    uri: z.string(),
    recoveryCodes,
  }),
  allowsMissingFactor: true,
})
export type WireSetup = z.input<typeof startAuthenticator.response>

export const confirmAuthenticator = endpoint({
  method: 'PUT',
  path: '/users/self/factors/authenticator',
  access: 'session',
  summary: "Confirms the app with its code and the current password; ends the caller's other sessions",
  body: z.object({ code, password: ownPassword }),
  allowsMissingFactor: true,
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/users/self/factors/recovery-codes',
  access: 'session',
  summary: 'Replaces the recovery codes; requires the current password',
  stepUp: 'recent',
  body: z.object({ password: ownPassword }),
  response: z.object({ recoveryCodes }),
})

export const removeAuthenticator = endpoint({
  method: 'POST',
  path: '/users/self/factors/authenticator/remove',
  access: 'session',
  summary: 'Removes the app and the recovery codes, unless a second factor is required; requires the current password',
  stepUp: 'recent',
  body: z.object({ password: ownPassword }),
})
