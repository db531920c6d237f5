import type { FastifyInstance } from 'fastify'
import { endSpan, type OpenSpan, runIn, startRoot } from './spans.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of a sampled request. */
    span: OpenSpan | undefined
  }
}

/**
 * Records requests as spans, by route, method and status. Everything up to the body, which is read elsewhere, runs as
 * part of the span; handlers have to enter it again. Probes of monitoring are left out.
 */
export function traceRequests(http: FastifyInstance): void {
  http.addHook('onRequest', (request, reply, done) => {
    const { url: route, config } = request.routeOptions
    if (config.unlimited) return done()
    // Of a trusted proxy only, which always adds the address of its client.
    const { traceparent } = request.headers
    const isTrusted = (request.ips?.length ?? 0) > 1
    const open = startRoot(
      route === undefined ? request.method : `${request.method} ${route}`,
      'server',
      {
        'http.request.method': request.method,
        ...(route !== undefined && { 'http.route': route }),
        'rogatka.request_id': request.id,
      },
      isTrusted && typeof traceparent === 'string' ? traceparent : undefined,
    )
    if (!open) return done()
    request.span = open
    const { raw } = reply
    raw.once('close', () => {
      const { statusCode } = raw
      if (!raw.headersSent) endSpan(open, {}, 'aborted')
      else
        endSpan(open, { 'http.response.status_code': statusCode }, statusCode >= 500 ? String(statusCode) : undefined)
    })
    runIn(open, done)
  })
}
