import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { disconnectSignal } from '../core/disconnect.ts'
import { DOWNLOAD_RATES, type MinimumRates, withMinimumRate } from '../core/minimum-rate.ts'
import { Refusal } from '../core/refusal.ts'
import { createUserSemaphore, type SemaphoreLimits } from '../core/semaphore.ts'
import type { Session } from '../core/sessions.ts'
import { contentTypeOf, type ReportFile } from './report.ts'

/** A report holds a database connection while it is sent; the others remain for requests. */
const SEMAPHORE_LIMITS: SemaphoreLimits = { total: 4, perUser: 2, waitMs: 30_000, queue: 64, queuePerUser: 8 }
/** After this time without reading what is ready, a client is considered gone and its report ends. */
const STALL_TIMEOUT_MS = 60_000

/** Sends the file that `create` returns, once a slot is free. `kind` is for the log. @throws 503 `reports-busy` */
export type SendFile = (
  caller: { session: Session; request: FastifyRequest; reply: FastifyReply },
  kind: string,
  create: (signal: AbortSignal) => Promise<ReportFile>,
) => Promise<void>

/** Files are generated row by row while they are sent, under one semaphore. */
export function createFileSender({
  semaphoreLimits = SEMAPHORE_LIMITS,
  rates = DOWNLOAD_RATES,
  stallTimeoutMs = STALL_TIMEOUT_MS,
}: {
  semaphoreLimits?: SemaphoreLimits
  rates?: MinimumRates
  stallTimeoutMs?: number
} = {}): SendFile {
  const semaphore = createUserSemaphore(semaphoreLimits)

  return async ({ session, request, reply }, kind, create) => {
    const signal = disconnectSignal(reply)
    const release = await semaphore.acquire(session.userId, signal)
    if (!release) return
    if (release === 'busy') throw new Refusal('reports-busy', 503, null, Math.ceil(semaphoreLimits.waitMs / 1000))
    // The slot is held as long as the query and its connection, which may outlast the client.
    try {
      const { name, content } = await create(signal)
      if (signal.aborted) return release()
      const disconnect = () => {
        request.log.warn({ reqId: request.id, kind, userId: session.userId }, 'report: client too slow, disconnected')
        reply.raw.destroy()
      }
      const isContended = () => semaphore.areOthersWaiting(session.userId)
      const stream = Readable.from(withMinimumRate(content, rates, isContended, disconnect), { objectMode: false })
      // Closes when the content and its transaction have ended, not when the client disconnects.
      stream.once('close', release)
      signal.addEventListener('abort', () => stream.destroy())
      stream.once('error', (error) =>
        request.log.warn({ err: error, reqId: request.id, kind }, 'report: generation failed'),
      )
      const endStalled = () => {
        // Nothing was sent in answer to HEAD.
        if (reply.raw.writableEnded) return
        // A report that takes long to generate: nothing is ready to be read.
        if (reply.raw.writableLength === 0) return reply.raw.setTimeout(stallTimeoutMs)
        request.log.warn(
          { reqId: request.id, kind, userId: session.userId },
          'report: client reads nothing, disconnected',
        )
        return reply.raw.destroy()
      }
      reply.raw.setTimeout(stallTimeoutMs, endStalled)
      reply
        .type(contentTypeOf(name))
        .header('content-disposition', `attachment; filename="${name}"`)
        // Already compressed, or too large to compress.
        .header('content-encoding', 'identity')
        .send(stream)
    } catch (error) {
      release()
      throw error
    }
  }
}
