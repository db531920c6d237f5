import type { FastifyReply, FastifyRequest } from 'fastify'

/** Maximum time for a whole request body, and for a pause within an upload. */
export const BODY_TIMEOUT_MS = 60_000
/** Maximum time for a whole upload: five files of 10 MB at 0.5 Mbit/s. */
export const UPLOAD_TIMEOUT_MS = 15 * 60_000

type Limit = { start: () => void; stop: () => void }
const limits = new WeakMap<FastifyRequest['raw'], Limit>()

/** Returns 408 and closes the connection if the body does not arrive in time. */
export function limitBodyTime({ raw, headers }: FastifyRequest, reply: FastifyReply, ms: number): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) return
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  const start = () => {
    stop()
    timer = setTimeout(giveUp, ms).unref()
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

/** Restarts the timeout of a body: part of it has arrived, or reading begins only now. */
export const restartBodyTime = ({ raw }: FastifyRequest): void => limits.get(raw)?.start()

/** Stops the timeout of a body while the server does not read it. */
export const stopBodyTime = ({ raw }: FastifyRequest): void => limits.get(raw)?.stop()
