import type { FastifyRequest } from 'fastify'

/** Far above the number of sessions and stations; beyond it the set is cleared. */
const MAX_TOKENS = 10_000

/** The bearer token of a request: of a session or station. */
export const tokenOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]

/**
 * Tokens that were valid at their last lookup. Requests with one count against its own rate limit, so that many clients
 * behind one address do not share a limit; invented tokens count against their address.
 */
export function createKnownTokens() {
  const known = new Set<string>()
  return {
    /** The rate-limit key of a known token; undefined: use the address. */
    callerOf: (token: string | undefined): string | undefined =>
      token !== undefined && known.has(token) ? `token ${token}` : undefined,
    add: (token: string): void => {
      if (known.size >= MAX_TOKENS) known.clear()
      known.add(token)
    },
    remove: (token: string): void => void known.delete(token),
  }
}

export type KnownTokens = ReturnType<typeof createKnownTokens>

declare module 'fastify' {
  interface FastifyInstance {
    knownTokens: KnownTokens
  }
}
