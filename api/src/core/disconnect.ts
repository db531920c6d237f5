import type { FastifyReply } from 'fastify'
import { Refusal } from './refusal.ts'

/**
 * A signal that aborts when the client disconnects or the response ends, with an error for a response that nobody
 * reads.
 */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (reply.raw.destroyed) controller.abort(disconnectError())
  reply.raw.once('close', () => controller.abort(disconnectError()))
  return controller.signal
}

/** Logged by proxies for a request whose client disconnected. */
const CLIENT_CLOSED_REQUEST = 499

export const disconnectError = () => new Refusal('unavailable', CLIENT_CLOSED_REQUEST)
