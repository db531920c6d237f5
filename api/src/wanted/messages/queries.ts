import { permissionsOf } from '@rogatka/contract/access.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import type { TypeOfContact } from '@rogatka/contract/wanted.ts'
import type { ListMark } from '@rogatka/domain/wanted/visibility.ts'
import type { Database } from '../../core/database.ts'
import { enqueueMessage } from '../../core/outbox.ts'
import type { PassageKey } from '../../core/passage.ts'
import { sql } from '../../core/statement.ts'
import { entryMatchesHit } from '../queries.ts'
import { kindOf } from './kinds.ts'

/** Permissions for the black list. */
const BLACK_LIST_PERMISSIONS = [...permissionsOf('WantedList'), ...permissionsOf('BlackList')]

/** A contact to notify of a vehicle, in the language of its owner. */
type NotifiedHit = PassageKey & {
  contactId: number
  contact: string
  typeOfContact: TypeOfContact
  quietFrom: number | null
  quietTo: number | null
  language: Language
}

/** The contacts to notify of these vehicles, once each. */
export const contactsToNotify = (db: Database, keys: readonly PassageKey[]) =>
  db.query<NotifiedHit>(sql`
  select distinct k.location_id as "locationId", k.created_at as "createdAt", k.vehicle_id as id,
         c.id as "contactId", c.contact, c.type_of_contact as "typeOfContact", c.quiet_from as "quietFrom",
         c.quiet_to as "quietTo", u.language
  from unnest(
    ${keys.map(({ locationId }) => String(locationId))}::int[],
    ${keys.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
    ${keys.map(({ id }) => String(id))}::bigint[]
  ) as k (location_id, created_at, vehicle_id)
  join wanted_hit h using (location_id, created_at, vehicle_id)
  join wanted_plate w on w.id = h.wanted_id and w.type_of_list = 0
  join app_user u on u.id = w.user_id and u.enabled and u.deleted_at is null
  join user_role ur on ur.user_id = u.id
       and ur.place = (select min(f.place) from user_role f where f.user_id = u.id)
  join role r on r.id = ur.role_id and r.permissions && ${BLACK_LIST_PERMISSIONS}
  join wanted_contact c on c.user_id = w.user_id
  order by 2, 3, 4`)

/**
 * Enqueues a test message to a contact in the language of its owner, at most one per minute. Ignores quiet hours, as it
 * was requested now.
 */
export async function enqueueTest(
  db: Database,
  { id, contact, typeOfContact, userId }: { id: number; contact: string; typeOfContact: TypeOfContact; userId: number },
  now: Date,
): Promise<void> {
  const [owner] = await db.query<{ language: Language }>(sql`select language from app_user where id = ${userId}`)
  const message = {
    kind: kindOf(typeOfContact),
    recipient: contact,
    language: owner?.language ?? 'pl',
    details: { contactId: id, test: true },
    once: `wanted test ${id} ${contact} ${now.toISOString().slice(0, 16)}`,
  }
  await enqueueMessage(db, message, now)
}

export async function findRecipient(db: Database, id: number) {
  const [row] = await db.query<{ contact: string; typeOfContact: TypeOfContact }>(sql`
    select contact, type_of_contact as "typeOfContact" from wanted_contact where id = ${id}`)
  return row
}

export type MatchedEntry = ListMark & {
  contact: string
  typeOfContact: TypeOfContact
  plateLpr: string
  nationality: string | null
  laneNumber: number
  shortName: string
  direction: string
  permissions: string[]
}

/** The owner's entries that match the vehicle, when the message is sent. */
export const matchedEntries = (db: Database, contactId: number, key: PassageKey) =>
  db.query<MatchedEntry>(sql`
  select w.user_id as "userId", w.type_of_list as "typeOfList", w.plate, w.description, c.contact,
         c.type_of_contact as "typeOfContact", h.plate_lpr as "plateLpr", h.nationality, h.lane_number as "laneNumber", l.short_name as "shortName", l.direction,
         coalesce(r.permissions, '{}') as permissions
  from wanted_contact c
  join app_user u on u.id = c.user_id and u.enabled and u.deleted_at is null
  left join user_role ur on ur.user_id = u.id
       and ur.place = (select min(f.place) from user_role f where f.user_id = u.id)
  left join role r on r.id = ur.role_id
  join wanted_plate w on w.user_id = c.user_id and w.type_of_list = 0
  join wanted_hit h on h.wanted_id = w.id and h.location_id = ${key.locationId} and h.created_at = ${key.createdAt}::timestamptz
       and h.vehicle_id = ${key.id} and h.false_at is null and ${entryMatchesHit}
  join location l on l.id = h.location_id
  where c.id = ${contactId}
  order by w.created_at, w.id`)
