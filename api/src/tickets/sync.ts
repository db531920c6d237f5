import type { Config } from '../config.ts'
import type { Database, Pool } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { enqueueMessage, type OutboxChannel } from '../core/outbox.ts'
import { withLease } from './lease.ts'
import { pullTickets } from './pull.ts'
import { pushTicket } from './push.ts'
import type { Service } from './service.ts'
import { createServiceAccount } from './service-account.ts'
import { accountsToCreate, recordPullFailure, ticketsToPush } from './sync-queries.ts'
import { createZammadClient } from './zammad.ts'

const TICKET_PUSH = 'ticket-push'
const TICKET_ACCOUNT = 'ticket-account'

/** The configured ticket service; null if none. */
export function ticketService(config: Config, files: Files): Service | null {
  const { zammad, secretKey, organization } = config
  return zammad && secretKey && { zammad: createZammadClient(zammad), files, key: secretKey, config: { organization } }
}

/** Outbox channels for tickets and accounts, which retry and show failures. */
export function ticketChannels(db: Pool, service: Service | null): Record<string, OutboxChannel> {
  // Composing does the work; there is no mail to send.
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

/** Pulls remote changes and enqueues local ones; every minute, under a lease. */
export async function syncTickets(db: Pool, service: Service | null, now: Date): Promise<void> {
  if (!service) return
  await withLease(db, 'tickets of the service', async () => {
    await enqueuePushes(db, service, now)
    try {
      await pullTickets(db, service, now)
      await recordPullFailure(db, null, now)
    } catch (error) {
      await recordPullFailure(db, (error as Error).message, now)
    }
  })
}

/** A change during the transmission of its message is found by the next run. */
async function enqueuePushes(db: Database, { config }: Service, now: Date): Promise<void> {
  for (const { id, number, version, file } of await ticketsToPush(db, config.organization, now))
    await enqueueMessage(
      db,
      message(TICKET_PUSH, id, number, file === 0 ? `${version}` : `${version}.${file}`, now),
      now,
    )
  for (const { id, email } of await accountsToCreate(db, now))
    await enqueueMessage(db, message(TICKET_ACCOUNT, id, email, email, now), now)
}

const message = (kind: string, id: number, recipient: string, state: string, now: Date) => ({
  kind,
  recipient,
  language: 'pl' as const,
  details: { id },
  // At most one per day: an abandoned message is replaced.
  once: `${kind} ${id} ${state} ${now.toISOString().slice(0, 10)}`,
})
