import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emailAddress, requiredText, typedPassword } from './wire.ts'

export const login = endpoint({
  method: 'POST',
  path: '/login',
  access: 'public',
  summary: 'Signs in; returns a token for the header Authorization: Bearer',
  rate: 'sign-in',
  body: z.object({
    username: requiredText(100, 'user-login-required'),
    password: typedPassword,
  }),
  response: z.object({ token: z.string() }),
})

export const logout = endpoint({
  method: 'DELETE',
  path: '/login',
  access: 'session',
  summary: 'Signs out and invalidates the token',
  evenExpired: true,
})

export const ping = endpoint({
  method: 'GET',
  path: '/ping',
  access: 'session',
  summary: 'Heartbeat: keeps the session alive',
  evenExpired: true,
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
    password: typedPassword,
    token: requiredText(200, 'reset-token-required'),
  }),
})

/** Minutes for which a reset token is valid; once. */
export const RESET_TOKEN_MINUTES = 30

/** What the page has to know before anybody signs in. */
export const build = endpoint({
  method: 'GET',
  path: '/build',
  access: 'public',
  summary:
    'Returns build code, version, owner, the links to the old system and the source code, and the retention period of images',
  response: z.object({
    buildCode: z.string(),
    version: z.string(),
    ownerCompany: z.string(),
    /** Null: the link to the old system is hidden. */
    legacyUrl: z.string().nullable(),
    /** Where the source code of this version is offered. */
    sourceUrl: z.string(),
    /** Characters that a new password needs at least; that of an administrator never less than 12. */
    passwordMinLength: z.int(),
    /** Pictures older than so many days are removed; their vehicles stay longer. */
    imageRetentionDays: z.int(),
  }),
})
