import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../core/database.ts'
import { deletePendingIdTokens } from '../core/pending-sign-ins.ts'
import { decrypt, encrypt } from '../core/secrets.ts'
import { deleteIdTokens } from '../core/session-queries.ts'
import type { Session } from '../core/sessions.ts'
import type { ProviderClient } from './provider-client.ts'
import { sessionOrigin } from './queries.ts'

/** Longer ones, of users with very many groups, make addresses that servers refuse: the provider then asks which user to sign out. */
const MAX_ID_TOKEN = 4_000

const contextOf = (userId: number) => `id-token of ${userId}`

/** An ID token as it is stored with a session; null without a key, or if it is too long for an address. */
export const encryptIdToken = (key: Buffer | null, idToken: string, userId: number): Buffer | null =>
  key && idToken.length <= MAX_ID_TOKEN ? encrypt(key, idToken, contextOf(userId)) : null

/**
 * Deletes all stored ID tokens, before the key changes. Without one the provider asks which user to sign out; all sessions end
 * within 12 hours.
 */
export async function deleteStoredIdTokens(db: Database): Promise<void> {
  await deleteIdTokens(db)
  await deletePendingIdTokens(db)
}

/** How a session was opened; null: not through a provider at which a sign-out ends its own session, too. */
type Origin = { providerId: string; idToken: string | null } | null

/** Reads before the sign-out what it needs at the provider. */
export async function originOf(
  db: Database,
  { secretKey }: Pick<Config, 'secretKey'>,
  { tokenHash, userId }: Session,
): Promise<Origin> {
  const origin = await sessionOrigin(db, tokenHash)
  if (!origin?.provider) return null
  const { provider, idToken } = origin
  return { providerId: provider, idToken: secretKey && idToken && decrypt(secretKey, idToken, contextOf(userId)) }
}

/**
 * The address at which the provider ends its own session; null without one, or if the provider cannot be asked: the session
 * here has ended already.
 */
export async function logoutAddressOf(
  { client, log }: { client: ProviderClient; log: Pick<FastifyBaseLogger, 'warn'> },
  { providers }: Pick<Config, 'providers'>,
  origin: Origin,
): Promise<string | null> {
  if (!origin) return null
  const provider = providers.find(({ id }) => id === origin.providerId)
  if (!provider?.logout) return null
  return client.logoutAddressOf(provider, origin.idToken).catch((error: unknown) => {
    log.warn({ provider: provider.id, reason: String(error) }, 'sign-out at a provider failed')
    return null
  })
}
