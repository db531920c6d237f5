import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from './database.ts'
import { freeBytes } from './disk.ts'

/** Opens what watches over the server: alive, ready (the database answers and `ready` agrees), and the metrics. */
export function healthRoutes(http: FastifyInstance, sql: Pool, dataDir: string, ready: () => boolean): Registry {
  const registry = new Registry()
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
    registers: [registry],
    collect() {
      this.set(ready() ? 1 : 0)
    },
  })
  new Gauge({
    name: 'rogatka_disk_free_bytes',
    help: 'Room on the disk of DATA_DIR; below DISK_RESERVE_MB nothing is taken from stations',
    registers: [registry],
    async collect() {
      this.set((await freeBytes(dataDir)) ?? Number.NaN)
    },
  })
  http.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })

  const hidden = { schema: { hide: true }, config: { unlimited: true } }
  http.get('/healthz', hidden, () => ({ status: 'alive' }))
  http.get('/readyz', hidden, async (_request, reply) => {
    const answers = await sql`select 1`.then(
      () => true,
      () => false,
    )
    const isReady = answers && ready()
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', database: answers })
  })
  http.get('/metrics', hidden, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  return registry
}
