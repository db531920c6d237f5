import type { ValueOf } from '@rogatka/contract/endpoint.ts'
import * as endpoints from '@rogatka/contract/wanted.ts'
import { EMAIL, type WantedContact } from '@rogatka/contract/wanted.ts'
import { normalisePhoneNumber } from '@rogatka/domain/users/phoneNumber.ts'
import { contactError } from '@rogatka/domain/wanted/entry.ts'
import { fateOf } from '@rogatka/domain/wanted/fate.ts'
import { canSeeEntries } from '@rogatka/domain/wanted/visibility.ts'
import { audit, type NewAuditEntry } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import type { Session } from '../core/sessions.ts'
import {
  type ContactValues,
  contactById,
  contactCount,
  contactPage,
  deleteContact,
  insertContact,
  type StoredContact,
  updateContact,
} from './contact-queries.ts'
import { enqueueTest } from './messages/queries.ts'
import { allowedOwner, assertManageable, withManageable } from './owner.ts'

/** The audit record of a contact. */
const contactRecord = ({ id, user, userId, message, version, ...rest }: StoredContact) => ({
  ...rest,
  owner: user.username,
})

type Body = Omit<ValueOf<typeof endpoints.addContact, 'body'>, 'version'>

/** Validates the body; missing fields are one error of the whole. */
function contactValues({ contact, typeOfContact, description, quietHours }: Body): ContactValues {
  if (!contact || typeOfContact == null || !description) throw new Refusal('contact-fields-required', 400)
  const error = contactError(contact, typeOfContact, description)
  if (error) throw new Refusal(error, 400, 'contact')
  return {
    contact: typeOfContact === EMAIL ? contact : normalisePhoneNumber(contact),
    typeOfContact,
    description,
    quietHours: quietHours ?? null,
  }
}

/**
 * A contact visible to this session.
 * @throws 404 also if it exists but is not visible
 */
async function findContact(db: Database, session: Session, id: number): Promise<StoredContact> {
  const contact = await contactById(db, id)
  if (!contact || !canSeeEntries(session, contact.userId)) throw new Refusal('contact-not-found', 404)
  return contact
}

/** A contact that this session may change. */
async function findManageableContact(db: Database, session: Session, id: number): Promise<StoredContact> {
  const contact = await findContact(db, session, id)
  await assertManageable(db, session, [contact])
  return contact
}

/** Whether a mail server and an SMS gateway are configured. */
type Channels = { mail: boolean; sms: boolean }

/** Registers the routes of contacts notified of hits. */
export function contactRoutes(api: Api, channels: Channels): void {
  const withLastMessage = ({ message, ...contact }: StoredContact, now: Date): Omit<WantedContact, 'manageable'> => ({
    ...contact,
    lastMessage: message && {
      isTest: message.isTest,
      createdAt: message.createdAt,
      sentAt: message.sentAt,
      attempts: message.attempts,
      fate: fateOf(message, contact.typeOfContact === EMAIL ? channels.mail : channels.sms, now),
    },
  })
  const toManageable = (contact: StoredContact, now: Date): WantedContact => ({
    ...withLastMessage(contact, now),
    manageable: true,
  })
  const loadManageable = async (db: Database, id: number, now: Date) =>
    toManageable((await contactById(db, id)) as StoredContact, now)

  route(api, endpoints.contacts, async ({ db, now, session, query }) => {
    const { content, totalCount } = await contactPage(db, allowedOwner(session, query.userId), query)
    const listed = content.map((contact) => withLastMessage(contact, now))
    return { content: await withManageable(db, session, listed), totalCount }
  })

  route(api, endpoints.countContacts, async ({ db, session, query }) => {
    const userId = query.userId ?? session.userId
    if (!canSeeEntries(session, userId)) throw new Refusal('forbidden', 403, 'userId')
    return { count: await contactCount(db, userId) }
  })

  route(api, endpoints.addContact, async ({ db, now, session, request, body }) => {
    const values = contactValues(body)
    return db.transaction(async (db) => {
      const id = await insertContact(db, { ...values, userId: session.userId }, now)
      const added = (await contactById(db, id)) as StoredContact
      const auditEntry: NewAuditEntry = {
        action: 'wanted-contact-added',
        subject: added.contact,
        after: contactRecord(added),
      }
      await audit(db, { session, request, now }, auditEntry)
      return toManageable(added, now)
    })
  })

  route(api, endpoints.contact, async ({ db, now, session, params }) => {
    const found = withLastMessage(await findContact(db, session, params.id), now)
    const [contact] = await withManageable(db, session, [found])
    return contact as WantedContact
  })

  route(api, endpoints.changeContact, async ({ db, now, session, request, params, body }) => {
    const before = await findManageableContact(db, session, params.id)
    const values = contactValues(body)
    return db.transaction(async (db) => {
      if (!(await updateContact(db, before.id, body.version ?? before.version, values, now)))
        throw new Refusal('changed-meanwhile', 409)
      const after = (await contactById(db, before.id)) as StoredContact
      const auditEntry: NewAuditEntry = {
        action: 'wanted-contact-changed',
        subject: after.contact,
        before: contactRecord(before),
        after: contactRecord(after),
      }
      await audit(db, { session, request, now }, auditEntry)
      return toManageable(after, now)
    })
  })

  route(api, endpoints.testContact, async ({ db, now, session, request, params }) =>
    db.transaction(async (db) => {
      const contact = await findManageableContact(db, session, params.id)
      await enqueueTest(db, contact, now)
      await audit(db, { session, request, now }, { action: 'wanted-contact-tested', subject: contact.contact })
      return loadManageable(db, contact.id, now)
    }),
  )

  route(api, endpoints.removeContact, async ({ db, now, session, request, params }) => {
    await db.transaction(async (db) => {
      const contact = await findManageableContact(db, session, params.id)
      await deleteContact(db, contact.id)
      const auditEntry: NewAuditEntry = {
        action: 'wanted-contact-deleted',
        subject: contact.contact,
        before: contactRecord(contact),
      }
      await audit(db, { session, request, now }, auditEntry)
    })
  })
}
