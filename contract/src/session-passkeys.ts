import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { passkeyKinds } from './options.ts'
import { signInOutcome } from './session-outcome.ts'
import { instant, ownPassword, queryId, requiredText } from './wire.ts'

/*
 * Passkeys: messages of Web Authentication (Level 3) in JSON, as browsers read and write them
 * (`PublicKeyCredential.parseRequestOptionsFromJSON`, `toJSON`). Bytes are in base64url.
 */

/** Minutes in which a challenge is answered, once. */
export const CHALLENGE_MINUTES = 5

const bytes = (max: number) =>
  z
    .string()
    .max(max, 'text-too-long')
    .regex(/^[\w-]*$/, 'invalid-value')
/** At most 1023 bytes. */
const credentialId = bytes(1364)
const key = z.literal('public-key')
const transports = z.array(bytes(20)).max(10, 'list-too-long')

const descriptor = z.object({ type: key, id: credentialId, transports })

/** For `navigator.credentials.get`. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  /** Empty for a sign-in: the authenticator knows its accounts. */
  allowCredentials: z.array(descriptor),
})

/** Answer of `navigator.credentials.get`. */
export const passkeyAssertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: key,
  response: z.object({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(2_000),
    signature: bytes(2_000),
    userHandle: bytes(100).nullish(),
  }),
})
export type PasskeyAssertion = z.output<typeof passkeyAssertion>

/** For `navigator.credentials.create`. */
const passkeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: key, alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})

/** Answer of `navigator.credentials.create`. */
export const passkeyAttestation = z.object({
  id: credentialId,
  rawId: credentialId,
  type: key,
  response: z.object({
    clientDataJSON: bytes(4_000),
    attestationObject: bytes(20_000),
    transports: transports.optional(),
  }),
})
export type PasskeyAttestation = z.output<typeof passkeyAttestation>

const name = requiredText(60, 'passkey-name-required')

/** A passkey of the caller. `lockedAt`: a copy of it was used, it opens nothing any more. */
export const passkey = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(passkeyKinds),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  lockedAt: instant.nullable(),
})
export type WirePasskey = z.input<typeof passkey>

export const startPasskeyLogin = endpoint({
  method: 'POST',
  path: '/login/passkey/options',
  access: 'public',
  summary: 'Returns what a passkey has to sign for a sign-in, valid once within 5 minutes',
  rate: 'sign-in',
  response: passkeyRequest,
})

export const loginWithPasskey = endpoint({
  method: 'POST',
  path: '/login/passkey',
  access: 'public',
  summary: 'Signs in with a passkey, without a username; returns a token',
  rate: 'sign-in',
  body: z.object({
    credential: passkeyAssertion,
    /** The sign-in that it completes: needed for an account of a provider, which is asked first. */
    pending: requiredText(100).optional(),
  }),
  response: signInOutcome,
})

export const startPasskeyStepUp = endpoint({
  method: 'POST',
  path: '/session/step-up/options',
  access: 'session',
  summary: 'Returns what a passkey of the caller has to sign for a step-up, valid once within 5 minutes',
  rate: 'sign-in',
  response: passkeyRequest,
  allowsMissingFactor: true,
})

export const startPasskey = endpoint({
  method: 'POST',
  path: '/users/self/factors/passkeys/options',
  access: 'session',
  summary: 'Returns what a new passkey of the caller has to sign; requires the current password',
  body: z.object({ password: ownPassword }),
  response: passkeyCreation,
  allowsMissingFactor: true,
})

export const addPasskey = endpoint({
  method: 'POST',
  path: '/users/self/factors/passkeys',
  access: 'session',
  summary: "Adds a passkey; ends the caller's other sessions. Returns recovery codes to a caller who has none",
  body: z.object({ name, credential: passkeyAttestation }),
  response: z.object({ recoveryCodes: z.array(z.string()).nullable() }),
  allowsMissingFactor: true,
})

export const renamePasskey = endpoint({
  method: 'PUT',
  path: '/users/self/factors/passkeys/:id',
  access: 'session',
  summary: 'Renames a passkey of the caller',
  params: z.object({ id: queryId }),
  body: z.object({ name }),
})

export const removePasskey = endpoint({
  method: 'POST',
  path: '/users/self/factors/passkeys/:id/remove',
  access: 'session',
  summary:
    'Removes a passkey, unless it is the last second factor, or the last unlocked passkey, and such a one is required; requires the current password',
  stepUp: 'recent',
  params: z.object({ id: queryId }),
  body: z.object({ password: ownPassword }),
})
