import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** What is stamped: a signed document, the list of hashes of a package, or the heads of the chains. */
export type StampKind = 'document' | 'manifest' | 'anchor'

export type Stamp = {
  /** TimeStampToken in DER. */
  token: Buffer
  /** The time that the token states. */
  stampedAt: Date
}

/**
 * Requests a time stamp of a SHA-256 of 32 bytes, within the transaction of `db`; jobs ask the authorities until one gives
 * it. The same imprint is requested once. Returns the id of the request. Call it only where authorities are configured.
 */
export async function requestStamp(db: Database, imprint: Buffer, about: StampKind, now: Date): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    insert into stamp_request (about, imprint, requested_at, next_at)
    values (${about}, ${imprint}, ${now}::timestamptz, ${now}::timestamptz)
    on conflict (imprint) do update set imprint = excluded.imprint
    returning id::int`)
  return (row as { id: number }).id
}

/** The time stamp of an imprint: null if it was requested and not given yet, undefined if it was never requested. */
export async function findStamp(db: Database, imprint: Buffer): Promise<Stamp | null | undefined> {
  const [row] = await db.query<{ token: Buffer | null; stampedAt: Date | null }>(sql`
    select token, stamped_at as "stampedAt" from stamp_request where imprint = ${imprint}`)
  if (!row) return undefined
  return row.token && row.stampedAt && { token: row.token, stampedAt: row.stampedAt }
}

/**
 * Inserts the request of a stamp that is attempted at once, and again at `nextAt` unless it succeeds. `isFailing`: the last attempt
 * of another one has failed.
 */
export async function insertStampAttempt(
  db: Database,
  imprint: Buffer,
  about: StampKind,
  now: Date,
  nextAt: Date,
): Promise<{ id: number; isFailing: boolean }> {
  const [row] = await db.query<{ id: number; isFailing: boolean }>(sql`
    insert into stamp_request (about, imprint, requested_at, next_at)
    values (${about}, ${imprint}, ${now}::timestamptz, ${nextAt}::timestamptz)
    on conflict (imprint) do update set imprint = excluded.imprint
    returning id::int, exists (
      select from stamp_request other where other.next_at is not null and other.error is not null
    ) as "isFailing"`)
  return row as { id: number; isFailing: boolean }
}

type DueStamp = { id: number; imprint: Buffer; failures: number }

/** Takes the request that has been due longest, until `lease`; undefined without. */
export async function claimDueStamp(db: Database, now: Date, lease: Date): Promise<DueStamp | undefined> {
  const [due] = await db.query<DueStamp>(sql`
    update stamp_request set next_at = ${lease}::timestamptz
    where id = (
      select id from stamp_request where next_at <= ${now}::timestamptz
      order by next_at limit 1 for update skip locked)
    returning id::int, imprint, attempts as failures`)
  return due
}

export const storeStamp = (db: Database, id: number, { token, stampedAt }: Stamp): Promise<number> =>
  db.execute(sql`
    update stamp_request
    set token = ${token}, stamped_at = ${stampedAt}::timestamptz, next_at = null, error = null, attempts = attempts + 1
    where id = ${id} and token is null`)

export const recordStampFailure = (db: Database, id: number, error: string, nextAt: Date): Promise<number> =>
  db.execute(sql`
    update stamp_request
    set error = ${error}, attempts = attempts + 1, next_at = ${nextAt}::timestamptz
    where id = ${id} and token is null`)

/** Days that requests for stamps of documents and packages are kept, with the stamps that documents were not given at once. */
export const STAMP_DAYS = 1_095

/** Deletes requests of that time and before, except those of anchors, which are kept as long as the anchors. */
export const deleteStampsBefore = (db: Database, before: Date): Promise<number> =>
  db.execute(sql`delete from stamp_request where about <> 'anchor' and requested_at <= ${before}::timestamptz`)

/** Number of stamps that were requested at or before an instant and not given. */
export async function countStampsMissingSince(db: Database, since: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from stamp_request
    where next_at is not null and requested_at <= ${since}::timestamptz`)
  return row?.count ?? 0
}
