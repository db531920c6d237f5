import { inject as provided, vi } from 'vitest'
import { connect, type Pool } from '../core/database.ts'
import { identifier, join, raw, type Statement } from '../core/statement.ts'
import { databaseAt } from './setup.ts'

/** Whether all tables of a test are on one server; docs/databases.md lists what is left out otherwise. */
export const isOnOneServer = provided('workerServers').length === 0

/** Connections that create and drop databases: a new one takes half as long as the copy of a database. */
const maintenance = new Map<string, Pool>()

function maintenanceOf(server: string): Pool {
  const pool = maintenance.get(server) ?? connect(server, 1)
  maintenance.set(server, pool)
  return pool
}

/** Runs a statement outside of the databases of the tests, on the server to which they connect. */
export const maintain = (statement: Statement) => maintenanceOf(provided('databaseServer')).query(statement)

/** The same on each server that has a part of a distributed database: workers of Citus first. */
async function maintainAll(statement: Statement): Promise<void> {
  for (const server of provided('workerServers')) await maintenanceOf(server).query(statement)
  await maintain(statement)
}

/** Clones a database to which nobody is connected, by default the migrated template. Returns its address. */
export async function cloneDatabase(name: string, template = provided('template')): Promise<string> {
  await maintainAll(
    join(
      [raw('create database'), identifier(name), raw('template'), identifier(template), raw('strategy file_copy')],
      ' ',
    ),
  )
  return databaseAt(provided('databaseServer'), name)
}

/** Drops a database, with connections that are left. */
export async function dropDatabase(name: string): Promise<void> {
  const drop = join([raw('drop database if exists'), identifier(name)], ' ')
  // PostgreSQL waits for connections that are closing; force would make them fail.
  if (provided('workerServers').length === 0)
    await maintain(drop).catch(() => maintain(join([drop, raw('with (force)')], ' ')))
  // Those of Citus itself do not close, and come again.
  else await vi.waitFor(() => maintainAll(join([drop, raw('with (force)')], ' ')), { timeout: 20_000, interval: 500 })
}
