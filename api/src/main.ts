import './core/threads.ts'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { connect } from './core/database.ts'
import { startEmbedded } from './core/embedded.ts'
import { startJobs } from './core/jobs.ts'
import { migrate } from './core/migrate.ts'
import { watchSchema } from './core/schema-version.ts'
import { startDemo, thingsToTry } from './demo.ts'
import { seedLegalLimits } from './locations/queries.ts'
import { adoptTickets } from './tickets/queries.ts'
import { ensureAdministrator } from './users/administrator.ts'
import { preparePartitions } from './vehicle/maintenance.ts'

/** So long a stop may take before it is forced. */
const DRAIN_MS = 10_000

/** What has been started, and how to end it: the last first. */
const running: (() => unknown)[] = []

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const embedded = config.databaseUrl ? null : await startEmbedded(join(config.dataDir, 'postgres'))
  running.push(() => embedded?.stop())
  const databaseUrl = config.databaseUrl ?? (embedded?.url as string)
  await migrate(databaseUrl, ['info', 'debug', 'trace'].includes(config.logLevel) ? console.log : undefined)

  const db = connect(databaseUrl, config.connections)
  running.push(() => db.end(2_000))
  await seedLegalLimits(db)
  await adoptTickets(db, config.organization)
  await preparePartitions(db, new Date(), config.partitions)
  const password = config.adminPassword ?? (config.demo ? randomBytes(12).toString('base64url') : undefined)
  const created = await ensureAdministrator(db, password, new Date())

  const app = await createApp(config, db)
  await app.listen()
  const jobs = startJobs(databaseUrl, app.jobs, app.api.http.log)
  running.push(() => jobs.stop(), app.close)
  const watch = watchSchema(db, (migration) => {
    app.api.http.log.error({ migration }, 'a newer version has migrated the database: this process ends')
    void starting.then(() => stop(1))
  })
  running.push(watch.stop)
  const address = await app.api.http.listen({ host: config.host, port: config.port })
  const demo = config.demo ? await startDemo(app.api, address) : null
  running.push(() => demo?.stop())

  console.log(`Rogatka ${config.buildCode}: ${address}`)
  if (created) console.log(`Sign-in: admin / ${config.adminPassword ? 'ADMIN_PASSWORD' : password}`)
  if (demo) console.log(thingsToTry(address, config.buildCode))
}

async function stop(exitCode: number): Promise<void> {
  setTimeout(() => process.exit(1), DRAIN_MS).unref()
  for (const end of running.splice(0).reverse()) await end()
  process.exit(exitCode)
}

// A signal may come while parts are still being started: they are let stand first, so that all of them can be ended.
let starting: Promise<void>
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => starting.then(() => stop(0)))

starting = start().catch((error: Error) => {
  console.error(error.message)
  return stop(1)
})
