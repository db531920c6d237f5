import { stepUp } from '@rogatka/contract/session-factors.ts'
import type { WireSignInOutcome } from '@rogatka/contract/session-outcome.ts'
import {
  linkAtSignIn,
  linkIdentity,
  loginWithProvider,
  startIdentityLink,
  startProviderLogin,
  startProviderStepUp,
  startSignInLink,
} from '@rogatka/contract/session-providers.ts'
import { call } from '../core/call.ts'
import { goToProvider, type ProviderReturn } from '../core/providerAnswer.ts'
import { signOuts } from '../core/session.ts'

/** Path of this page with search and hash. */
const pagePath = () => location.pathname + location.search + location.hash

/** Leaves for the page of a provider, after pending sign-outs, which may leave for it first. Rejects like `call`. */
export async function startProviderSignIn(provider: string): Promise<void> {
  await signOuts.settled
  const { address, transaction } = await call(startProviderLogin, { params: { provider } })
  goToProvider(address, { provider, transaction, returnTo: pagePath(), purpose: 'sign-in' })
}

/** Leaves for the page of a provider, to complete a pending sign-in by linking its account. Rejects like `call`. */
export async function startLinkAtSignIn(provider: string, pending: string): Promise<void> {
  await signOuts.settled
  const { address, transaction } = await call(startSignInLink, { params: { provider }, body: { pending } })
  goToProvider(address, { provider, transaction, returnTo: pagePath(), purpose: 'sign-in', pending })
}

/** Completes the sign-in; `username`: absent if it was begun with one. Rejects like `call`. */
export async function signInWithAnswer({
  provider,
  transaction,
  answer,
  pending,
}: ProviderReturn): Promise<WireSignInOutcome & { username?: string }> {
  const params = { provider }
  if (pending === undefined) return call(loginWithProvider, { params, body: { transaction, answer } })
  return call(linkAtSignIn, { params, body: { pending, transaction, answer } })
}

/** Leaves for the page of a provider, to link the account of the user to it. Rejects like `call`. */
export async function startLink(provider: string, password: string | undefined): Promise<void> {
  const { address, transaction } = await call(startIdentityLink, { params: { provider }, body: { password } })
  goToProvider(address, { provider, transaction, returnTo: pagePath(), purpose: 'link' })
}

/** Links the account of the user. Rejects like `call`. */
export const linkWithAnswer = ({ provider, transaction, answer }: ProviderReturn): Promise<void> =>
  call(linkIdentity, { params: { provider }, body: { transaction, answer }, background: true })

/** Leaves for the provider of the user, to verify them again. Rejects like `call`. */
export async function startStepUpAtProvider(): Promise<void> {
  const { address, transaction, provider } = await call(startProviderStepUp, { background: true })
  goToProvider(address, { provider, transaction, returnTo: pagePath(), purpose: 'step-up' })
}

/** Verifies the user of the session again. Rejects like `call`. */
export const stepUpWithAnswer = ({ transaction, answer }: ProviderReturn): Promise<void> =>
  call(stepUp, { body: { provider: { transaction, answer } }, background: true })
