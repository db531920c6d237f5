import type { FastifyReply } from 'fastify'
import { Refusal } from './refusal.ts'

/** Aborts when the client disconnects, or has done so before; also when the response is finished. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (reply.raw.destroyed) gone.abort()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}

/** The status that proxies log for a request whose client left; nobody reads the response. */
const CLIENT_CLOSED_REQUEST = 499

export const clientGone = () => new Refusal('unavailable', CLIENT_CLOSED_REQUEST)

/** @throws once the client has left, so that work of several queries ends after the one that runs */
export function throwIfGone(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw clientGone()
}
