import { expiringCertificates } from '../certificates/public-api.ts'
import type { Pool } from '../core/database.ts'
import { recordCertificateEvent } from '../core/webhook-events.ts'

/** Stores an event for each certificate that has reached a further level of warning; one for each level. */
export async function recordEndingCertificates(db: Pool, now: Date): Promise<void> {
  for (const { expiry, locationId, laneNumber, scale } of await expiringCertificates(db, now)) {
    const data = { laneNumber, scale: scale?.name ?? null, lastDay: expiry.lastDay, level: expiry.warning?.level }
    await recordCertificateEvent(db, { locationId, data }, now)
  }
}
