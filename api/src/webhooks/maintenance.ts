import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { auditAsSystem } from '../core/audit.ts'
import type { Pool } from '../core/database.ts'
import { deleteWebhookEventsBefore } from '../core/webhook-events.ts'
import { pendingBefore } from './delivery-queries.ts'

/** How long events can be sent again. */
export const RETENTION_DAYS = 30

/** Deletes old events with their deliveries, also those that were never delivered, whose number is audited. */
export async function deleteOldEvents(db: Pool, now: Date, vehicleRetentionDays: number): Promise<void> {
  const before = new Date(now.getTime() - Math.min(RETENTION_DAYS, vehicleRetentionDays) * DAY_MS)
  for (const { name, count } of await pendingBefore(db, before))
    await auditAsSystem(db, now, { action: 'webhook-events-deleted', subject: name, after: { totalCount: count } })
  await deleteWebhookEventsBefore(db, before)
}
