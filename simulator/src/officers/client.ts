import { API_BASE, type Endpoint, type ValueOf, type WireOf } from '@rogatka/contract/endpoint.ts'
import { login } from '@rogatka/contract/session.ts'

/** How an officer signs in. */
export type OfficerAccount = { username: string; password: string }

type Input<E extends Endpoint> = {
  params?: WireOf<E, 'params'>
  query?: Record<string, string>
  body?: WireOf<E, 'body'>
  /** Makes a repeated request harmless. */
  idempotencyKey?: string
}

/** An error status of the server. */
export class StatusError extends Error {
  readonly status: number
  constructor(status: number, text: string) {
    super(`${status} ${text.slice(0, 300)}`)
    this.status = status
  }
}

const TIMEOUT_MS = 20_000

/** A client with the session of an officer, who signs in when needed. Calls throw without a usable response. */
export function createOfficer(url: string, account: OfficerAccount, signal: AbortSignal) {
  let token: string | null = null

  async function send<E extends Endpoint>(endpoint: E, { params, query, body, idempotencyKey }: Input<E>) {
    const path = endpoint.path.replace(/:(\w+)/g, (_, name) =>
      String((params as unknown as Record<string, unknown>)[name]),
    )
    const response = await fetch(`${url}${API_BASE}${path}?${new URLSearchParams(query)}`, {
      method: endpoint.method,
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    if (!response.ok) throw new StatusError(response.status, await response.text())
    return endpoint.response?.parse(await response.json()) as ValueOf<E, 'response'>
  }

  async function signIn(): Promise<string> {
    const { token } = await send(login, { body: account })
    if (token === undefined) throw new Error(`${account.username} needs a second factor, which officers do not have`)
    return token
  }

  async function call<E extends Endpoint>(endpoint: E, input: Input<E> = {}): Promise<ValueOf<E, 'response'>> {
    token ??= await signIn()
    try {
      return await send(endpoint, input)
    } catch (error) {
      // The next call signs in again.
      if (error instanceof StatusError && error.status === 401) token = null
      throw error
    }
  }

  return { username: account.username, call }
}
export type Officer = ReturnType<typeof createOfficer>
