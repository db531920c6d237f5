import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Pool } from '../core/database.ts'
import { deleteWebhookEventsBefore } from '../core/webhook-events.ts'

/** How long events can be sent again. */
const RETENTION_DAYS = 30

/** Deletes old events with their deliveries, also those that were never delivered. */
export const deleteOldEvents = (db: Pool, now: Date, vehicleRetentionDays: number): Promise<void> =>
  deleteWebhookEventsBefore(db, new Date(now.getTime() - Math.min(RETENTION_DAYS, vehicleRetentionDays) * DAY_MS))
