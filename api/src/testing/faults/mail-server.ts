import { MAIL_TIMEOUT_MS, type Mailer, type Message } from '../../core/mail.ts'
import { LEASE_MS } from '../../core/outbox.ts'
import type { Backends } from './backends.ts'
import { type Deliveries, deliveryKey } from './jobs.ts'
import type { Owner, World } from './world.ts'

export type MailFaults = { refused: number; unanswered: number; slow: number }

type AcceptedMail = { key: string; to: string }

/**
 * A mail server, and the check of the outbox: no message is sent again after it was recorded as sent, nor by two living
 * processes at once.
 */
export function createMailServer(world: World, backends: Backends, deliveries: Deliveries, faults: MailFaults) {
  const accepted: AcceptedMail[] = []
  /** Attempts that have not ended. */
  const running = new Set<{ key: string; owner: Owner }>()

  async function check(owner: Owner, key: string) {
    const id = Number(/^rogatka-(\d+)-/.exec(key)?.[1])
    const rows = await backends.ask<{ sentAt: Date | null }>(`select sent_at as "sentAt" from outbox where id = $1`, [
      id,
    ])
    if (rows.length === 0) world.violate(`mail ${key} is of no message`)
    if (rows[0]?.sentAt) world.violate(`mail ${key} is sent again after it was recorded as sent`)
    for (const other of running)
      if (other.key === key && other.owner.isAlive) {
        const startedAt = deliveries.get(deliveryKey(other.owner.name, id)) ?? 0
        if (other.owner !== owner && startedAt + LEASE_MS > world.nowMs())
          world.violate(`mail ${key} is sent by ${owner.name} while ${other.owner.name} sends it`)
      }
  }

  const mailer = (owner: Owner): Mailer => {
    const happens = (probability: number) => !world.isCalm && world.random.happens(probability)
    return {
      canSend: true,
      send: async (message: Message) => {
        const { key = '', to } = message
        const attempt = { key, owner }
        running.add(attempt)
        try {
          const answer = await world.call(owner, `mail ${key} to ${to}`, async () => {
            await check(owner, key)
            if (happens(faults.refused)) return 'refused'
            accepted.push({ key, to })
            world.onDone(owner)
            return happens(faults.unanswered) ? 'unanswered' : happens(faults.slow) ? 'slow' : 'accepted'
          })
          world.record(owner, `mail ${answer}`)
          if (answer === 'slow')
            await new Promise((resolve) => setTimeout(resolve, world.random.below(MAIL_TIMEOUT_MS)))
          if (answer === 'unanswered') {
            await new Promise((resolve) => setTimeout(resolve, MAIL_TIMEOUT_MS))
            throw new Error('SMTP timeout')
          }
          if (answer === 'refused') throw new Error('451 try again later')
        } finally {
          running.delete(attempt)
        }
      },
    }
  }
  return { mailer, accepted }
}
