import { decrypt, encrypt } from '../core/secrets.ts'
import type { WebhookRow } from './queries.ts'

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
