import type { FastifyInstance } from 'fastify'
import type { Pool } from './database.ts'
import { createDedicatedConnection } from './dedicated-connection.ts'
import type { Metrics } from './metrics.ts'
import { Refusal } from './refusal.ts'
import { sql } from './statement.ts'
import { metricsOf } from './workers.ts'

/** Readiness responds within 2 s. */
const CHECK_TIMEOUT_MS = 1_500

/**
 * Registers health checks: liveness, readiness (the database responds and `ready` returns true) and metrics. The replica,
 * if there is one, is named, but not needed.
 */
export function healthRoutes(
  http: FastifyInstance,
  db: Pool,
  { metrics, ready, isReplicaUsed }: { metrics: Metrics; ready: () => boolean; isReplicaUsed?: () => boolean },
): void {
  const { registry } = metrics
  http.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    metrics.recordResponse({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })

  const hidden = { schema: { hide: true }, config: { unlimited: true } }
  http.get('/healthz', hidden, () => ({ status: 'alive' }))
  const database = databaseCheck(db)
  http.addHook('onClose', async () => database.stop())
  http.get('/readyz', hidden, async (_request, reply) => {
    const isAvailable = await database.isAvailable()
    const isReady = isAvailable && ready()
    return reply.code(isReady ? 200 : 503).send({
      status: isReady ? 'ready' : 'not ready',
      database: isAvailable,
      ...(isReplicaUsed && { replica: isReplicaUsed() }),
    })
  })
  http.get('/metrics', hidden, async (request, reply) => {
    // The router decodes paths: a proxy that denies /metrics as it is written would let /%6detrics pass.
    if (!/^\/metrics(\?|$)/.test(request.raw.url ?? '')) throw new Refusal('not-found', 404)
    return reply.type(registry.contentType).send(await metricsOf(registry))
  })
}

/** Checks the database on its own connection: a busy pool does not mean unready. */
function databaseCheck(db: Pool) {
  const connection = createDedicatedConnection(db, CHECK_TIMEOUT_MS)
  let pending: Promise<boolean> | undefined

  return {
    /** Concurrent calls share one check. */
    isAvailable: () => {
      pending ??= connection
        .query(sql`select 1`)
        .then(
          () => true,
          () => false,
        )
        .finally(() => {
          pending = undefined
        })
      return pending
    },
    stop: connection.close,
  }
}
