import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

type ProviderRequest = {
  transactionHash: Buffer
  provider: string
  /** Of the session to step up; null for a sign-in. */
  tokenHash: Buffer | null
}

export const insertProviderRequest = (
  db: Database,
  { transactionHash, provider, tokenHash }: ProviderRequest,
  now: Date,
) =>
  db.execute(sql`
  insert into provider_request (transaction_hash, provider, token_hash, created_at)
  values (${transactionHash}, ${provider}, ${tokenHash}, ${now}::timestamptz)`)

/** Consumes a request; returns when it was made, null if unknown, answered, of another provider or session, or before `since`. */
export async function consumeProviderRequest(
  db: Database,
  { transactionHash, provider, tokenHash }: ProviderRequest,
  since: Date,
): Promise<Date | null> {
  const [row] = await db.query<{ isValid: boolean; createdAt: Date }>(sql`
    delete from provider_request where transaction_hash = ${transactionHash}
    returning provider = ${provider} and token_hash is not distinct from ${tokenHash}
              and created_at > ${since}::timestamptz as "isValid", created_at as "createdAt"`)
  return row?.isValid ? row.createdAt : null
}

export const deleteExpiredProviderRequests = (db: Database, before: Date) =>
  db.execute(sql`delete from provider_request where created_at <= ${before}::timestamptz`)
