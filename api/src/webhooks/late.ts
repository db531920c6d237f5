import { MAX_WAIT_MINUTES } from '@rogatka/contract/webhooks.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { Pool } from '../core/database.ts'
import { markLate } from './delivery-queries.ts'
import { LATE_MAIL, notifyManagers } from './messages.ts'

/** Marks subscriptions whose oldest event waits for too long, and notifies their managers once per delay. */
export const markLateWebhooks = (db: Pool, now: Date): Promise<void> =>
  db.transaction(async (db) => {
    for (const webhook of await markLate(db, new Date(now.getTime() - MAX_WAIT_MINUTES * MINUTE_MS)))
      await notifyManagers(db, LATE_MAIL, webhook, now)
  })
