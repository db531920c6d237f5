import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { clockOf, quietUntil } from '@rogatka/domain/wanted/quiet.ts'
import type { Database } from '../../core/database.ts'
import { enqueueMessage } from '../../core/outbox.ts'
import { type PassageKey, vehicleKey } from '../../core/passage.ts'
import { kindOf } from './kinds.ts'
import { contactsToNotify } from './queries.ts'

/** Older vehicles are listed as hits but cause no message. */
const MAX_VEHICLE_AGE_MS = HOUR_MS

/**
 * Enqueues a message for every contact whose owner lists these vehicles, in the transaction that inserts them: one per
 * vehicle and contact, however many entries match.
 */
export async function notifyContacts(db: Database, keys: readonly PassageKey[], now: Date): Promise<void> {
  const recent = keys.filter(({ createdAt }) => now.getTime() - createdAt.getTime() < MAX_VEHICLE_AGE_MS)
  if (recent.length === 0) return
  for (const contact of await contactsToNotify(db, recent)) {
    const { contactId, quietFrom, quietTo, locationId, createdAt, id } = contact
    const quiet = quietFrom === null || quietTo === null ? null : { from: clockOf(quietFrom), to: clockOf(quietTo) }
    const message = {
      kind: kindOf(contact.typeOfContact),
      recipient: contact.contact,
      language: contact.language,
      details: { contactId, locationId, createdAt: createdAt.toISOString(), id },
      once: `wanted ${contactId} ${vehicleKey(contact)}`,
      notBefore: quietUntil(now, quiet),
    }
    await enqueueMessage(db, message, now)
  }
}
