import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Connection, Pool } from './database.ts'
import { freeBytes } from './disk.ts'
import { Refusal } from './refusal.ts'
import { sql } from './statement.ts'
import { withDatabaseTimeout } from './timeout.ts'
import { metricsOf, shareMetrics } from './workers.ts'

/** Readiness responds within 2 s. */
const CHECK_TIMEOUT_MS = 1_500

type HealthOptions = { dataDir: string; ready: () => boolean; liveEntries: () => number }

/** Registers health checks: liveness, readiness (the database responds and `ready` returns true) and metrics. */
export function healthRoutes(
  http: FastifyInstance,
  db: Pool,
  { dataDir, ready, liveEntries }: HealthOptions,
): Registry {
  const registry = new Registry()
  shareMetrics(registry)
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'rogatka_ready',
    help: '1 when the live window is complete and the database answers',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(ready() ? 1 : 0)
    },
  })
  new Gauge({
    name: 'rogatka_disk_free_bytes',
    help: 'Room on the disk of DATA_DIR; below DISK_RESERVE_MB nothing is taken from stations',
    aggregator: 'min',
    registers: [registry],
    async collect() {
      this.set((await freeBytes(dataDir)) ?? Number.NaN)
    },
  })
  new Gauge({
    name: 'rogatka_memory_bytes',
    help: 'Memory of the process: resident as a whole; the V8 heap as used, reserved and limited; external: outside the heap, array buffers included',
    labelNames: ['part'],
    aggregator: 'max',
    registers: [registry],
    collect() {
      const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
      this.set({ part: 'resident' }, rss)
      this.set({ part: 'heap_used' }, heapUsed)
      this.set({ part: 'heap_reserved' }, heapTotal)
      this.set({ part: 'heap_limit' }, getHeapStatistics().heap_size_limit)
      this.set({ part: 'external' }, external)
      this.set({ part: 'array_buffers' }, arrayBuffers)
    },
  })
  new Gauge({
    name: 'rogatka_live_window_entries',
    help: 'Vehicles, changes and removals that the live window holds in memory',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(liveEntries())
    },
  })
  http.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
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
  return registry
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
