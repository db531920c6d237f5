import type { Database } from '../core/database.ts'
import { LOCKS } from '../core/locks.ts'
import { sql } from '../core/statement.ts'

/** A seal: number `seq` of its chain, of the line with this id and time. */
export type Seal = { seq: number; id: number; at: Date; hash: Buffer }

/** Takes the lock of sealing for this transaction; returns false if another one has it. */
export async function tryLockSealing(db: Database): Promise<boolean> {
  const [row] = await db.query<{ isAllowed: boolean }>(sql`
    select pg_try_advisory_xact_lock(${LOCKS.sealing}) as "isAllowed"`)
  return row?.isAllowed ?? false
}

/** Waits for the lock of sealing, and takes it for this transaction. */
export const lockSealing = (db: Database) => db.query(sql`select pg_advisory_xact_lock(${LOCKS.sealing})`)

/** Until when vehicles and images are sealed, and when the last anchor was made; null: there is none. */
export async function sealingTimes(db: Database): Promise<{ sealedUntil: Date | null; anchoredAt: Date | null }> {
  const [times] = await db.query<{ sealedUntil: Date | null; anchoredAt: Date | null }>(sql`
    select coalesce((select sealed_until from passage_sealing), (select max(minute) from passage_seal)) as "sealedUntil",
           (select at from evidence_anchor order by number desc limit 1) as "anchoredAt"`)
  return times ?? { sealedUntil: null, anchoredAt: null }
}

/** The last seal of a chain. */
export async function findHead(db: Database, chain: string): Promise<Seal | undefined> {
  const [head] = await db.query<Seal>(sql`
    select seq, source_id as id, source_at as at, hash from log_seal where chain = ${chain} order by seq desc limit 1`)
  return head
}

/** The highest id with a seal; 0: none has one. */
export async function lastSealedId(db: Database, chain: string): Promise<number> {
  const [row] = await db.query<{ id: number | null }>(sql`
    select max(source_id) as id from log_seal where chain = ${chain}`)
  return row?.id ?? 0
}

/** @throws if a number or a line has a seal already, as another process was faster */
export const insertSeals = (db: Database, chain: string, seals: readonly Seal[]) =>
  db.execute(sql`
    insert into log_seal (chain, seq, source_id, source_at, hash)
    select ${chain}, seq, id, at, decode(hash, 'hex')
    from unnest(
      ${seals.map(({ seq }) => seq)}::bigint[], ${seals.map(({ id }) => id)}::bigint[],
      ${seals.map(({ at }) => at)}::timestamptz[], ${seals.map(({ hash }) => hash.toString('hex'))}::text[]
    ) as s (seq, id, at, hash)`)

/** Seals of a chain after the number `after`, in order. */
export const sealsAfter = (db: Database, chain: string, after: number, limit: number) =>
  db.query<Seal>(sql`
  select seq, source_id as id, source_at as at, hash
  from log_seal where chain = ${chain} and seq > ${after}
  order by seq limit ${limit}`)

/** The seal with this number. */
export async function sealAt(db: Database, chain: string, seq: number): Promise<Seal | undefined> {
  const [seal] = await db.query<Seal>(sql`
    select seq, source_id as id, source_at as at, hash from log_seal where chain = ${chain} and seq = ${seq}`)
  return seal
}

/**
 * Sequence numbers of lines since then. `offset 0` is an optimisation fence: without it the planner may look for their lowest number among
 * all of the chain.
 */
const numbersSince = (chain: string, since: Date, before = sql``) => sql`
  (select seq from log_seal where chain = ${chain} and source_at >= ${since}::timestamptz ${before} offset 0) as numbers`

/** The lowest number of a line since then; beyond the last number if there is none. */
export async function firstSealSince(db: Database, chain: string, since: Date): Promise<number> {
  const [row] = await db.query<{ seq: number }>(sql`
    select coalesce((select min(seq) from ${numbersSince(chain, since)}),
                    (select max(seq) + 1 from log_seal where chain = ${chain}), 1) as seq`)
  return row?.seq ?? 1
}

/** The seals of these lines, in order. */
export const sealsOfLines = (db: Database, chain: string, keys: readonly { id: number }[]) =>
  db.query<Seal>(sql`
  select seq, source_id as id, source_at as at, hash
  from log_seal where chain = ${chain} and source_id = any(${keys.map(({ id }) => id)}::bigint[])
  order by seq`)

/** The first and the last number of lines in [from, to); undefined: there are none. */
export async function sealedBetween(
  db: Database,
  chain: string,
  { from, to }: { from: Date; to: Date },
): Promise<{ first: number; last: number } | undefined> {
  const [row] = await db.query<{ first: number | null; last: number | null }>(sql`
    select min(seq) as first, max(seq) as last
    from ${numbersSince(chain, from, sql`and source_at < ${to}::timestamptz`)}`)
  return row?.first && row.last ? { first: row.first, last: row.last } : undefined
}
