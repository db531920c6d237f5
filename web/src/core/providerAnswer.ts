import { readStored, writeStored } from './browserStorage.ts'

/*
 * What a browser takes to an OpenID Connect provider and back. This module does not import calls, as it is loaded before
 * the login page, to take the answer out of the address before anything else reads it.
 */

/** Kept in this tab while the browser is at the provider. */
type StoredRequest = {
  provider: string
  transaction: string
  /** Address to return to. */
  returnTo: string
  purpose: 'sign-in' | 'step-up' | 'link'
  /** The sign-in that is completed by linking its account. */
  pending?: string
}

export type ProviderReturn = StoredRequest & { answer: string }

const REQUEST = 'providerRequest'
const CALLBACK = /^\/login\/callback\/([a-z0-9-]{1,40})$/

/** Stores a request and leaves the page for the provider. */
export function goToProvider(address: string, request: StoredRequest): void {
  writeStored('session', REQUEST, JSON.stringify(request))
  location.assign(address)
}

/**
 * The answer in the address, which is thereby replaced by the one to return to, so that neither history nor a reload has it;
 * null at any other address.
 */
export function takeProviderAnswer(): ProviderReturn | null {
  const provider = CALLBACK.exec(location.pathname)?.[1]
  if (provider === undefined) return null
  const answer = location.search.slice(1)
  const stored = readStored('session', REQUEST)
  writeStored('session', REQUEST, null)
  const request = stored === null ? null : (JSON.parse(stored) as StoredRequest)
  // Of another tab, or answered before: the server says so.
  const known = request?.provider === provider ? request : null
  const returnTo = known?.returnTo ?? '/login'
  history.replaceState(null, '', returnTo)
  return { purpose: 'sign-in', transaction: 'unknown', ...known, provider, returnTo, answer }
}
