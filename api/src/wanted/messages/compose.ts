import { hasRight } from '@rogatka/contract/access.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { maskPlate, maskPlateIn } from '@rogatka/domain/vehicle/anonymity.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { type Compose, enqueueMessage, type Notification } from '../../core/outbox.ts'
import type { PassageKey } from '../../core/passage.ts'
import { interpolate } from '../../core/text.ts'
import { warsawTime } from '../../core/warsaw.ts'
import { wantedTexts } from '../texts.ts'
import { kindOf } from './kinds.ts'
import { contactOf, type Found, matchedEntries } from './queries.ts'

/** Nobody is told of what passed so long ago, such as by a mail server that was away for days. */
const STALE_MS = 3 * 86_400_000

type Texts = ReturnType<typeof wantedTexts>

const passageOf = ({ details }: Notification): PassageKey => ({
  locationId: Number(details.locationId),
  createdAt: new Date(String(details.createdAt)),
  id: Number(details.id),
})

/** The values of a text, as the owner of the contact may see them; the plates are those that are looked for. */
function valuesOf(found: readonly [Found, ...Found[]], { createdAt }: PassageKey, language: Language) {
  const [first] = found
  const anonymous = hasRight(first.permissions, 'Anonymization')
  const shown = (plate: string) => (anonymous ? maskPlate(plate) : displayPlate(plate, first.nationality))
  const described = found.map(({ description, plate }) => (anonymous ? maskPlateIn(description, plate) : description))
  const read = shown(first.plateLpr)
  const plates = [...new Set(found.map(({ plate }) => shown(plate)))].join(', ')
  return {
    plate: plates,
    read: plates === read ? '' : interpolate(wantedTexts(language).read, { read }),
    country: first.nationality ?? '?',
    station: first.shortName,
    lane: String(first.laneNumber),
    direction: first.direction,
    time: warsawTime(createdAt),
    description: [...new Set(described)].join(' · '),
  }
}

/** What is told, with its values; null when nobody wants to know any more: entry, contact or owner gone, or a false hit. */
const told =
  (write: (words: Texts, values: ReturnType<typeof valuesOf>, key: PassageKey) => { subject: string; text: string }) =>
  async (db: Parameters<Compose>[0], notice: Notification, now: Date) => {
    if (notice.details.test === true) return testMessage(db, notice, now)
    const key = passageOf(notice)
    if (now.getTime() - key.createdAt.getTime() > STALE_MS) return null
    const [first, ...rest] = await matchedEntries(db, Number(notice.details.contactId), key)
    if (!first) return null
    if (await isForwarded(db, notice, first, now)) return null
    const values = valuesOf([first, ...rest], key, notice.language)
    return { to: first.contact, ...write(wantedTexts(notice.language), values, key) }
  }

/** What was to be a mail may have to be a text message by now, or the reverse: then another message takes its place. */
async function isForwarded(
  db: Parameters<Compose>[0],
  notice: Notification,
  { contact, typeOfContact }: Pick<Found, 'contact' | 'typeOfContact'>,
  now: Date,
): Promise<boolean> {
  const kind = kindOf(typeOfContact)
  if (kind === notice.kind) return false
  const { contactId, locationId, createdAt, id } = notice.details
  const once = `wanted ${contactId} ${locationId} ${id}@${createdAt} ${kind}`
  await enqueueMessage(db, { ...notice, kind, recipient: contact, once, notBefore: null }, now)
  return true
}

async function testMessage(db: Parameters<Compose>[0], notice: Notification, now: Date) {
  const contact = await contactOf(db, Number(notice.details.contactId))
  if (!contact || kindOf(contact.typeOfContact) !== notice.kind) return null
  const { subject, text } = wantedTexts(notice.language).test
  return { to: contact.contact, subject, text: interpolate(text, { time: warsawTime(now) }) }
}

/** A mail to a contact, with a link to the vehicle in the archive. */
export const composeMail = (pageUrl: string): Compose =>
  told(({ subject, lines }, values, { id, locationId, createdAt }) => ({
    subject: interpolate(subject, values),
    text: [
      ...lines.map((line) => interpolate(line, values)),
      `${pageUrl}/vehicleArch/${id}/${locationId}/${createdAt.toISOString()}`,
    ].join('\n\n'),
  }))

/** A text message: one line. */
export const composeSms: Compose = told(({ sms }, values) => ({ subject: '', text: interpolate(sms, values) }))
