import { stepUp } from '@rogatka/contract/session-factors.ts'
import { loginWithProvider, startProviderLogin, startProviderStepUp } from '@rogatka/contract/session-providers.ts'
import { call } from '../core/call.ts'
import { goToProvider, type ProviderReturn } from '../core/providerAnswer.ts'
import { signOuts } from '../core/session.ts'

/** The address of this page, with what stands behind it. */
const here = () => location.pathname + location.search + location.hash

/** Leaves for the page of a provider, after pending sign-outs, which may leave for it first. Rejects like `call`. */
export async function startProviderSignIn(provider: string): Promise<void> {
  await signOuts.settled
  const { address, transaction } = await call(startProviderLogin, { params: { provider } })
  goToProvider(address, { provider, transaction, returnTo: here(), isStepUp: false })
}

/** Completes the sign-in. Rejects like `call`. */
export const signInWithAnswer = ({ provider, transaction, answer }: ProviderReturn) =>
  call(loginWithProvider, { params: { provider }, body: { transaction, answer } })

/** Leaves for the provider of the user, to verify them again. Rejects like `call`. */
export async function startProviderStepUpOf(): Promise<void> {
  const { address, transaction, provider } = await call(startProviderStepUp, { background: true })
  goToProvider(address, { provider, transaction, returnTo: here(), isStepUp: true })
}

/** Verifies the user of the session again. Rejects like `call`. */
export const stepUpWithAnswer = ({ transaction, answer }: ProviderReturn): Promise<void> =>
  call(stepUp, { body: { provider: { transaction, answer } }, background: true })
