import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect, type Pool } from '../core/database.ts'
import { startEmbedded } from '../core/embedded.ts'
import { migrate } from '../core/migrate.ts'
import { partitionUnits } from '../core/partitions.ts'
import { raw } from '../core/statement.ts'
import { prepareTrailPartitions } from '../core/trail.ts'
import { seedLegalLimits } from '../locations/queries.ts'
import { ensureVehiclePartitions } from '../vehicle/maintenance.ts'
import { databaseFolder } from './database-folder.ts'
import { installPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which each test clones its database from the template. */
    databaseServer: string
  }
}

/** The template has the partitions of vehicles and of the access trail that the clocks of most tests need. */
export const TEMPLATE_TIME = new Date('2026-10-20')
export const TEMPLATE = 'rogatka_template'

/** Drops the partitions of vehicles of a database without vehicles. */
export const dropVehiclePartitions = (db: Pool): Promise<number> =>
  db.execute(
    raw(`do $$ declare partition regclass; begin
         for partition in select inhrelid from pg_inherits
             where inhparent in ('vehicle'::regclass, 'vehicle_detail'::regclass, 'vehicle_image'::regclass)
         loop execute format('drop table %s', partition);
         end loop; end $$`),
  )

/** Once per run: a temporary PostgreSQL with a migrated template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await databaseFolder('rogatka-test-')
  // No durability needed.
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
  const embedded = await startEmbedded(join(folder, 'postgres'), settings, binaries)
  const db = connect(embedded.url, 1)
  // Each test opens some 16 connections, each of which derives a key by 4,096 iterations otherwise.
  await db.query(raw('set scram_iterations = 1'))
  await db.query(raw(`alter role current_user password '${new URL(embedded.url).password}'`))
  await db.query(raw(`create database ${TEMPLATE}`))
  await db.end()
  const template = databaseAt(embedded.url, TEMPLATE)
  await migrate(template)
  const seeding = connect(template, 1)
  await seedLegalLimits(seeding)
  // Of the time of the tests' clock, instead of in each test.
  await prepareTrailPartitions(seeding, TEMPLATE_TIME)
  await ensureVehiclePartitions(
    seeding,
    [TEMPLATE_TIME],
    partitionUnits.find((unit) => unit === process.env.PARTITIONS) ?? 'month',
  )
  await seeding.end()
  project.provide('databaseServer', embedded.url)
  return async () => {
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export const databaseAt = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
