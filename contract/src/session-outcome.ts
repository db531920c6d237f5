import { z } from 'zod'
import { signInFactors } from './options.ts'
import { instant } from './wire.ts'

/** Minutes between the password and the second factor or the link. */
export const PENDING_MINUTES = 5

/** Answer to a right password of an account with a second factor, or of one that has to be linked to a provider. */
export const pendingSignIn = z.object({
  /** For `POST /login/factor`, or `POST /login/link/:provider`; opens no other endpoint. */
  id: z.string(),
  factors: z.array(z.enum(signInFactors)),
  /** A role requires the passkey: `POST /login/factor` is refused. */
  passkeyRequired: z.boolean(),
  /** A role requires a sign-in through a provider, to which the account has to be linked: nothing else completes it. */
  linkRequired: z.boolean(),
  expiresAt: instant,
})
export type WirePendingSignIn = z.input<typeof pendingSignIn>

/** What opens a session, or what completes the sign-in. */
export const signInOutcome = z.object({
  /** Absent if there is `pending`. */
  token: z.string().optional(),
  pending: pendingSignIn.optional(),
})
export type WireSignInOutcome = z.input<typeof signInOutcome>
