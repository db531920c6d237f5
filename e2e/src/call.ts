import { API_BASE, type Endpoint, type WireOf } from '@rogatka/contract/endpoint.ts'
import { login } from '@rogatka/contract/session.ts'
import { ADMIN, type Portal } from './portal.ts'

type Given<E extends Endpoint> = {
  params?: WireOf<E, 'params'>
  query?: WireOf<E, 'query'>
  body?: WireOf<E, 'body'>
}

/** Asks a portal as a program would, past the browser; throws when it refuses. */
export async function call<E extends Endpoint>(
  portal: Portal,
  token: string | null,
  endpoint: E,
  { params, query, body }: Given<E> = {},
): Promise<WireOf<E, 'response'>> {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) =>
    String((params as unknown as Record<string, unknown>)[name]),
  )
  const answer = await fetch(`${portal.url}${API_BASE}${path}?${new URLSearchParams((query ?? {}) as never)}`, {
    method: endpoint.method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${endpoint.method} ${path}: ${answer.status} ${await answer.text()}`)
  return (answer.status === 204 ? undefined : await answer.json()) as WireOf<E, 'response'>
}

export const tokenOf = async (portal: Portal, account = ADMIN): Promise<string> =>
  (await call(portal, null, login, { body: account })).token
