import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect, type Pool } from '../core/database.ts'
import { distribute } from '../core/distribution.ts'
import { startEmbedded } from '../core/embedded.ts'
import { migrate } from '../core/migrate.ts'
import { partitionUnits } from '../core/partitions.ts'
import { raw } from '../core/statement.ts'
import { prepareTrailPartitions } from '../core/trail-partitions.ts'
import { seedLegalLimits } from '../locations/queries.ts'
import { ensureVehiclePartitions } from '../vehicle/maintenance.ts'
import { databaseFolder } from './database-folder.ts'
import { createCluster, findServer, TEST_SHARDS } from './external-server.ts'
import { installPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which each test clones its database from the template. */
    databaseServer: string
    /** The workers of a Citus cluster, which have a database of the same name for each; none otherwise. */
    workerServers: string[]
    /** Name of the migrated database, to which nobody is connected. */
    template: string
  }
}

/** The template has the partitions of vehicles and of the access trail that the clocks of most tests need. */
export const TEMPLATE_TIME = new Date('2026-10-20')

/** Drops the partitions of vehicles of a database without vehicles. */
export const dropVehiclePartitions = (db: Pool): Promise<number> =>
  db.execute(
    raw(`do $$ declare partition regclass; begin
         for partition in select inhrelid from pg_inherits
             where inhparent in ('vehicle'::regclass, 'vehicle_detail'::regclass, 'vehicle_image'::regclass)
         loop execute format('drop table %s', partition);
         end loop; end $$`),
  )

type TestServer = { url: string; workers: string[]; stop: () => Promise<void> }

/** A temporary PostgreSQL, without durability: the embedded one, or of the major version `POSTGRES_MAJOR`. */
async function startTemporary(): Promise<TestServer> {
  const folder = await databaseFolder('rogatka-test-')
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    shared_buffers: '128MB',
    max_connections: '300',
    // Databases are then cloned as files, which is much faster.
    wal_level: 'minimal',
    max_wal_senders: '0',
  }
  // Set by `npm test -- postgres 16`.
  const { POSTGRES_MAJOR } = process.env
  const binaries = POSTGRES_MAJOR ? await installPostgres(POSTGRES_MAJOR) : undefined
  const { url, stop } = await startEmbedded(join(folder, 'postgres'), settings, binaries)
  const db = connect(url, 1)
  // Each test opens several connections, each of which derives a key by 4,096 iterations otherwise.
  await db.query(raw('set scram_iterations = 1'))
  await db.query(raw(`alter role current_user password '${new URL(url).password}'`))
  await db.end()
  return {
    url,
    workers: [],
    stop: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs statements on servers, outside of the databases of the tests. */
async function runOn(servers: readonly string[], ...statements: string[]): Promise<void> {
  for (const server of servers) {
    const db = connect(server, 1)
    try {
      for (const statement of statements) await db.query(raw(statement))
    } finally {
      await db.end()
    }
  }
}

/** Once per run: starts a template server. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, workers, template, stop } = await startTemplateServer()
  project.provide('databaseServer', url)
  project.provide('workerServers', workers)
  project.provide('template', template)
  return stop
}

/**
 * Prepares a migrated template database, on the server of TEST_DATABASE_URL or a temporary one. If the database of that
 * address has Citus with workers, the template is distributed over them.
 */
export async function startTemplateServer(): Promise<TestServer & { template: string; templateUrl: string }> {
  const { TEST_DATABASE_URL } = process.env
  const { url, workers, stop } = TEST_DATABASE_URL ? await findServer(TEST_DATABASE_URL) : await startTemporary()
  const servers = [url, ...workers]
  // Several runs may share a server.
  const template = TEST_DATABASE_URL ? `rogatka_template_${randomBytes(4).toString('hex')}` : 'rogatka_template'
  const templateUrl = databaseAt(url, template)
  const stopServer = async () => {
    if (TEST_DATABASE_URL) await runOn(servers, `drop database if exists ${template} with (force)`)
    await stop()
  }
  try {
    await prepareTemplate(templateUrl, servers)
  } catch (error) {
    await stopServer()
    throw error
  }
  return {
    url,
    workers,
    template,
    templateUrl,
    stop: stopServer,
  }
}

/** Creates the template database on the first server, with its part on the others. */
async function prepareTemplate(url: string, [server = '', ...workers]: readonly string[]): Promise<void> {
  const template = new URL(url).pathname.slice(1)
  await runOn([server, ...workers], `create database ${template}`)
  if (workers.length > 0) await createCluster(url, workers)
  await migrate(url)
  const seeding = connect(url, 1)
  try {
    await seedLegalLimits(seeding)
    if (workers.length > 0) await distribute(seeding, TEST_SHARDS)
    // Of the time of the tests' clock, instead of in each test.
    await prepareTrailPartitions(seeding, TEMPLATE_TIME)
    await ensureVehiclePartitions(
      seeding,
      [TEMPLATE_TIME],
      partitionUnits.find((unit) => unit === process.env.PARTITIONS) ?? 'month',
    )
  } finally {
    await seeding.end()
  }
  // Citus keeps connections to it, with which it cannot be cloned.
  if (workers.length > 0)
    await runOn(
      [server, ...workers],
      `alter database ${template} allow_connections false`,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${template}'`,
    )
}

export const databaseAt = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
