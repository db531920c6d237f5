import { Readable } from 'node:stream'
import { hasAnyRight } from '@rogatka/contract/access.ts'
import { file } from '@rogatka/contract/reports.ts'
import type { FastifyReply } from 'fastify'
import { Refusal } from '../refusal.ts'
import { type Api, route } from '../route.ts'
import { orderOf } from './links.ts'
import { contentTypeOf, type ReportKind } from './report.ts'
import { createTurns } from './turns.ts'

/** Each report holds a connection to the database as long as it is written; the rest is for those who work. */
const AT_ONCE = 4
/** So long a browser may take nothing before it is taken for gone, and what its report holds is freed. */
const STALLED_MS = 60_000

/** Opens the links of reports: the file is made row by row while it is sent. */
export function reportRoutes(api: Api, kinds: readonly ReportKind[]): void {
  const turns = createTurns(AT_ONCE)

  route(api, file, async ({ sql, session, now, params, request, reply }) => {
    const order = await orderOf(sql, params.token, session.userId, now)
    const kind = kinds.find(({ name }) => name === order?.kind)
    if (!order || !kind) throw new Refusal('not-found', 404)
    if (!hasAnyRight(session.permissions, kind.access)) throw new Refusal('forbidden', 403)
    const { language, printedBy } = order
    const query = kind.query.parse(order.query)

    const gone = goneSignal(reply)
    const leave = await turns.take(gone)
    if (!leave) return
    // Whichever comes first, this or the end of the file: a query that it waits for may outlast the browser.
    gone.addEventListener('abort', leave)
    try {
      const { name, content } = await kind.make(
        { sql, session, now, language, printedBy, issuer: api.config.ownerCompany },
        query,
      )
      if (gone.aborted) return
      const stream = Readable.from(content, { objectMode: false })
      stream.once('close', leave)
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

/** Tells that whoever asked is gone, also when they went before anybody looked. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (reply.raw.destroyed) gone.abort()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}
