import { hasRight } from '@rogatka/contract/access.ts'
import * as endpoints from '@rogatka/contract/wanted.ts'
import { EMAIL, type TypeOfList, typesOfList, type WantedContact, type WantedPlate } from '@rogatka/contract/wanted.ts'
import { LIVE_REACH_MS } from '@rogatka/domain/current/live.ts'
import { maskPlate, maskPlateIn } from '@rogatka/domain/vehicle/anonymity.ts'
import { contactFault, listedPlate } from '@rogatka/domain/wanted/entry.ts'
import { mayUseList, seesEntriesOf } from '@rogatka/domain/wanted/sight.ts'
import { isRestricted } from '../core/anonymity.ts'
import { audit } from '../core/audit.ts'
import type { Sql } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import type { Session } from '../core/sessions.ts'
import { announceMarks } from '../current/queries.ts'
import { toPhoneNumber } from '../users/queries.ts'
import {
  contactById,
  contactPage,
  deleteContact,
  deletePlate,
  hitPage,
  insertContact,
  insertPlate,
  judgeHit,
  plateById,
  platePage,
  removeHits,
  userIsThere,
} from './queries.ts'

/** The entry as this session may see it: a plate that it may not know is masked, in the description too. */
const asSeen = (session: Session, plate: WantedPlate): WantedPlate =>
  isRestricted(session)
    ? { ...plate, plateLpr: maskPlate(plate.plateLpr), description: maskPlateIn(plate.description, plate.plateLpr) }
    : plate

/** What the audit log keeps of an entry, and of a contact. */
const plateRecord = ({ id, user, userId, hits, ...rest }: WantedPlate) => ({ ...rest, owner: user.username })
const contactRecord = ({ id, user, userId, ...rest }: WantedContact) => ({ ...rest, owner: user.username })

/** Whose entries a list shows: one's own, with UserManagement everybody's or the chosen user's. */
function ownerAsked(session: Session, userId: number | undefined): number | undefined {
  if (userId !== undefined && !seesEntriesOf(session, userId)) throw new Refusal('forbidden', 403, 'userId')
  return hasRight(session.permissions, 'UserManagement') ? userId : session.userId
}

function checkList(session: Session, typeOfList: TypeOfList): void {
  if (!mayUseList(session.permissions, typeOfList)) throw new Refusal('forbidden', 403, 'typeOfList')
}

/** An entry that this session may see; any other is as if it were not there. */
async function entryFor(sql: Sql, session: Session, id: number): Promise<WantedPlate> {
  const plate = await plateById(sql, id)
  if (!plate || !seesEntriesOf(session, plate.userId) || !mayUseList(session.permissions, plate.typeOfList))
    throw new Refusal('wanted-plate-not-found', 404)
  return plate
}

