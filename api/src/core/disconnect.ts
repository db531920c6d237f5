import type { FastifyReply } from 'fastify'
import { Refusal } from './refusal.ts'

/** Aborts, with an error for the response that nobody reads, when the client disconnects or has done so; also when the response is finished. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (reply.raw.destroyed) gone.abort(clientGone())
  reply.raw.once('close', () => gone.abort(clientGone()))
  return gone.signal
}

/** The status that proxies log for a request whose client left; nobody reads the response. */
const CLIENT_CLOSED_REQUEST = 499

export const clientGone = () => new Refusal('unavailable', CLIENT_CLOSED_REQUEST)
