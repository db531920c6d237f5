import { Readable } from 'node:stream'
import { hasAnyRight } from '@rogatka/contract/access.ts'
import { file } from '@rogatka/contract/reports.ts'
import { disconnectSignal } from '../core/disconnect.ts'
import { type MinimumRates, withMinimumRate } from '../core/minimum-rate.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { createUserSemaphore, type SemaphoreLimits } from '../core/semaphore.ts'
import { findReportRequest } from './link-queries.ts'
import { contentTypeOf, type ReportKind } from './report.ts'

/** A report holds a database connection while it is sent; the others remain for requests. */
const SEMAPHORE_LIMITS: SemaphoreLimits = { total: 4, perUser: 2, waitMs: 30_000, queue: 64, queuePerUser: 8 }
/**
 * Minimum download rates. 2 Mbit/s while others wait for a slot, evaluated in time for them: the longest reports are about
 * 15 MB.
 */
const MINIMUM_RATES: MinimumRates = {
  always: { bytesPerSecond: 8 * 1024, windowMs: 60_000 },
  contended: { bytesPerSecond: 256 * 1024, windowMs: 15_000 },
}
/** After this time without reading, a client is considered gone and its report ends. */
const STALL_TIMEOUT_MS = 60_000

/** Registers the report links: the file is generated row by row while it is sent. */
export function reportRoutes(
  api: Api,
  kinds: readonly ReportKind[],
  {
    semaphoreLimits = SEMAPHORE_LIMITS,
    rates = MINIMUM_RATES,
  }: { semaphoreLimits?: SemaphoreLimits; rates?: MinimumRates } = {},
): void {
  const semaphore = createUserSemaphore(semaphoreLimits)

  route(api, file, async ({ db, session, now, params, request, reply }) => {
    const reportRequest = await findReportRequest(db, params.token, session.userId, now)
    const kind = kinds.find(({ name }) => name === reportRequest?.kind)
    if (!reportRequest || !kind) throw new Refusal('not-found', 404)
    if (!hasAnyRight(session.permissions, kind.access)) throw new Refusal('forbidden', 403)
    const { language, printedBy, number } = reportRequest
    const query = kind.query.parse(reportRequest.query)

    const signal = disconnectSignal(reply)
    const release = await semaphore.acquire(session.userId, signal)
    if (!release) return
    if (release === 'busy') throw new Refusal('reports-busy', 503, null, Math.ceil(semaphoreLimits.waitMs / 1000))
    // The slot is held as long as the query and its connection, which may outlast the client.
    try {
      const { name, content } = await kind.create(
        { db, session, now, language, printedBy, number, issuer: api.config.ownerCompany, signal },
        query,
      )
      if (signal.aborted) return release()
      const disconnect = () => {
        request.log.warn(
          { reqId: request.id, kind: kind.name, userId: session.userId },
          'report: client too slow, disconnected',
        )
        reply.raw.destroy()
      }
      const isContended = () => semaphore.areOthersWaiting(session.userId)
      const stream = Readable.from(withMinimumRate(content, rates, isContended, disconnect), { objectMode: false })
      // Closes when the content and its transaction have ended, not when the client disconnects.
      stream.once('close', release)
      signal.addEventListener('abort', () => stream.destroy())
      stream.once('error', (error) =>
        request.log.warn({ err: error, reqId: request.id, kind: kind.name }, 'report: generation failed'),
      )
      reply.raw.setTimeout(STALL_TIMEOUT_MS, () => reply.raw.destroy())
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
  })
}
