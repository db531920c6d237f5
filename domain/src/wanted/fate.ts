import type { MessageFate } from '@rogatka/contract/wanted.ts'
import { DAY_MS } from '../core/time.ts'

type SentMessage = { createdAt: Date; sentAt: Date | null; notBefore: Date | null; attempts: number }

/** Time after which the outbox gives up a rejected message. */
const GIVE_UP_MS = 3 * DAY_MS

/** Delivery state of a message; `canSend`: its channel is configured. */
export function fateOf(
  { createdAt, sentAt, notBefore, attempts }: SentMessage,
  canSend: boolean,
  now: Date,
): MessageFate {
  if (sentAt) return 'sent'
  if (!canSend) return 'unavailable'
  if (notBefore && notBefore > now) return 'quiet'
  if (attempts === 0) return 'waiting'
  return now.getTime() - createdAt.getTime() >= GIVE_UP_MS ? 'failed' : 'retrying'
}
