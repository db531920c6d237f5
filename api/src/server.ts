import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { connect } from './core/database.ts'
import { startEmbedded } from './core/embedded.ts'
import { startJobs } from './core/jobs.ts'
import { migrate } from './core/migrate.ts'
import { watchSchema } from './core/schema-version.ts'
import { startDemo, welcomeText } from './demo.ts'
import { seedLegalLimits } from './locations/queries.ts'
import { adoptTickets } from './tickets/queries.ts'
import { ensureAdministrator } from './users/administrator.ts'
import { preparePartitions } from './vehicle/maintenance.ts'

/** Timeout of a graceful shutdown. */
const SHUTDOWN_TIMEOUT_MS = 10_000

/** Stop functions of started parts, called in reverse order. */
const stopFunctions: (() => unknown)[] = []

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const embedded = config.databaseUrl ? null : await startEmbedded(join(config.dataDir, 'postgres'))
  stopFunctions.push(() => embedded?.stop())
  const databaseUrl = config.databaseUrl ?? (embedded?.url as string)
  await migrate(databaseUrl, ['info', 'debug', 'trace'].includes(config.logLevel) ? console.log : undefined)

  const db = connect(databaseUrl, config.connections)
  stopFunctions.push(() => db.end(2_000))
  await seedLegalLimits(db)
  await adoptTickets(db, config.organization)
  await preparePartitions(db, new Date(), config.partitions)
  const password = config.adminPassword ?? (config.demo ? randomBytes(12).toString('base64url') : undefined)
  const created = await ensureAdministrator(db, password, new Date())

  const app = await createApp(config, db)
  await app.listen()
  const jobs = startJobs(databaseUrl, app.jobs, app.api.http.log)
  stopFunctions.push(() => jobs.stop(), app.close)
  const watch = watchSchema(db, (migration) => {
    app.api.http.log.error({ migration }, 'a newer version has migrated the database: this process ends')
    void starting.then(() => stop(1))
  })
  stopFunctions.push(watch.stop)
  const address = await app.api.http.listen({ host: config.host, port: config.port })
  const demo = config.demo ? await startDemo(app.api, address) : null
  stopFunctions.push(() => demo?.stop())

  console.log(`Rogatka ${config.buildCode}: ${address}`)
  if (created) console.log(`Sign-in: admin / ${config.adminPassword ? 'ADMIN_PASSWORD' : password}`)
  if (demo) console.log(welcomeText(address, config.buildCode))
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
