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
