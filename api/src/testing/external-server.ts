import { connect } from '../core/database.ts'
import { raw, sql } from '../core/statement.ts'

/** Fewer than in production: each test clones them. */
export const TEST_SHARDS = 4

type ExternalServer = { url: string; workers: string[]; stop: () => Promise<void> }

/**
 * The server of an address for the tests, whose account may create databases, and the workers if the database of the
 * address has Citus: at their own addresses, with the same account. Says in one line what it is.
 * @throws Error with one line if it does not answer
 */
export async function findServer(address: string): Promise<ExternalServer> {
  const db = connect(address, 1)
  try {
    const [server] = await db.query<{ version: string; citus: string | null }>(sql`
      select current_setting('server_version') as version,
             (select extversion from pg_extension where extname = 'citus') as citus`)
    const nodes = server?.citus
      ? await db.query<{ host: string; port: number }>(sql`
          select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by nodeport`)
      : []
    const workers = nodes.map(
      ({ host, port }) => Object.assign(new URL(address), { hostname: host, port: String(port) }).href,
    )
    const citus = server?.citus ? `, Citus ${server.citus} with ${workers.length} workers` : ''
    console.log(`Tests of the API on PostgreSQL ${server?.version}${citus}`)
    return { url: address, workers, stop: async () => {} }
  } catch (error) {
    throw new Error(`TEST_DATABASE_URL: no server answers, so no test ran: ${(error as Error).message}`)
  } finally {
    await db.end(1_000)
  }
}

/** Joins a new database of the coordinator and those of the same name on the workers. */
export async function createCluster(coordinator: string, workers: readonly string[]): Promise<void> {
  const { pathname } = new URL(coordinator)
  const addresses = [coordinator, ...workers.map((worker) => Object.assign(new URL(worker), { pathname }).href)]
  for (const address of addresses) {
    const db = connect(address, 1)
    await db.query(raw('create extension citus'))
    await db.end()
  }
  const db = connect(coordinator, 1)
  for (const [at, address] of addresses.entries()) {
    const { hostname, port } = new URL(address)
    const add = at === 0 ? 'citus_set_coordinator_host' : 'citus_add_node'
    await db.query(sql`select ${raw(add)}(${hostname}, ${Number(port)})`)
  }
  await db.end()
}
