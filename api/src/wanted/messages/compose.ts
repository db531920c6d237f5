import { hasRight } from '@rogatka/contract/access.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { maskPlate, maskPlateIn } from '@rogatka/domain/vehicle/anonymity.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import type { Compose, Notice } from '../../core/outbox.ts'
import { fillIn } from '../../core/text.ts'
import { warsawTime } from '../../core/warsaw.ts'
import de from '../de.json' with { type: 'json' }
import en from '../en.json' with { type: 'json' }
import lt from '../lt.json' with { type: 'json' }
import pl from '../pl.json' with { type: 'json' }
import ro from '../ro.json' with { type: 'json' }
import { type Found, foundFor, type Key } from './queries.ts'

const wording: Record<Language, typeof pl> = { pl, en, lt, de, ro }

/** Nobody is told of what passed so long ago, such as by a mail server that was away for days. */
const STALE_MS = 3 * 86_400_000

const passageOf = ({ details }: Notice): Key => ({
  locationId: Number(details.locationId),
  createdAt: new Date(String(details.createdAt)),
  id: Number(details.id),
})

/** The values of a text, as the owner of the contact may see them; the plates are those that are looked for. */
function valuesOf(found: readonly [Found, ...Found[]], { createdAt }: Key, language: Language) {
  const [first] = found
  const anonymous = hasRight(first.permissions, 'Anonymization')
  const shown = (plate: string) => (anonymous ? maskPlate(plate) : displayPlate(plate, first.nationality))
  const described = found.map(({ description, plate }) => (anonymous ? maskPlateIn(description, plate) : description))
  const read = shown(first.plateLpr)
  const plates = [...new Set(found.map(({ plate }) => shown(plate)))].join(', ')
  return {
    plate: plates,
    read: plates === read ? '' : fillIn(wording[language].read, { read }),
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
  (write: (words: typeof pl, values: ReturnType<typeof valuesOf>, key: Key) => { subject: string; text: string }) =>
  async (sql: Parameters<Compose>[0], notice: Notice, now: Date) => {
    const key = passageOf(notice)
    if (now.getTime() - key.createdAt.getTime() > STALE_MS) return null
    const [first, ...rest] = await foundFor(sql, Number(notice.details.contactId), key)
    if (!first) return null
    const values = valuesOf([first, ...rest], key, notice.language)
    return { to: notice.recipient, ...write(wording[notice.language], values, key) }
  }

/** A mail to a contact, with a link to the vehicle in the archive. */
export const composeMail = (pageUrl: string): Compose =>
  told(({ subject, lines }, values, { id, locationId, createdAt }) => ({
    subject: fillIn(subject, values),
    text: [
      ...lines.map((line) => fillIn(line, values)),
      `${pageUrl}/vehicleArch/${id}/${locationId}/${createdAt.toISOString()}`,
    ].join('\n\n'),
  }))

/** A text message: one line. */
export const composeSms: Compose = told(({ sms }, values) => ({ subject: '', text: fillIn(sms, values) }))
