import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startTcpProxy } from '@rogatka/api/testing/tcp-proxy.ts'
import type { Portal } from './portal.ts'

/** A TCP proxy to the database of a portal; `url`: the DATABASE_URL of a second server. */
export async function startDatabaseProxy({ dataDir }: Portal) {
  const password = (await readFile(join(dataDir, 'postgres.secret'), 'utf8')).trim()
  // Line 4 of the PID file of PostgreSQL is the port.
  const port = Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3])
  const proxy = await startTcpProxy('127.0.0.1', port)
  return { ...proxy, url: `postgres://rogatka:${password}@127.0.0.1:${proxy.port}/postgres` }
}
