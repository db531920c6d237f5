import type { Config } from '../config.ts'
import type { Database, Pool } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { enqueueMessage, type OutboxChannel } from '../core/outbox.ts'
import { withLease } from './lease.ts'
import { pullTickets } from './pull.ts'
import { pushTicket } from './push.ts'
import type { Service } from './service.ts'
import { createServiceAccount } from './service-account.ts'
import { accountsToMake, recordPullFailure, ticketsToPush } from './sync-queries.ts'
import { createZammadClient } from './zammad.ts'

const TICKET_PUSH = 'ticket-push'
const TICKET_ACCOUNT = 'ticket-account'

/** The ticket service, where one is configured. */
export function ticketService(config: Config, files: Files): Service | null {
  const { zammad, secretKey, organization } = config
  return zammad && secretKey && { zammad: createZammadClient(zammad), files, key: secretKey, config: { organization } }
}

/** How tickets and accounts leave: they go through the outbox, so every failure is tried again and seen. */
export function ticketsOutgoing(db: Pool, service: Service | null): Record<string, OutboxChannel> {
  // What is carried is done while it is composed; no mail is left to be sent.
  const mailer = { canSend: service !== null, send: async () => {} }
  const idIn = (details: Record<string, unknown>) => Number(details.id)
  return {
    [TICKET_PUSH]: {
      compose: async (_sql, { details }, now) => {
        if (service) await pushTicket(db, service, idIn(details), now)
        return null
      },
      mailer,
    },
    [TICKET_ACCOUNT]: {
      compose: async (_sql, { details }, now) => {
        if (service) await createServiceAccount(db, service, idIn(details), now)
        return null
      },
      mailer,
    },
  }
}

/**
 * Every minute: brings what is new there, and puts into the outbox what is new here. A round that outlasts its minute is
 * not joined by the next.
 */
export async function syncTickets(db: Pool, service: Service | null, now: Date): Promise<void> {
  if (!service) return
  await withLease(db, 'tickets of the service', async () => {
    await orderPushes(db, service, now)
    try {
      await pullTickets(db, service, now)
      await recordPullFailure(db, null, now)
    } catch (error) {
      await recordPullFailure(db, (error as Error).message, now)
    }
  })
}

/** A change that happens while its message is on the way is found by the next round. */
async function orderPushes(db: Database, { config }: Service, now: Date): Promise<void> {
  for (const { id, number, version, file } of await ticketsToPush(db, config.organization, now))
    await enqueueMessage(
      db,
      message(TICKET_PUSH, id, number, file === 0 ? `${version}` : `${version}.${file}`, now),
      now,
    )
  for (const { id, email } of await accountsToMake(db, now))
    await enqueueMessage(db, message(TICKET_ACCOUNT, id, email, email, now), now)
}

const message = (kind: string, id: number, recipient: string, state: string, now: Date) => ({
  kind,
  recipient,
  language: 'pl' as const,
  details: { id },
  // Once a day at most: a message that was given up gets a successor.
  once: `${kind} ${id} ${state} ${now.toISOString().slice(0, 10)}`,
})
