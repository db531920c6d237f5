import type { TypeOfContact, WantedContact } from '@rogatka/contract/wanted.ts'
import { clockOf, parseClock } from '@rogatka/domain/wanted/quiet.ts'
import type { Database } from '../core/database.ts'
import { readdressMessages } from '../core/outbox.ts'
import { sql } from '../core/statement.ts'
import { kindOf, MAIL, SMS } from './messages/kinds.ts'
import { direction, limitOffset, ownerCondition, type PageQuery } from './queries.ts'

/** The newest message to a contact in the outbox. */
export type MessageRow = {
  isTest: boolean
  createdAt: Date
  sentAt: Date | null
  notBefore: Date | null
  attempts: number
}

type ContactRow = Omit<WantedContact, 'quietHours' | 'lastMessage' | 'manageable'> & {
  quietFrom: number | null
  quietTo: number | null
  isTest: boolean | null
  messageAt: Date | null
  sentAt: Date | null
  notBefore: Date | null
  attempts: number | null
}

/** A contact with its newest message; its status depends on the time and the configured channels. */
export type StoredContact = Omit<WantedContact, 'lastMessage' | 'manageable'> & { message: MessageRow | null }

/** With the newest message to the current address; dropped ones, as for a false hit, do not count. */
const selectContacts = (db: Database, ids: readonly number[]) =>
  db.query<ContactRow>(sql`
  select w.id, w.contact, w.type_of_contact as "typeOfContact", w.description, w.user_id as "userId",
         json_build_object('id', w.user_id, 'username', u.username) as user, w.created_at as "createdAt",
         w.quiet_from as "quietFrom", w.quiet_to as "quietTo", w.version, m.created_at as "messageAt",
         m.sent_at as "sentAt", m.not_before as "notBefore", m.attempts,
         coalesce(m.details ->> 'test' = 'true', false) as "isTest"
  from wanted_contact w
  join app_user u on u.id = w.user_id
  left join (
    select distinct on (o.details ->> 'contactId') o.* from outbox o
    join wanted_contact a on a.id::text = o.details ->> 'contactId' and a.contact = o.recipient
    where o.kind in ('wanted-mail', 'wanted-sms') and o.details ->> 'contactId' = any(${ids.map(String)})
      and not o.dropped
    order by o.details ->> 'contactId', o.id desc
  ) m on m.details ->> 'contactId' = w.id::text
  where w.id = any(${ids.map(String)}::bigint[])`)

const toContact = (row: ContactRow): StoredContact => {
  const { quietFrom, quietTo, isTest, messageAt, sentAt, notBefore, attempts, ...contact } = row
  return {
    ...contact,
    quietHours: quietFrom === null || quietTo === null ? null : { from: clockOf(quietFrom), to: clockOf(quietTo) },
    message: messageAt && { isTest: isTest ?? false, createdAt: messageAt, sentAt, notBefore, attempts: attempts ?? 0 },
  }
}

export async function contactPage(db: Database, userId: number | undefined, page: PageQuery) {
  const found = await db.query<{ id: number }>(sql`
    select w.id from wanted_contact w where ${ownerCondition(userId)}
    order by w.created_at ${direction(page)}, w.id ${direction(page)}
    ${limitOffset(page)}`)
  const ids = found.map(({ id }) => id)
  const contacts = new Map((await selectContacts(db, ids)).map((row) => [row.id, toContact(row)]))
  return { content: ids.flatMap((id) => contacts.get(id) ?? []), totalCount: await contactCount(db, userId) }
}

export async function contactCount(db: Database, userId: number | undefined): Promise<number> {
  const [count] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from wanted_contact w where ${ownerCondition(userId)}`)
  return count?.total ?? 0
}

export async function contactById(db: Database, id: number): Promise<StoredContact | undefined> {
  const [row] = await selectContacts(db, [id])
  return row && toContact(row)
}

export type ContactValues = Pick<WantedContact, 'contact' | 'description' | 'quietHours'> & {
  typeOfContact: TypeOfContact
}

/** Inserts a contact; a duplicate of the same user violates wanted_contact_once. */
export async function insertContact(
  db: Database,
  { quietHours: quiet, ...contact }: ContactValues & { userId: number },
  now: Date,
): Promise<number> {
  const [added] = await db.query<{ id: number }>(sql`
    insert into wanted_contact (created_at, user_id, type_of_contact, contact, description, quiet_from, quiet_to)
    values (${now}::timestamptz, ${contact.userId}, ${contact.typeOfContact}, ${contact.contact}, ${contact.description},
            ${quiet && parseClock(quiet.from)}, ${quiet && parseClock(quiet.to)})
    returning id`)
  return added?.id as number
}

/** Updates a contact and the recipient of its unsent messages. Returns false if its version has changed. */
export async function updateContact(
  db: Database,
  id: number,
  version: number,
  { quietHours: quiet, ...contact }: ContactValues,
  now: Date,
): Promise<boolean> {
  const changed = await db.execute(sql`
    update wanted_contact
    set type_of_contact = ${contact.typeOfContact}, contact = ${contact.contact}, description = ${contact.description},
        quiet_from = ${quiet && parseClock(quiet.from)}, quiet_to = ${quiet && parseClock(quiet.to)},
        version = version + 1
    where id = ${id} and version = ${version}`)
  if (changed === 0) return false
  await readdressMessages(
    db,
    { kinds: [MAIL, SMS], key: 'contactId', value: String(id) },
    { recipient: contact.contact, kind: kindOf(contact.typeOfContact) },
    now,
  )
  return true
}

export const deleteContact = (db: Database, id: number) => db.execute(sql`delete from wanted_contact where id = ${id}`)
