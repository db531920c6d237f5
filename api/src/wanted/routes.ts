import type { TypeOfList, WantedPlate } from '@rogatka/contract/wanted.ts'
import * as endpoints from '@rogatka/contract/wanted.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { LIVE_LOOKBACK_MS } from '@rogatka/domain/current/live.ts'
import { maskPlate } from '@rogatka/domain/vehicle/anonymity.ts'
import { listedPlate } from '@rogatka/domain/wanted/entry.ts'
import { canSeeEntries, canUseList } from '@rogatka/domain/wanted/visibility.ts'
import { isAnonymised } from '../core/anonymity.ts'
import { audit, auditAll, type NewAuditEntry } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { notifyMarks } from '../core/live-events.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import type { Session } from '../core/sessions.ts'
import { createReportLink } from '../reports/public-api.ts'
import { plateExport } from './export.ts'
import { assertManageable, withManageable } from './owner.ts'
import {
  copyHits,
  deletePlates,
  hitPage,
  insertPlate,
  lockExpired,
  lockPlates,
  plateById,
  platePage,
  recentHits,
  removeHits,
  type StoredPlate,
  setFalseHit,
  updatePlate,
  userExists,
} from './queries.ts'
import { asSeen, checkList, toPlateSearch } from './search.ts'

/** What the audit log keeps of an entry. */
const plateRecord = ({ plateLpr, typeOfList, description, createdAt, expiresAt, allowMisread, user }: Recorded) => ({
  plateLpr,
  typeOfList,
  description,
  createdAt,
  expiresAt,
  allowMisread,
  owner: user.username,
})

type Recorded = Omit<StoredPlate, 'nationality' | 'hits' | 'notified' | 'version'>

/** The audit entry of a deletion, of one entry or of many. */
const deletionRecord = (plate: Recorded): NewAuditEntry => ({
  action: 'wanted-plate-deleted',
  subject: plate.plateLpr,
  before: plateRecord(plate),
})

const maySee = (session: Session, { userId, typeOfList }: Pick<WantedPlate, 'userId' | 'typeOfList'>): boolean =>
  canSeeEntries(session, userId) && canUseList(session.permissions, typeOfList)

type Found = { typeOfList: TypeOfList; userId?: number | null | undefined; search?: string | null | undefined }

const toFoundSearch = (session: Session, { typeOfList, userId, search }: Found) =>
  toPlateSearch(session, { typesOfLists: [typeOfList], userId: userId ?? undefined, search: search ?? undefined })

/** An entry that this session may see; any other is as if it were not there. */
async function entryFor(db: Database, session: Session, id: number): Promise<StoredPlate> {
  const plate = await plateById(db, id)
  if (!plate || !maySee(session, plate)) throw new Refusal('wanted-plate-not-found', 404)
  return plate
}

/** An entry that this session may change. */
async function ownEntryFor(db: Database, session: Session, id: number): Promise<StoredPlate> {
  const plate = await entryFor(db, session, id)
  await assertManageable(db, session, [plate])
  return plate
}

type Values = { plateLpr: string; userId?: number | null | undefined; expiresAt?: Date | null | undefined }

/** What was sent of an entry, checked. `before`: the entry that it changes, whose end may be over already. */
function checkedValues(session: Session, body: Values, now: Date, before?: StoredPlate) {
  // Whoever is not to know plates would learn from the hits where one that they know passes.
  if (isAnonymised(session)) throw new Refusal('plates-are-anonymised', 403, 'plateLpr')
  const plateLpr = listedPlate(body.plateLpr)
  if (plateLpr === null) throw new Refusal('incorrect-plate', 400, 'plateLpr')
  const userId = body.userId ?? before?.userId ?? session.userId
  if (!canSeeEntries(session, userId)) throw new Refusal('forbidden', 403, 'userId')
  const expiresAt = body.expiresAt ?? null
  const stays = expiresAt?.getTime() === before?.expiresAt?.getTime()
  if (expiresAt && !stays && expiresAt <= now) throw new Refusal('expiry-in-the-past', 422, 'expiresAt')
  return { plateLpr, userId, expiresAt }
}

/** As the list shows it; an entry may be given to somebody with more rights. */
async function withManageability(db: Database, session: Session, plate: StoredPlate): Promise<WantedPlate> {
  const [shown] = await withManageable(db, session, [plate])
  return shown as WantedPlate
}

const liveSince = (now: Date) => new Date(now.getTime() - LIVE_LOOKBACK_MS)

