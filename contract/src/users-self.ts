import { z } from 'zod'
import { instant } from './wire.ts'

/** A user, as returned to themselves and to administrators. */
export const person = z.object({
  id: z.int(),
  username: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  email: z.string().nullable(),
  /** With its dialling prefix. */
  phoneNumber: z.string().nullable(),
  roles: z.array(z.object({ id: z.int(), name: z.string() })),
  passwordUpdatedAt: instant.nullable(),
  /** Name of the OpenID Connect provider that made the account, which has no password; null: with a password of the portal. */
  provider: z.string().nullable(),
  /** Name of the provider to which an account with a password is linked; null: to none. */
  linkedProvider: z.string().nullable(),
})

export const self = person.extend({
  /** Of the first role, which determines the rights. */
  permissions: z.array(z.string()),
  /** An administrator requires a new password. */
  mustChangePassword: z.boolean(),
  /** Seconds that vehicles stay on the caller's live list after their checkpoint time. */
  checkpointAdditionalTime: z.int(),
  /** The password has expired. */
  passwordExpired: z.boolean(),
  /** A second factor is required that this session lacks: only its set-up is open. */
  mustSetUpFactor: z.boolean(),
})
export type WireSelf = z.input<typeof self>
