import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { signInOutcome } from './session-outcome.ts'
import { emailAddress, passwordText, requiredText } from './wire.ts'

export const login = endpoint({
  method: 'POST',
  path: '/login',
  access: 'public',
  summary:
    'Signs in; returns a token for the header Authorization: Bearer, or what the second factor or a link completes',
  rate: 'sign-in',
  body: z.object({
    username: requiredText(100, 'user-login-required'),
    password: passwordText,
  }),
  response: signInOutcome,
})

export const logout = endpoint({
  method: 'DELETE',
  path: '/login',
  access: 'session',
  summary:
    'Signs out and invalidates the token; returns where the provider that signed the user in ends its own session',
  /** Absent (204) without such a provider, or if it does not answer. */
  response: z.object({ providerAddress: z.string() }).optional(),
  allowsExpiredPassword: true,
  allowsMissingFactor: true,
})

export const ping = endpoint({
  method: 'GET',
  path: '/ping',
  access: 'session',
  summary: 'Heartbeat: keeps the session alive',
  allowsExpiredPassword: true,
  allowsMissingFactor: true,
})

export const resetPassword = endpoint({
  method: 'PUT',
  path: '/reset-password',
  access: 'public',
  summary: 'Sends a reset token by mail; the response does not reveal whether the address is known',
  rate: 'sign-in',
  body: z.object({ email: emailAddress }),
})

export const setPassword = endpoint({
  method: 'PUT',
  path: '/set-password',
  access: 'public',
  summary: 'Sets a new password with the token of the mail; ends all sessions of the user',
  rate: 'sign-in',
  body: z.object({
    email: emailAddress,
    password: passwordText,
    token: requiredText(200, 'reset-token-required'),
  }),
})

/** Validity of a reset token in minutes; it can be used once. */
export const RESET_TOKEN_MINUTES = 30

/** Build information, available before sign-in. */
export const build = endpoint({
  method: 'GET',
  path: '/build',
  access: 'public',
  summary:
    'Returns build code, version, owner, the links to the old system and the source code, and the retention periods of vehicles and images',
  response: z.object({
    buildCode: z.string(),
    version: z.string(),
    ownerCompany: z.string(),
    /** URL of the legacy system; null: no link. */
    legacyUrl: z.string().nullable(),
    /** URL of this version's source code. */
    sourceUrl: z.string(),
    /** Minimum length of a new password; at least 12 for administrators. */
    passwordMinLength: z.int(),
    /** Whether accounts may sign in with passkeys. */
    passkeys: z.boolean(),
    /** OpenID Connect providers through which users sign in. */
    providers: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        /** A sign-in by password can link the account to it, where a role requires a provider. */
        linkAtSignIn: z.boolean(),
      }),
    ),
    /** Days after which images are deleted; the vehicles are kept longer. */
    imageRetentionDays: z.int(),
    /** Days after which vehicles are deleted, by whole weeks or months; figures are kept. */
    retentionDays: z.int(),
    /** Whether vehicles are deleted by months or by weeks from Monday, in UTC. */
    partitions: z.enum(['month', 'week']),
  }),
})