/** Opens the lists of plates and their hits. */
export function wantedRoutes(api: Api): void {
  route(api, endpoints.plates, async ({ db, session, query }) => {
    const search = toPlateSearch(session, query)
    // The order would tell what the mask hides.
    if (isAnonymised(session) && ['plateLpr', 'description'].includes(query.orderBy))
      throw new Refusal('plates-are-anonymised', 403, 'orderBy')
    const { content, totalCount } = await platePage(db, search, query)
    const listed = content.map((plate) => asSeen(session, plate))
    return { content: await withManageable(db, session, listed), totalCount }
  })

  route(api, endpoints.addPlate, async ({ db, now, session, request, body }) => {
    checkList(session, body.typeOfList)
    const values = { ...body, ...checkedValues(session, body, now) }
    return db.transaction(async (db) => {
      if (!(await userExists(db, values.userId))) throw new Refusal('user-not-found', 422, 'userId')
      const id = await insertPlate(db, values, now)
      if (id === undefined) throw new Refusal('plate-already-listed', 409, 'plateLpr')
      const added = (await plateById(db, id)) as StoredPlate
      // An expired entry that holds again may say something else of its vehicles.
      if (added.version > 1) await notifyMarks(db, await recentHits(db, id, liveSince(now)))
      const auditEntry: NewAuditEntry = {
        action: 'wanted-plate-added',
        subject: added.plateLpr,
        after: plateRecord(added),
      }
      await audit(db, { session, request, now }, auditEntry)
      return withManageability(db, session, added)
    })
  })

  route(api, endpoints.plate, async ({ db, session, params }) =>
    withManageability(db, session, asSeen(session, await entryFor(db, session, params.id))),
  )

  route(api, endpoints.changePlate, async ({ db, now, session, request, params, body }) => {
    const before = await ownEntryFor(db, session, params.id)
    const values = { ...body, ...checkedValues(session, body, now, before) }
    return db.transaction(async (db) => {
      if (!(await userExists(db, values.userId))) throw new Refusal('user-not-found', 422, 'userId')
      // As for an addition, an expired entry of the same plate does not count: this one takes its place, with its hits.
      const expired = await lockExpired(db, { ...before, ...values }, now)
      if (expired) {
        await copyHits(db, expired.id, before.id)
        await deletePlates(db, [expired.id], liveSince(now))
        await audit(db, { session, request, now }, deletionRecord(expired))
      }
      if (!(await updatePlate(db, before.id, body.version ?? before.version, values)))
        throw new Refusal('changed-meanwhile', 409)
      const after = (await plateById(db, before.id)) as StoredPlate
      // What the live list says of its vehicles may be something else now.
      await notifyMarks(db, await recentHits(db, before.id, liveSince(now)))
      const auditEntry: NewAuditEntry = { action: 'wanted-plate-changed', subject: after.plateLpr }
      await audit(
        db,
        { session, request, now },
        { ...auditEntry, before: plateRecord(before), after: plateRecord(after) },
      )
      return withManageability(db, session, after)
    })
  })

  route(api, endpoints.removePlate, async ({ db, now, session, request, params }) => {
    await db.transaction(async (db) => {
      const plate = await ownEntryFor(db, session, params.id)
      await notifyMarks(db, await deletePlates(db, [plate.id], liveSince(now)))
      await audit(db, { session, request, now }, deletionRecord(plate))
    })
  })

  route(api, endpoints.removePlates, async ({ db, now, session, request, body }) =>
    db.transaction(async (db) => {
      const plates = await lockPlates(db, 'ids' in body ? body : toFoundSearch(session, body.found))
      if ('found' in body && plates.length !== body.found.count) throw new Refusal('changed-meanwhile', 409)
      if ('ids' in body && plates.length !== new Set(body.ids).size) throw new Refusal('wanted-plate-not-found', 404)
      if (!plates.every((plate) => maySee(session, plate))) throw new Refusal('wanted-plate-not-found', 404)
      await assertManageable(db, session, plates)
      const ids = plates.map(({ id }) => id)
      await notifyMarks(db, await deletePlates(db, ids, liveSince(now)))
      await auditAll(db, { session, request, now }, plates.map(deletionRecord))
      return { deleted: ids.length }
    }),
  )

  route(api, endpoints.exportPlates, async (call) => {
    toPlateSearch(call.session, call.query)
    return createReportLink(call, plateExport, call.query)
  })

  route(api, endpoints.hits, async ({ db, session, params, query }) => {
    const plate = await entryFor(db, session, params.id)
    const { content, totalCount } = await hitPage(db, plate.id, query)
    if (!isAnonymised(session)) return { content, totalCount }
    const masked = content.map((hit) => ({
      ...hit,
      plateLpr: maskPlate(hit.plateLpr),
      entryPlate: hit.entryPlate && maskPlate(hit.entryPlate),
    }))
    return { content: masked, totalCount }
  })

  route(api, endpoints.judgeHit, async ({ db, now, session, request, params, query, body: { falseHit } }) => {
    await db.transaction(async (db) => {
      const plate = await ownEntryFor(db, session, params.id)
      const key = { id: params.vehicleId, createdAt: query.createdAt }
      const falseBy = falseHit ? session.userId : null
      const plateLpr = await setFalseHit(db, { wantedId: plate.id, key, falseBy }, now)
      if (plateLpr === undefined) throw new Refusal('hit-not-found', 404)
      await notifyMarks(db, [key])
      // Both plates under their own name, so that who is not to know plates finds both masked.
      const after = { plateLpr: plate.plateLpr, read: { plateLpr }, createdAt: query.createdAt, falseHit }
      await audit(db, { session, request, now }, { action: 'wanted-hit-judged', subject: plate.plateLpr, after })
    })
  })
}

/** Hits go with the vehicles that they are of. */
export const deleteHits = (db: Database, now: Date, { retentionDays }: { retentionDays: number }): Promise<void> =>
  removeHits(db, new Date(now.getTime() - retentionDays * DAY_MS))
