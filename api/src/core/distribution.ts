import type { Database, Pool } from './database.ts'
import { identifier, type Statement, sql } from './statement.ts'

/**
 * The tables that grow with vehicles, the first one before those colocated with it. All others stay on the coordinator
 * (docs/decisions/134-vehicles-distributed-by-station.md).
 */
export const DISTRIBUTED_TABLES = ['vehicle', 'vehicle_detail', 'vehicle_image'] as const

/** Parts of a distributed table: at least one for each worker, which further workers can take over. */
export const DEFAULT_SHARDS = 32

/** `rows`: all of the table; `isNew`: it was distributed by this call. */
type DistributedTable = { table: string; rows: number; isNew: boolean }
export type Distribution = { workers: number; tables: DistributedTable[] }

/** Number of workers of Citus; null if the database does not have it. */
export async function countWorkers(db: Database): Promise<number | null> {
  const [found] = await db.query(sql`select from pg_extension where extname = 'citus'`)
  if (!found) return null
  const [row] = await db.query<{ workers: number }>(sql`
    select count(*)::int as workers from pg_dist_node where groupid <> 0 and isactive and noderole = 'primary'`)
  return row?.workers ?? 0
}

/**
 * Distributes the vehicles over the workers of Citus by station: all of a station are on one worker. Rows are copied, in
 * one transaction for each table, and nobody can read or write the table meanwhile. A repeated call leaves distributed
 * tables as they are and continues an interrupted one.
 * @throws Error if the database has no Citus, or Citus no workers
 */
export async function distribute(db: Pool, shards = DEFAULT_SHARDS): Promise<Distribution> {
  const workers = await countWorkers(db)
  if (workers === null) throw new Error('The database has no extension citus: see Citus in docs/operations.md')
  if (workers === 0) throw new Error('Citus has no workers: add them by citus_add_node, see docs/operations.md')
  const tables: DistributedTable[] = []
  for (const table of DISTRIBUTED_TABLES) tables.push(await distributeTable(db, table, shards))
  return { workers, tables }
}

/** The rows of transactions that Citus keeps. */
const KEPT = sql`select xmin::text::bigint as written from pg_dist_transaction`
/** Those that a worker still has to commit, or whose worker does not answer. Workers are asked after the rows were read. */
const UNCOMMITTED = sql`
  with answers as materialized (
    select groupid, result::json as prepared
    from run_command_on_workers('select coalesce(json_agg(gid), ''[]'') from pg_prepared_xacts')
    join pg_dist_node using (nodename, nodeport)
    where success
  )
  select t.xmin::text::bigint as written
  from pg_dist_transaction t
  left join answers a on a.groupid = t.groupid
  where a.groupid is null or t.gid in (select json_array_elements_text(prepared) from answers)`

/**
 * Two transaction ids. `unfinished`: everything of older transactions is visible. `pending`: the oldest transaction that
 * has ended, but of which vehicles may not be visible; null: none, as always without Citus. Citus commits on the
 * coordinator first, then on the workers, after a failure only when it repeats that. It keeps a row of each transaction
 * until it has made sure of that, for about a minute; `asksWorkers`: those rows do not count that are known to be done.
 */
export function openTransactions(isDistributed: boolean, { asksWorkers = false } = {}): Statement {
  if (!isDistributed)
    return sql`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as unfinished, null::bigint as pending`
  return sql`
    -- Rows of transactions have 32 bits of their ids.
    select least(min(oldest), min(newest - ((newest - written) & 4294967295))) as unfinished,
           min(newest - ((newest - written) & 4294967295)) as pending
    from (select pg_snapshot_xmin(snapshot)::text::bigint as oldest, pg_snapshot_xmax(snapshot)::text::bigint as newest
          from pg_current_snapshot() snapshot) now
    left join (${asksWorkers ? UNCOMMITTED : KEPT}) uncommitted on true`
}

function distributeTable(pool: Pool, table: string, shards: number): Promise<DistributedTable> {
  return pool.transaction(async (db) => {
    await db.liftTimeLimit()
    const [known] = await db.query(sql`select from pg_dist_partition where logicalrelid = ${table}::regclass`)
    if (!known) {
      const [first] = DISTRIBUTED_TABLES
      await db.query(
        table === first
          ? sql`select create_distributed_table(${table}, 'location_id', colocate_with => 'none', shard_count => ${shards})`
          : sql`select create_distributed_table(${table}, 'location_id', colocate_with => ${first})`,
      )
      // The copied rows, which nobody sees any more.
      await db.query(sql`select truncate_local_data_after_distributing_table(${table})`)
    }
    const [counted] = await db.query<{ rows: number }>(sql`select count(*)::float8 as rows from ${identifier(table)}`)
    return { table, rows: counted?.rows ?? 0, isNew: !known }
  })
}
