import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pino from 'pino'
import { type Config, readConfig } from './config.ts'
import { assertBreachedPasswords } from './core/breached-passwords.ts'
import { COMPILE_CACHE } from './core/compile-cache.ts'
import { connect, type Pool } from './core/database.ts'
import { startEmbedded } from './core/embedded.ts'
import { migrate } from './core/migrate.ts'
import { watchSchema } from './core/schema-version.ts'
import { sql } from './core/statement.ts'
import { prepareTrailPartitions } from './core/trail-partitions.ts'
import { affordableWorkers, findPort, startWorkers } from './core/workers.ts'
import { startDemo, welcomeText } from './demo.ts'
import { openSigner, readAuthorities } from './evidence/certificate-store.ts'
import { seedLegalLimits } from './locations/queries.ts'
import { adoptTickets } from './tickets/queries.ts'
import { ensureAdministrator } from './users/administrator.ts'
import { preparePartitions } from './vehicle/maintenance.ts'

/** Connections with which this process prepares the database, checks its version and runs the demo. */
const MANAGER_CONNECTIONS = 2
/** Connections of a process to the primary by which it compares a replica with it. */
const REPLICA_CONNECTIONS = 1
/** Timeout of a graceful shutdown. */
const SHUTDOWN_TIMEOUT_MS = 10_000

/** Stop functions of started parts, called in reverse order. */
const stopFunctions: (() => unknown)[] = []

async function start(): Promise<void> {
  const config = readConfig(process.env)
  if (config.secondFactor !== 'off' && !config.secretKey)
    throw new Error(`Configuration: SECOND_FACTOR=${config.secondFactor} needs SECRET_KEY (openssl rand -hex 32)`)
  if (config.breachedPasswords)
    await assertBreachedPasswords(config.breachedPasswords).catch((error: Error) => {
      throw new Error(`Configuration: BREACHED_PASSWORDS: ${error.message}`)
    })
  await Promise.all([openSigner(config.evidence), config.stamps && readAuthorities(config.stamps)]).catch(
    (error: Error) => {
      throw new Error(`Configuration: ${error.message}`)
    },
  )
  const embedded = config.databaseUrl ? null : await startEmbedded(join(config.dataDir, 'postgres'))
  stopFunctions.push(() => embedded?.stop())
  const databaseUrl = config.databaseUrl ?? (embedded?.url as string)
  await migrate(databaseUrl, ['info', 'debug', 'trace'].includes(config.logLevel) ? console.log : undefined)

  const db = connect(databaseUrl, MANAGER_CONNECTIONS)
  stopFunctions.push(() => db.end(2_000))
  await seedLegalLimits(db)
  await adoptTickets(db, config.organization)
  await preparePartitions(db, new Date(), config.partitions)
  await prepareTrailPartitions(db, new Date())
  const password = config.adminPassword ?? (config.demo ? randomBytes(12).toString('base64url') : undefined)
  const created = await ensureAdministrator(db, password, config, new Date())

  const log = pino({ level: config.logLevel })
  const watch = watchSchema(db, (migration) => {
    log.error({ migration }, 'a newer version has migrated the database: this process ends')
    void starting.then(() => stop(1))
  })
  stopFunctions.push(watch.stop)
  const workers = await workersFor(db, config, log)
  const serving =
    workers === 1
      ? await (await import('./serving.ts')).startServing(config, databaseUrl, { runsJobs: true })
      : await startWorkers(workers, databaseUrl, await workerVariables(config, workers), (text) => log.error(text))
  stopFunctions.push(serving.stop)
  const { address } = serving
  const demo = config.demo ? await startDemo({ db, config, log }, address) : null
  stopFunctions.push(() => demo?.stop())

  console.log(`Rogatka ${config.buildCode}: ${address}`)
  if (created) console.log(`Sign-in: admin / ${config.adminPassword ? 'ADMIN_PASSWORD' : password}`)
  if (demo) console.log(welcomeText(address, config.buildCode))
}

/** What differs from the settings of this process: a worker decides by those whether the database is embedded. */
const workerVariables = async ({ host, port, mqtt }: Config, workers: number) => ({
  WORKERS: String(workers),
  PORT: String(await findPort(host, port)),
  ...(mqtt && { MQTT_PORT: String(await findPort(mqtt.host, mqtt.port)) }),
  NODE_COMPILE_CACHE: COMPILE_CACHE,
})

/** The number of server processes: `WORKERS`, but no more than the database has connections for. */
async function workersFor(db: Pool, { workers, connections, replica }: Config, log: pino.Logger): Promise<number> {
  const [{ max } = { max: 0 }] = await db.query<{ max: number }>(sql`
    select current_setting('max_connections')::int as max`)
  const affordable = affordableWorkers(max, connections + (replica ? REPLICA_CONNECTIONS : 0))
  if (workers > affordable)
    log.warn(`max_connections = ${max} of the database suffices for ${affordable} of ${workers} server processes`)
  return Math.min(workers, affordable)
}

async function stop(exitCode: number): Promise<void> {
  setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
  for (const end of stopFunctions.splice(0).reverse()) await end()
  process.exit(exitCode)
}

// A signal during start-up waits until all parts are started, so that all of them are stopped.
let starting: Promise<void>
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => starting.then(() => stop(0)))

starting = start().catch((error: Error) => {
  console.error(error.message)
  return stop(1)
})
