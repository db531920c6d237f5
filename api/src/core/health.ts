import type { FastifyInstance } from 'fastify'
import type { Connection, Pool } from './database.ts'
import type { Metrics } from './metrics.ts'
import { Refusal } from './refusal.ts'
import { sql } from './statement.ts'
import { withDatabaseTimeout } from './timeout.ts'
import { metricsOf } from './workers.ts'

/** Readiness responds within 2 s. */
const CHECK_TIMEOUT_MS = 1_500

/** Registers health checks: liveness, readiness (the database responds and `ready` returns true) and metrics. */
export function healthRoutes(
  http: FastifyInstance,
  db: Pool,
  { metrics, ready }: { metrics: Metrics; ready: () => boolean },
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
  http.addHook('onClose', database.stop)
  http.get('/readyz', hidden, async (_request, reply) => {
    const isAvailable = await database.isAvailable()
    const isReady = isAvailable && ready()
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', database: isAvailable })
  })
  http.get('/metrics', hidden, async (request, reply) => {
    // The router decodes paths: a proxy that denies /metrics as it is written would let /%6detrics pass.
    if (!/^\/metrics(\?|$)/.test(request.raw.url ?? '')) throw new Refusal('not-found', 404)
    return reply.type(registry.contentType).send(await metricsOf(registry))
  })
}

/** Checks the database on its own connection: a busy pool does not mean unready. */
function databaseCheck(db: Pool) {
  let connection: Promise<Connection> | undefined
  let pending: Promise<boolean> | undefined

  const closeConnection = async () => {
    const last = connection
    connection = undefined
    await last?.then(({ close }) => close()).catch(() => {})
  }
  /** A connection closed by the database, as by a restart, is reopened by the next check. */
  const openConnection = () => {
    const opening = db.open()
    const clear = () => {
      if (connection === opening) connection = undefined
    }
    opening.then(({ closed }) => closed.then(clear)).catch(() => {})
    return opening
  }
  const check = async () => {
    connection ??= openConnection()
    try {
      const answer = connection.then((open) => open.query(sql`select 1`))
      await withDatabaseTimeout(answer, CHECK_TIMEOUT_MS)
      return true
    } catch {
      // The response may never come: the next check must not wait behind it.
      void closeConnection()
      return false
    }
  }

  return {
    /** Concurrent calls share one check. */
    isAvailable: () => {
      pending ??= check().finally(() => {
        pending = undefined
      })
      return pending
    },
    stop: closeConnection,
  }
}
