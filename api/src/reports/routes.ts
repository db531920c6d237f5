import { Readable } from 'node:stream'
import { hasAnyRight } from '@rogatka/contract/access.ts'
import { file } from '@rogatka/contract/reports.ts'
import { disconnectSignal } from '../core/disconnect.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { createUserSemaphore, type SemaphoreLimits } from '../core/semaphore.ts'
import { findReportRequest } from './links.ts'
import { type MinimumRates, withMinimumRate } from './minimum-rate.ts'
import { contentTypeOf, type ReportKind } from './report.ts'

/** Each report holds a connection to the database as long as it is written; the rest is for those who work. */
const TURNS: SemaphoreLimits = { total: 4, perUser: 2, waitMs: 30_000, queue: 64, queuePerUser: 8 }
/**
 * The slowest line that a report is kept open for. While others wait for its turn that is 2 Mbit/s, judged early enough
 * for them to get it: the longest reports are some 15 MB.
 */
const RATES: MinimumRates = {
  always: { bytesPerSecond: 8 * 1024, windowMs: 60_000 },
  crowded: { bytesPerSecond: 256 * 1024, windowMs: 15_000 },
}
/** So long a browser may take nothing before it is taken for gone, and what its report holds is freed. */
const STALLED_MS = 60_000

/** Opens the links of reports: the file is made row by row while it is sent. */
export function reportRoutes(
  api: Api,
  kinds: readonly ReportKind[],
  { turns: turnLimits = TURNS, rates = RATES }: { turns?: SemaphoreLimits; rates?: MinimumRates } = {},
): void {
  const turns = createUserSemaphore(turnLimits)

  route(api, file, async ({ db, session, now, params, request, reply }) => {
    const order = await findReportRequest(db, params.token, session.userId, now)
    const kind = kinds.find(({ name }) => name === order?.kind)
    if (!order || !kind) throw new Refusal('not-found', 404)
    if (!hasAnyRight(session.permissions, kind.access)) throw new Refusal('forbidden', 403)
    const { language, printedBy, number } = order
    const query = kind.query.parse(order.query)

    const gone = disconnectSignal(reply)
    const leave = await turns.acquire(session.userId, gone)
    if (!leave) return
    if (leave === 'busy') throw new Refusal('reports-busy', 503, null, Math.ceil(turnLimits.waitMs / 1000))
    // The turn lasts as long as what it limits: a query, and its connection with it, may outlast the browser.
    try {
      const { name, content } = await kind.make(
        { db, session, now, language, printedBy, number, issuer: api.config.ownerCompany },
        query,
      )
      if (gone.aborted) return leave()
      const cut = () => {
        request.log.warn(
          { reqId: request.id, kind: kind.name, userId: session.userId },
          'report: cut, its reader is too slow',
        )
        reply.raw.destroy()
      }
      const isCrowded = () => turns.areOthersWaiting(session.userId)
      const stream = Readable.from(withMinimumRate(content, rates, isCrowded, cut), { objectMode: false })
      // Closed when the content has ended, and with it its transaction, not when the browser leaves.
      stream.once('close', leave)
      gone.addEventListener('abort', () => stream.destroy())
      stream.once('error', (error) =>
        request.log.warn({ err: error, reqId: request.id, kind: kind.name }, 'report: broke off'),
      )
      reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy())
      reply
        .type(contentTypeOf(name))
        .header('content-disposition', `attachment; filename="${name}"`)
        // Packed already, or too large to be packed on the way.
        .header('content-encoding', 'identity')
        .send(stream)
    } catch (error) {
      leave()
      throw error
    }
  })
}
