import type { FastifyRequest } from 'fastify'

/** Far more than there are sessions and stations; beyond it all are learnt anew. */
const MAX_TOKENS = 10_000

/** The bearer token of a request: of a session or a station. */
export const tokenOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]

/**
 * Tokens that opened a session or were a station's key when they were last looked up. Callers who have one are counted
 * by it, so that many behind one address do not share a limit; invented tokens count for their address.
 */
export function createKnownTokens() {
  const known = new Set<string>()
  return {
    /** By whom a request counts; undefined where its address does. */
    callerOf: (request: Pick<FastifyRequest, 'headers'>): string | undefined => {
      const token = tokenOf(request)
      return token !== undefined && known.has(token) ? `token ${token}` : undefined
    },
    add: (token: string): void => {
      if (known.size >= MAX_TOKENS) known.clear()
      known.add(token)
    },
    remove: (token: string): void => void known.delete(token),
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    knownTokens: ReturnType<typeof createKnownTokens>
  }
}