/** Opens the lists of plates, their hits, and the contacts that are told of them. */
export function wantedRoutes(api: Api): void {
  route(api, endpoints.plates, async ({ sql, session, query }) => {
    const types = query.typesOfLists?.length
      ? query.typesOfLists
      : typesOfList.filter((type) => mayUseList(session.permissions, type))
    for (const type of types) checkList(session, type)
    const { content, totalCount } = await platePage(sql, { types, userId: ownerAsked(session, query.userId) }, query)
    return { content: content.map((plate) => asSeen(session, plate)), totalCount }
  })

  route(api, endpoints.addPlate, async ({ sql, now, session, request, body }) => {
    checkList(session, body.typeOfList)
    // Whoever is not to know plates would learn from the hits where one that they know passes.
    if (isRestricted(session)) throw new Refusal('plates-are-anonymised', 403, 'plateLpr')
    const plateLpr = listedPlate(body.plateLpr)
    if (plateLpr === null) throw new Refusal('incorrect-plate', 400, 'plateLpr')
    const userId = body.userId ?? session.userId
    if (!seesEntriesOf(session, userId)) throw new Refusal('forbidden', 403, 'userId')
    const expiresAt = body.expiresAt ?? null
    if (expiresAt && expiresAt <= now) throw new Refusal('expiry-in-the-past', 422, 'expiresAt')
    return sql.begin(async (sql) => {
      if (!(await userIsThere(sql, userId))) throw new Refusal('user-not-found', 422, 'userId')
      const id = await insertPlate(sql, { ...body, plateLpr, userId, expiresAt }, now)
      if (id === undefined) throw new Refusal('plate-already-listed', 409, 'plateLpr')
      const added = (await plateById(sql, id)) as WantedPlate
      const deed = { action: 'wanted-plate-added', subject: added.plateLpr, after: plateRecord(added) }
      await audit(sql, { session, request, now }, deed)
      return added
    })
  })

  route(api, endpoints.removePlate, async ({ sql, now, session, request, params }) => {
    await sql.begin(async (sql) => {
      const plate = await entryFor(sql, session, params.id)
      const marked = await deletePlate(sql, plate.id, new Date(now.getTime() - LIVE_REACH_MS))
      await announceMarks(sql, marked)
      const deed = { action: 'wanted-plate-deleted', subject: plate.plateLpr, before: plateRecord(plate) }
      await audit(sql, { session, request, now }, deed)
    })
  })

  route(api, endpoints.hits, async ({ sql, session, params, query }) => {
    const plate = await entryFor(sql, session, params.id)
    const { content, totalCount } = await hitPage(sql, plate.id, query)
    const shown = (read: string) => (isRestricted(session) ? maskPlate(read) : read)
    return { content: content.map((hit) => ({ ...hit, plateLpr: shown(hit.plateLpr) })), totalCount }
  })

  route(api, endpoints.judgeHit, async ({ sql, now, session, request, params, query, body: { falseHit } }) => {
    await sql.begin(async (sql) => {
      const plate = await entryFor(sql, session, params.id)
      const key = { id: params.vehicleId, createdAt: query.createdAt }
      const falseBy = falseHit ? session.userId : null
      const plateLpr = await judgeHit(sql, { wantedId: plate.id, key, falseBy }, now)
      if (plateLpr === undefined) throw new Refusal('hit-not-found', 404)
      await announceMarks(sql, [key])
      // Both plates under their own name, so that who is not to know plates finds both masked.
      const after = { plateLpr: plate.plateLpr, read: { plateLpr }, createdAt: query.createdAt, falseHit }
      await audit(sql, { session, request, now }, { action: 'wanted-hit-judged', subject: plate.plateLpr, after })
    })
  })

  route(api, endpoints.contacts, ({ sql, session, query }) =>
    contactPage(sql, ownerAsked(session, query.userId), query),
  )

  route(api, endpoints.addContact, async ({ sql, now, session, request, body }) => {
    const { typeOfContact, description, quietHours } = body
    if (!body.contact || typeOfContact == null || !description) throw new Refusal('contact-fields-required', 400)
    const fault = contactFault(body.contact, typeOfContact, description)
    if (fault) throw new Refusal(fault, 400, 'contact')
    const contact = typeOfContact === EMAIL ? body.contact : toPhoneNumber(body.contact)
    const given = { contact, typeOfContact, description, quietHours: quietHours ?? null, userId: session.userId }
    return sql.begin(async (sql) => {
      const id = await insertContact(sql, given, now)
      const added = (await contactById(sql, id)) as WantedContact
      const deed = { action: 'wanted-contact-added', subject: added.contact, after: contactRecord(added) }
      await audit(sql, { session, request, now }, deed)
      return added
    })
  })

  route(api, endpoints.removeContact, async ({ sql, now, session, request, params }) => {
    await sql.begin(async (sql) => {
      const contact = await contactById(sql, params.id)
      if (!contact || !seesEntriesOf(session, contact.userId)) throw new Refusal('contact-not-found', 404)
      await deleteContact(sql, contact.id)
      const deed = { action: 'wanted-contact-deleted', subject: contact.contact, before: contactRecord(contact) }
      await audit(sql, { session, request, now }, deed)
    })
  })
}

const DAY_MS = 86_400_000

/** Hits go with the vehicles that they are of. */
export const forgetHits = (sql: Sql, now: Date, { retentionDays }: { retentionDays: number }): Promise<void> =>
  removeHits(sql, new Date(now.getTime() - retentionDays * DAY_MS))
