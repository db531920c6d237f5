import { API_BASE, type Endpoint, type WireOf } from '@rogatka/contract/endpoint.ts'
import { login } from '@rogatka/contract/session.ts'
import { recordPlates } from './plates.ts'
import { ADMIN, type Portal } from './portal.ts'

type RequestInput<E extends Endpoint> = {
  params?: WireOf<E, 'params'>
  query?: WireOf<E, 'query'>
  body?: WireOf<E, 'body'>
}

/** Calls an endpoint over HTTP, without the browser. @throws Error with status and body of an error response */
export async function call<E extends Endpoint>(
  portal: Portal,
  token: string | null,
  endpoint: E,
  { params, query, body }: RequestInput<E> = {},
): Promise<WireOf<E, 'response'>> {
  recordPlates(body)
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) =>
    String((params as unknown as Record<string, unknown>)[name]),
  )
  const response = await fetch(`${portal.url}${API_BASE}${path}?${new URLSearchParams((query ?? {}) as never)}`, {
    method: endpoint.method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${endpoint.method} ${path}: ${response.status} ${await response.text()}`)
  return (response.status === 204 ? undefined : await response.json()) as WireOf<E, 'response'>
}

export async function tokenOf(portal: Portal, account = ADMIN): Promise<string> {
  const { token } = await call(portal, null, login, { body: account })
  if (token === undefined) throw new Error(`${account.username} has a second factor`)
  return token
}
