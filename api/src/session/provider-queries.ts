import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

type ProviderRequest = {
  transactionHash: Buffer
  provider: string
  purpose: ProviderPurpose
  /** Of the session to step up or to link, or of the sign-in that is to be linked; null for a sign-in. */
  tokenHash: Buffer | null
}

/** What an answer of a provider is for; each is accepted for nothing else. */
export type ProviderPurpose = 'sign-in' | 'step-up' | 'link'

export const insertProviderRequest = (
  db: Database,
  {
    transactionHash,
    provider,
    purpose,
    tokenHash,
    passwordDigest,
  }: ProviderRequest & { passwordDigest: Buffer | null },
  now: Date,
) =>
  db.execute(sql`
  insert into provider_request (transaction_hash, provider, purpose, token_hash, password_digest, created_at)
  values (${transactionHash}, ${provider}, ${purpose}, ${tokenHash}, ${passwordDigest}, ${now}::timestamptz)`)

/**
 * Consumes a request; returns when it was made and what was verified for it, null if unknown, answered, of another provider, purpose or session, or
 * before `since`.
 */
export async function consumeProviderRequest(
  db: Database,
  { transactionHash, provider, purpose, tokenHash }: ProviderRequest,
  since: Date,
): Promise<{ createdAt: Date; passwordDigest: Buffer | null } | null> {
  const [row] = await db.query<{ isValid: boolean; createdAt: Date; passwordDigest: Buffer | null }>(sql`
    delete from provider_request where transaction_hash = ${transactionHash}
    returning provider = ${provider}
              and coalesce(purpose, case when token_hash is null then 'sign-in' else 'step-up' end) = ${purpose}
              and token_hash is not distinct from ${tokenHash}
              and created_at > ${since}::timestamptz as "isValid",
              created_at as "createdAt", password_digest as "passwordDigest"`)
  if (!row?.isValid) return null
  const { createdAt, passwordDigest } = row
  return { createdAt, passwordDigest }
}

export const deleteExpiredProviderRequests = (db: Database, before: Date) =>
  db.execute(sql`delete from provider_request where created_at <= ${before}::timestamptz`)
