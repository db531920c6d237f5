import type { Database } from './database.ts'
import { type Statement, sql } from './statement.ts'

/** A line of a log. */
export type LineKey = { id: number; at: Date }

/** Queues lines for their chain: in the statement that inserts them, `lines` with their `id` and `at`. */
export const queueLines = (chain: string, lines: Statement): Statement => sql`
  insert into log_unsealed (chain, source_id, source_at)
  select ${chain}, id, at from ${lines}`

/** Queues lines that were inserted without this, by processes of the previous version. */
export const queueMissed = (db: Database, chain: string, lines: readonly LineKey[]) =>
  db.execute(sql`
    insert into log_unsealed (chain, source_id, source_at)
    select ${chain}, id, at
    from unnest(${lines.map(({ id }) => id)}::bigint[], ${lines.map(({ at }) => at)}::timestamptz[]) as l (id, at)
    on conflict do nothing`)

/** Chains with lines to seal. */
export async function waitingChains(db: Database): Promise<string[]> {
  const rows = await db.prepared<{ chain: string }>(sql`
    (select chain from log_backfill) union (select distinct chain from log_unsealed)`)
  return rows.map(({ chain }) => chain)
}

/**
 * Takes lines from the queue, by id: call it in the transaction that seals them. Another one that takes the same waits
 * for its end.
 */
export async function takeQueued(db: Database, chain: string, limit: number): Promise<LineKey[]> {
  return db.query<LineKey>(sql`
    with taken as (
      delete from log_unsealed
      where chain = ${chain} and source_id in (
        select source_id from log_unsealed where chain = ${chain} order by source_id limit ${limit})
      returning source_id, source_at
    )
    select source_id as id, source_at as at
    from taken
    -- Queued again by another process while it was being sealed.
    where not exists (select from log_seal s where s.chain = ${chain} and s.source_id = taken.source_id)
    order by source_id`)
}

/** The lines of before the chain, which are sealed first: after the id `done`, up to `until`. Locks them. */
export async function findBackfill(db: Database, chain: string): Promise<{ done: number; until: number } | undefined> {
  const [row] = await db.query<{ done: number; until: number }>(sql`
    select done, until from log_backfill where chain = ${chain} for update`)
  return row
}

/** Null: all of them are sealed. */
export const saveBackfill = (db: Database, chain: string, done: number | null) =>
  db.execute(
    done === null
      ? sql`delete from log_backfill where chain = ${chain}`
      : sql`update log_backfill set done = ${done} where chain = ${chain}`,
  )

/** Lines that wait in the queue of a chain. */
export async function countQueued(db: Database, chain: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from log_unsealed where chain = ${chain}`)
  return row?.count ?? 0
}

/** The time of the oldest line that waits; null: none does. Ends of visits are left out: they have the time of the beginning. */
export async function oldestQueued(db: Database): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(sql`
    select min(source_at) as at from log_unsealed where chain <> 'visits'`)
  return row?.at ?? null
}

/** Whether a line waits to be sealed. */
export async function isQueued(db: Database, chain: string, id: number): Promise<boolean> {
  const rows = await db.query(sql`select from log_unsealed where chain = ${chain} and source_id = ${id}`)
  return rows.length > 0
}
