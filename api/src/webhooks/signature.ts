import { createHmac, randomBytes } from 'node:crypto'
import { WEBHOOK_SECRET_PREFIX } from '@rogatka/contract/webhooks.ts'

/** A new secret: 256 random bits, in base64. */
export const newWebhookSecret = (): string => WEBHOOK_SECRET_PREFIX + randomBytes(32).toString('base64')

/** The bytes of a secret. */
const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64')

type IdentifiedEvent = { eventId: number; createdAt: Date; hasTimeInId: boolean }

/**
 * The id of an event for receivers, which never changes. Its time distinguishes it from another one with the same number:
 * a restored database numbers new events from its backup on.
 */
export const eventIdOf = ({ eventId, createdAt, hasTimeInId }: IdentifiedEvent): string =>
  `evt_${String(eventId).padStart(12, '0')}${hasTimeInId ? `_${createdAt.getTime()}` : ''}`

/** The headers by which receivers verify a message (Standard Webhooks): a signature for each secret. */
export function signedHeaders(secrets: readonly string[], id: string, at: Date, body: string) {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    const digest = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
    return `v1,${digest}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
