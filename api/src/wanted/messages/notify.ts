import { clockOf, quietUntil } from '@rogatka/domain/wanted/quiet.ts'
import type { Database } from '../../core/database.ts'
import { enqueueMessage } from '../../core/outbox.ts'
import type { PassageKey } from '../../core/passage.ts'
import { kindOf } from './kinds.ts'
import { contactsToTell } from './queries.ts'

/** A vehicle that passed longer ago stops nobody: its hit is on the list, but nobody is woken for it. */
const ALARM_MS = 3_600_000

/**
 * Puts a message for every contact whose owner looks for these vehicles into the outbox, in the transaction that
 * writes them: one for each passage and contact, whatever the number of entries that found it.
 */
export async function notifyContacts(db: Database, passages: readonly PassageKey[], now: Date): Promise<void> {
  const fresh = passages.filter(({ createdAt }) => now.getTime() - createdAt.getTime() < ALARM_MS)
  if (fresh.length === 0) return
  for (const told of await contactsToTell(db, fresh)) {
    const { contactId, quietFrom, quietTo, locationId, createdAt, id } = told
    const quiet = quietFrom === null || quietTo === null ? null : { from: clockOf(quietFrom), to: clockOf(quietTo) }
    const notice = {
      kind: kindOf(told.typeOfContact),
      recipient: told.contact,
      language: told.language,
      details: { contactId, locationId, createdAt: createdAt.toISOString(), id },
      once: `wanted ${contactId} ${id}@${createdAt.getTime()}`,
      notBefore: quietUntil(now, quiet),
    }
    await enqueueMessage(db, notice, now)
  }
}
