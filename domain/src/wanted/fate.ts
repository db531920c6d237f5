import type { MessageFate } from '@rogatka/contract/wanted.ts'

type SentMessage = { createdAt: Date; sentAt: Date | null; notBefore: Date | null; attempts: number }

/** The outbox gives up a message that was refused for so long. */
const GIVE_UP_MS = 3 * 86_400_000

/** What became of a message; `canSend`: there is something to send it by. */
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
