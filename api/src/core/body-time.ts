import { HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Maximum time for a whole request body, and for a pause within an upload. */
export const BODY_TIMEOUT_MS = 60_000
/** Maximum time for a form with files: five of 10 MB at 0.5 Mbit/s. */
const FORM_TIMEOUT_MS = 15 * MINUTE_MS
/** Maximum time for any request: an import of 500 MB at 0.6 Mbit/s. */
export const MAX_UPLOAD_MS = 2 * HOUR_MS

type Limit = { start: (maxMs?: number) => void; stop: () => void }
const limits = new WeakMap<FastifyRequest['raw'], Limit>()

/** Returns 408 and closes the connection if the body does not arrive in time. */
export function limitBodyTime({ raw, headers }: FastifyRequest, reply: FastifyReply, ms: number): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) return
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  const begun = performance.now()
  const start = (maxMs = FORM_TIMEOUT_MS) => {
    stop()
    const remaining = Math.max(0, begun + maxMs - performance.now())
    timer = setTimeout(giveUp, Math.min(ms, remaining)).unref()
  }
  const giveUp = () => {
    if (raw.complete) return
    if (reply.raw.headersSent) raw.destroy()
    else raw.socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n', () => raw.destroy())
  }
  limits.set(raw, { start, stop })
  raw.once('close', stop)
  start()
}

/**
 * Restarts the timeout of a body: part of it has arrived, or reading begins only now. The whole body may take `maxMs`, a
 * quarter of an hour by default.
 */
export const restartBodyTime = ({ raw }: FastifyRequest, maxMs?: number): void => limits.get(raw)?.start(maxMs)

/** Stops the timeout of a body while the server does not read it. */
export const stopBodyTime = ({ raw }: FastifyRequest): void => limits.get(raw)?.stop()
