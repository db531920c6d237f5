import type { Database } from '../core/database.ts'
import { decrypt, encrypt } from '../core/secrets.ts'
import { lockWebhook, replaceSecrets, type WebhookRow, webhooks } from './queries.ts'

/** Associated data of the encryption: a secret cannot be decrypted in the row of another subscription. */
const contextOf = (id: number): string => `secret of webhook ${id}`

export const encryptSecret = (key: Buffer, secret: string, id: number): Buffer => encrypt(key, secret, contextOf(id))

type Secrets = Pick<WebhookRow, 'id' | 'secret' | 'previousSecret' | 'previousUntil'>

/** The secrets that sign now, the newest first; none if the key is not that with which they were stored. */
export function secretsOf(key: Buffer, { id, secret, previousSecret, previousUntil }: Secrets, now: Date): string[] {
  const isValid = previousSecret !== null && previousUntil !== null && previousUntil > now
  return [secret, ...(isValid ? [previousSecret] : [])]
    .map((bytes) => decrypt(key, bytes, contextOf(id)))
    .filter((text) => text !== null)
}

/**
 * Encrypts all secrets with another key, also previous ones of webhooks that were given a new secret since. Idempotent.
 * `unreadable`: webhooks with a secret that neither key decrypts, which is unchanged.
 */
export async function rotateWebhookSecrets(db: Database, from: Buffer, to: Buffer) {
  const done = { renewed: 0, unreadable: 0 }
  for (const { id } of await webhooks(db)) {
    const row = await lockWebhook(db, id)
    if (!row) continue
    const secret = reencrypt(row.secret, from, to, id)
    const previous = row.previousSecret && reencrypt(row.previousSecret, from, to, id)
    if (secret === null || (row.previousSecret && previous === null)) done.unreadable++
    const next = { secret: secret ?? row.secret, previous: previous ?? row.previousSecret }
    if (next.secret === row.secret && next.previous === row.previousSecret) continue
    await replaceSecrets(db, id, next.secret, next.previous)
    done.renewed++
  }
  return done
}

/** The same bytes if they are encrypted with `to`; null if neither key decrypts them. */
function reencrypt(bytes: Buffer, from: Buffer, to: Buffer, id: number): Buffer | null {
  if (decrypt(to, bytes, contextOf(id)) !== null) return bytes
  const secret = decrypt(from, bytes, contextOf(id))
  return secret === null ? null : encryptSecret(to, secret, id)
}
