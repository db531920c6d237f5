import { hasRight } from '@rogatka/contract/access.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { maskPlate, maskPlateIn } from '@rogatka/domain/vehicle/anonymity.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { type Compose, enqueueMessage, type Notification } from '../../core/outbox.ts'
import type { PassageKey } from '../../core/passage.ts'
import { warsawTime } from '../../core/warsaw.ts'
import { wantedTexts } from '../texts.ts'
import { kindOf } from './kinds.ts'
import { findRecipient, type MatchedEntry, matchedEntries } from './queries.ts'

/** Older vehicles are not notified, such as after days without a mail server. */
const STALE_MS = 3 * DAY_MS

const vehicleKeyOf = ({ details }: Notification): PassageKey => ({
  locationId: Number(details.locationId),
  createdAt: new Date(String(details.createdAt)),
  id: Number(details.id),
})

/** The values of a text as visible to the owner of the contact; `plates` are those of the entries. */
function valuesOf(found: readonly [MatchedEntry, ...MatchedEntry[]], { createdAt }: PassageKey, language: Language) {
  const [first] = found
  const isMasked = hasRight(first.permissions, 'Anonymization')
  const plateText = (plate: string) => (isMasked ? maskPlate(plate) : displayPlate(plate, first.nationality))
  const descriptions = found.map(({ description, plate }) => (isMasked ? maskPlateIn(description, plate) : description))
  const read = plateText(first.plateLpr)
  const plates = [...new Set(found.map(({ plate }) => plateText(plate)))].join(', ')
  return {
    plate: plates,
    read: plates === read ? '' : wantedTexts.format(language, 'read', { read }),
    country: first.nationality ?? '?',
    station: first.shortName,
    lane: String(first.laneNumber),
    direction: first.direction,
    time: warsawTime(createdAt),
    description: [...new Set(descriptions)].join(' · '),
  }
}

/** Creates a `Compose` function; it returns null if entry, contact or owner no longer exist, or for a false hit. */
const createCompose =
  (
    write: (
      language: Language,
      values: ReturnType<typeof valuesOf>,
      key: PassageKey,
    ) => { subject: string; text: string },
  ) =>
  async (db: Parameters<Compose>[0], notification: Notification, now: Date) => {
    if (notification.details.test === true) return testMessage(db, notification, now)
    const key = vehicleKeyOf(notification)
    if (now.getTime() - key.createdAt.getTime() > STALE_MS) return null
    const [first, ...rest] = await matchedEntries(db, Number(notification.details.contactId), key)
    if (!first) return null
    if (await forwardIfKindChanged(db, notification, first, now)) return null
    const values = valuesOf([first, ...rest], key, notification.language)
    return { to: first.contact, ...write(notification.language, values, key) }
  }

/** If the contact has changed between mail and SMS, enqueues a message of the new kind; returns whether it did. */
async function forwardIfKindChanged(
  db: Parameters<Compose>[0],
  notification: Notification,
  { contact, typeOfContact }: Pick<MatchedEntry, 'contact' | 'typeOfContact'>,
  now: Date,
): Promise<boolean> {
  const kind = kindOf(typeOfContact)
  if (kind === notification.kind) return false
  const { contactId, locationId, createdAt, id } = notification.details
  const once = `wanted ${contactId} ${locationId} ${id}@${createdAt} ${kind}`
  await enqueueMessage(db, { ...notification, kind, recipient: contact, once, notBefore: null }, now)
  return true
}

async function testMessage(db: Parameters<Compose>[0], notification: Notification, now: Date) {
  const contact = await findRecipient(db, Number(notification.details.contactId))
  if (!contact || kindOf(contact.typeOfContact) !== notification.kind) return null
  const { language } = notification
  const text = wantedTexts.format(language, 'test.text', { time: warsawTime(now) })
  return { to: contact.contact, subject: wantedTexts(language).test.subject, text }
}

/** A mail with a link to the vehicle in the archive. */
export const composeMail = (pageUrl: string): Compose =>
  createCompose((language, values, { id, locationId, createdAt }) => ({
    subject: wantedTexts.format(language, 'subject', values),
    text: [
      ...wantedTexts(language).lines.map((_, at) => wantedTexts.format(language, `lines.${at}`, values)),
      `${pageUrl}/vehicleArch/${id}/${locationId}/${createdAt.toISOString()}`,
    ].join('\n\n'),
  }))

/** An SMS of one line. */
export const composeSms: Compose = createCompose((language, values) => ({
  subject: '',
  text: wantedTexts.format(language, 'sms', values),
}))
