import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Connection, Pool } from './database.ts'
import { freeBytes } from './disk.ts'
import { sql } from './statement.ts'
import { withTimeout } from './timeout.ts'

/** Whoever asks whether the server is ready has an answer within 2 s. */
const CHECK_TIMEOUT_MS = 1_500

/** Opens what watches over the server: alive, ready (the database answers and `ready` agrees), and the metrics. */
export function healthRoutes(http: FastifyInstance, db: Pool, dataDir: string, ready: () => boolean): Registry {
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
  const database = databaseCheck(db)
  http.addHook('onClose', database.stop)
  http.get('/readyz', hidden, async (_request, reply) => {
    const answers = await database.answers()
    const isReady = answers && ready()
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', database: answers })
  })
  http.get('/metrics', hidden, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  return registry
}

/** Asks the database on a connection of its own: those of the pool may all be busy, which is no reason to be not ready. */
function databaseCheck(db: Pool) {
  let connection: Promise<Connection> | undefined
  let asked: Promise<boolean> | undefined

  const hangUp = async () => {
    const last = connection
    connection = undefined
    await last?.then(({ close }) => close()).catch(() => {})
  }
  /** One that the database closes, as by a restart, is opened anew by the next question. */
  const openChecked = () => {
    const opening = db.open()
    const forget = () => {
      if (connection === opening) connection = undefined
    }
    opening.then(({ closed }) => closed.then(forget)).catch(() => {})
    return opening
  }
  const ask = async () => {
    connection ??= openChecked()
    try {
      const answer = connection.then((open) => open.query(sql`select 1`))
      await withTimeout(answer, CHECK_TIMEOUT_MS)
      return true
    } catch {
      // What was asked may never be answered: the next one does not wait behind it.
      void hangUp()
      return false
    }
  }

  return {
    /** Several who ask at once share an answer. */
    answers: () => {
      asked ??= ask().finally(() => {
        asked = undefined
      })
      return asked
    },
    stop: hangUp,
  }
}
