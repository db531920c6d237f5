import { MAX_DELIVERIES } from '@rogatka/contract/webhooks.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { auditAsSystem } from '../core/audit.ts'
import type { Pool } from '../core/database.ts'
import { deleteInBatches } from '../core/delete-batches.ts'
import { deleteWebhookEventsBefore } from '../core/webhook-events.ts'
import { deleteDone, lastUnlisted, pendingBefore } from './delivery-queries.ts'
import { webhooks } from './queries.ts'

/** How long events can be sent again. */
export const RETENTION_DAYS = 30

/** How long deliveries that were made are kept, but those that the subscription lists. */
const DONE_DAYS = 7

/** Deletes old events with their deliveries, also those that were never delivered, whose number is audited. */
export async function deleteOldEvents(db: Pool, now: Date, vehicleRetentionDays: number): Promise<void> {
  const before = new Date(now.getTime() - Math.min(RETENTION_DAYS, vehicleRetentionDays) * DAY_MS)
  for (const { name, count } of await pendingBefore(db, before))
    await auditAsSystem(db, now, { action: 'webhook-events-deleted', subject: name, after: { totalCount: count } })
  await deleteWebhookEventsBefore(db, before)
  await pruneDeliveries(db, new Date(now.getTime() - DONE_DAYS * DAY_MS))
}

/** Deletes deliveries made before a time; their events can still be sent again. */
async function pruneDeliveries(db: Pool, before: Date): Promise<void> {
  for (const { id } of await webhooks(db)) {
    const through = await lastUnlisted(db, id, MAX_DELIVERIES)
    if (through !== undefined) await deleteInBatches((limit) => deleteDone(db, id, { through, before }, limit))
  }
}
