import { stepUp } from '@rogatka/contract/session-factors.ts'
import type { WireSignInOutcome } from '@rogatka/contract/session-outcome.ts'
import {
  addPasskey,
  loginWithPasskey,
  startPasskey,
  startPasskeyLogin,
  startPasskeyStepUp,
} from '@rogatka/contract/session-passkeys.ts'
import type { z } from 'zod'
import { call } from '../core/call.ts'

/* Passkeys by the interfaces of the browser, which reads and writes their JSON itself. */

type Body<E extends { body: z.ZodType }, K extends string> = z.input<E['body']> extends Record<K, infer V> ? V : never
type Assertion = Body<typeof loginWithPasskey, 'credential'>
type Attestation = Body<typeof addPasskey, 'credential'>

/** The user declined, no key was there, or it took too long: browsers do not say which. */
export class PasskeyNotUsed extends Error {}

const answerOf = async (credential: Promise<Credential | null>) => {
  const answer = await credential.catch((error: unknown) => {
    throw new PasskeyNotUsed('not used', { cause: error })
  })
  if (!(answer instanceof PublicKeyCredential)) throw new PasskeyNotUsed('none')
  return answer.toJSON()
}

const sign = async (options: PublicKeyCredentialRequestOptionsJSON) =>
  (await answerOf(
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )) as Assertion

/** Signs in, or completes a pending sign-in. Rejects like `call`, or with `PasskeyNotUsed`. */
export async function signInWithPasskey(pending?: string): Promise<WireSignInOutcome> {
  const credential = await sign(await call(startPasskeyLogin))
  return call(loginWithPasskey, { body: { credential, ...(pending !== undefined && { pending }) } })
}

/** Verifies the user of the session again. Rejects like `call`, or with `PasskeyNotUsed`. */
export async function stepUpWithPasskey(): Promise<void> {
  const passkey = await sign(await call(startPasskeyStepUp, { background: true }))
  await call(stepUp, { body: { passkey }, background: true })
}

/** Adds a passkey; returns recovery codes if the user had none. Rejects like `call`, or with `PasskeyNotUsed`. */
export async function createPasskey(name: string, password: string | undefined): Promise<string[] | null> {
  const options = await call(startPasskey, { body: { password } })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = (await answerOf(navigator.credentials.create({ publicKey }))) as Attestation
  return (await call(addPasskey, { body: { name, credential } })).recoveryCodes
}
