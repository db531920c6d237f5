import type { EntryState, TypeOfList } from '@rogatka/contract/options.ts'
import { reportLimits } from '@rogatka/contract/reports.ts'
import { MAX_PLATES_WITHOUT_PURPOSE } from '@rogatka/contract/trail.ts'
import type { WantedPlate } from '@rogatka/contract/wanted.ts'
import * as endpoints from '@rogatka/contract/wanted.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { LIVE_LOOKBACK_MS } from '@rogatka/domain/current/live.ts'
import { maskPlate } from '@rogatka/domain/vehicle/anonymity.ts'
import { listedPlate } from '@rogatka/domain/wanted/entry.ts'
import { canSeeEntries, canUseList } from '@rogatka/domain/wanted/visibility.ts'
import { isAnonymised } from '../core/anonymity.ts'
import { audit, auditAll, auditAsSystem, type NewAuditEntry } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { notifyMarks } from '../core/live-events.ts'
import { questionOf } from '../core/look.ts'
import { resolveSearch } from '../core/plate-searches.ts'
import { requirePurpose } from '../core/purpose.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import type { Session } from '../core/sessions.ts'
import { createReportLink } from '../reports/public-api.ts'
import { deleteResponsesBefore } from './desk/hit-queries.ts'
import { plateExport } from './export.ts'
import { assertManageable, withManageable } from './owner.ts'
import {
  copyHits,
  countFoundPlates,
  deleteHitsBefore,
  deletePlates,
  hitPage,
  insertPlate,
  lockExpired,
  lockExpiredBefore,
  lockPlates,
  plateById,
  platePage,
  recentHits,
  type StoredPlate,
  setFalseHit,
  updatePlate,
  userExists,
} from './queries.ts'
import { assertListAllowed, maskFor, toPlateSearch } from './search.ts'

/** The audit record of an entry. */
const plateRecord = ({
  plateLpr,
  typeOfList,
  description,
  createdAt,
  expiresAt,
  allowMisread,
  user,
}: AuditedPlate) => ({
  plateLpr,
  typeOfList,
  description,
  createdAt,
  expiresAt,
  allowMisread,
  owner: user.username,
})

type AuditedPlate = Omit<StoredPlate, 'nationality' | 'hits' | 'notified' | 'version'>

/** The audit entry of a deletion. */
const deletionRecord = (plate: AuditedPlate): NewAuditEntry => ({
  action: 'wanted-plate-deleted',
  subject: plate.plateLpr,
  before: plateRecord(plate),
})

const canSee = (session: Session, { userId, typeOfList }: Pick<WantedPlate, 'userId' | 'typeOfList'>): boolean =>
  canSeeEntries(session, userId) && canUseList(session.permissions, typeOfList)

type FoundQuery = {
  typeOfList: TypeOfList
  userId?: number | null | undefined
  search?: string | null | undefined
  state?: EntryState | null | undefined
}

const toFoundSearch = (session: Session, { typeOfList, userId, search, state }: FoundQuery, now: Date) =>
  toPlateSearch(
    session,
    {
      typesOfLists: [typeOfList],
      userId: userId ?? undefined,
      search: search ?? undefined,
      state: state ?? undefined,
    },
    now,
  )

/**
 * An entry visible to this session.
 * @throws 404 also if it exists but is not visible
 */
async function findEntry(db: Database, session: Session, id: number): Promise<StoredPlate> {
  const plate = await plateById(db, id)
  if (!plate || !canSee(session, plate)) throw new Refusal('wanted-plate-not-found', 404)
  return plate
}

/** An entry that this session may change. */
async function findManageableEntry(db: Database, session: Session, id: number): Promise<StoredPlate> {
  const plate = await findEntry(db, session, id)
  await assertManageable(db, session, [plate])
  return plate
}

type Values = { plateLpr: string; userId?: number | null | undefined; expiresAt?: Date | null | undefined }

/** Validates the values of an entry. `before`: the entry to change, whose unchanged expiry may be in the past. */
function validateValues(session: Session, body: Values, now: Date, before?: StoredPlate) {
  // Otherwise anonymised users could track a known plate by its hits.
  if (isAnonymised(session)) throw new Refusal('plates-are-anonymised', 403, 'plateLpr')
  const plateLpr = listedPlate(body.plateLpr)
  if (plateLpr === null) throw new Refusal('incorrect-plate', 400, 'plateLpr')
  const userId = body.userId ?? before?.userId ?? session.userId
  if (!canSeeEntries(session, userId)) throw new Refusal('forbidden', 403, 'userId')
  const expiresAt = body.expiresAt ?? null
  const isUnchanged = expiresAt?.getTime() === before?.expiresAt?.getTime()
  if (expiresAt && !isUnchanged && expiresAt <= now) throw new Refusal('expiry-in-the-past', 422, 'expiresAt')
  return { plateLpr, userId, expiresAt }
}

/** As in the list; an entry may be assigned to a user with more permissions. */
async function toManageable(db: Database, session: Session, plate: StoredPlate): Promise<WantedPlate> {
  const [withFlag] = await withManageable(db, session, [plate])
  return withFlag as WantedPlate
}

const liveSince = (now: Date) => new Date(now.getTime() - LIVE_LOOKBACK_MS)

const LISTS = { page: 'wanted', filters: endpoints.savedText }

/** Registers the routes of the lists and their hits. */
export function wantedRoutes(api: Api): void {
  type AddressQuery = { search?: string | undefined; searchId?: string | undefined }
  /** The query of a call, with the text of the saved search that it names. */
  const queryOf = async <Q extends AddressQuery>(
    call: Pick<Call<typeof endpoints.plates>, 'session' | 'now' | 'request'> & { query: Q },
  ) => {
    const { searchId, ...query } = call.query
    const resolved = await resolveSearch(api, LISTS, call, { searchId, query, plates: ['search'] })
    call.request.question = questionOf({ params: {}, query: resolved })
    return resolved
  }

  route(api, endpoints.saveSearch, ({ session, now, body }) => {
    if (isAnonymised(session)) throw new Refusal('plates-are-anonymised', 403, 'search')
    return api.searches.save(LISTS, session, body, now)
  })

  route(api, endpoints.openSearch, ({ session, now, params }) => {
    if (isAnonymised(session)) throw new Refusal('plates-are-anonymised', 403, 'search')
    return api.searches.open(LISTS, session, params.id, now)
  })

  route(api, endpoints.plates, async (call) => {
    const { db, now, session } = call
    const query = await queryOf(call)
    const search = toPlateSearch(session, query, now)
    if (query.search) await requirePurpose(api, session, 'opening')
    // The order would reveal masked plates.
    if (isAnonymised(session) && ['plateLpr', 'description'].includes(query.orderBy))
      throw new Refusal('plates-are-anonymised', 403, 'orderBy')
    const { content, ...counts } = await platePage(db, search, query)
    const listed = content.map((plate) => maskFor(session, plate))
    return { content: await withManageable(db, session, listed), ...counts }
  })

  route(api, endpoints.addPlate, async ({ db, now, session, request, body }) => {
    assertListAllowed(session, body.typeOfList)
    const values = { ...body, ...validateValues(session, body, now) }
    return db.transaction(async (db) => {
      if (!(await userExists(db, values.userId))) throw new Refusal('user-not-found', 422, 'userId')
      const id = await insertPlate(db, values, now)
      if (id === undefined) throw new Refusal('plate-already-listed', 409, 'plateLpr')
      const added = (await plateById(db, id)) as StoredPlate
      // A renewed entry may change the marks of its vehicles.
      if (added.version > 1) await notifyMarks(db, await recentHits(db, id, liveSince(now)))
      const auditEntry: NewAuditEntry = {
        action: 'wanted-plate-added',
        subject: added.plateLpr,
        after: plateRecord(added),
      }
      await audit(db, { session, request, now }, auditEntry)
      return toManageable(db, session, added)
    })
  })

  route(api, endpoints.plate, async ({ db, session, params }) =>
    toManageable(db, session, maskFor(session, await findEntry(db, session, params.id))),
  )

  route(api, endpoints.changePlate, async ({ db, now, session, request, params, body }) => {
    const before = await findManageableEntry(db, session, params.id)
    const values = { ...body, ...validateValues(session, body, now, before) }
    return db.transaction(async (db) => {
      if (!(await userExists(db, values.userId))) throw new Refusal('user-not-found', 422, 'userId')
      // As for an insertion, an expired entry of the same plate is replaced, including its hits.
      const expired = await lockExpired(db, { ...before, ...values }, now)
      if (expired) {
        await copyHits(db, expired.id, before.id)
        await deletePlates(db, [expired.id], liveSince(now))
        await audit(db, { session, request, now }, deletionRecord(expired))
      }
      if (!(await updatePlate(db, before.id, body.version ?? before.version, values)))
        throw new Refusal('changed-meanwhile', 409)
      const after = (await plateById(db, before.id)) as StoredPlate
      // The marks of its live vehicles may have changed.
      await notifyMarks(db, await recentHits(db, before.id, liveSince(now)))
      const auditEntry: NewAuditEntry = { action: 'wanted-plate-changed', subject: after.plateLpr }
      await audit(
        db,
        { session, request, now },
        { ...auditEntry, before: plateRecord(before), after: plateRecord(after) },
      )
      return toManageable(db, session, after)
    })
  })

  route(api, endpoints.removePlate, async ({ db, now, session, request, params }) => {
    await db.transaction(async (db) => {
      const plate = await findManageableEntry(db, session, params.id)
      await notifyMarks(db, await deletePlates(db, [plate.id], liveSince(now)))
      await audit(db, { session, request, now }, deletionRecord(plate))
    })
  })

  route(api, endpoints.removePlates, async ({ db, now, session, request, body }) =>
    db.transaction(async (db) => {
      const plates = await lockPlates(db, 'ids' in body ? body : toFoundSearch(session, body.found, now))
      if ('found' in body && plates.length !== body.found.count) throw new Refusal('changed-meanwhile', 409)
      if ('ids' in body && plates.length !== new Set(body.ids).size) throw new Refusal('wanted-plate-not-found', 404)
      if (!plates.every((plate) => canSee(session, plate))) throw new Refusal('wanted-plate-not-found', 404)
      await assertManageable(db, session, plates)
      const ids = plates.map(({ id }) => id)
      await notifyMarks(db, await deletePlates(db, ids, liveSince(now)))
      await auditAll(db, { session, request, now }, plates.map(deletionRecord))
      return { deleted: ids.length }
    }),
  )

  route(api, endpoints.exportPlates, async (call) => {
    const query = await queryOf(call)
    const search = toPlateSearch(call.session, query, call.now)
    if (query.search) await requirePurpose(api, call.session)
    const count = await countFoundPlates(call.db, search)
    const limit = reportLimits.csv
    if (count > limit) throw refuseFields(422, [{ path: null, code: 'report-too-large', params: { count, limit } }])
    if (count > MAX_PLATES_WITHOUT_PURPOSE) await requirePurpose(api, call.session)
    return createReportLink(call, plateExport, query)
  })

  route(api, endpoints.hits, async ({ db, session, params, query }) => {
    const plate = await findEntry(db, session, params.id)
    const { content, totalCount } = await hitPage(db, plate.id, query)
    if (!isAnonymised(session)) return { content, totalCount }
    const masked = content.map((hit) => ({
      ...hit,
      plateLpr: maskPlate(hit.plateLpr),
      entryPlate: hit.entryPlate && maskPlate(hit.entryPlate),
    }))
    return { content: masked, totalCount }
  })

  route(api, endpoints.markHit, async ({ db, now, session, request, params, query, body: { falseHit } }) => {
    await db.transaction(async (db) => {
      const plate = await findManageableEntry(db, session, params.id)
      const key = { id: params.vehicleId, createdAt: query.createdAt }
      const falseBy = falseHit ? session.userId : null
      const plateLpr = await setFalseHit(db, { wantedId: plate.id, key, falseBy }, now)
      if (plateLpr === undefined) throw new Refusal('hit-not-found', 404)
      await notifyMarks(db, [key])
      // Both plates in fields of this name, which are masked for anonymised users.
      const after = { plateLpr: plate.plateLpr, read: { plateLpr }, createdAt: query.createdAt, falseHit }
      await audit(db, { session, request, now }, { action: 'wanted-hit-judged', subject: plate.plateLpr, after })
    })
  })
}

/** Deletes hits with their vehicles. */
export async function deleteHits(db: Database, now: Date, { retentionDays }: { retentionDays: number }): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * DAY_MS)
  await deleteHitsBefore(db, before)
  await deleteResponsesBefore(db, before)
}

/** Entries are kept for this long after their expiry, so that they can be extended. */
const EXPIRED_RETENTION_MS = 90 * DAY_MS

/** Deletes entries with their hits when they have been expired for long. */
export const deleteExpiredPlates = (db: Pool, now: Date): Promise<void> =>
  db.transaction(async (db) => {
    const plates = await lockExpiredBefore(db, new Date(now.getTime() - EXPIRED_RETENTION_MS))
    if (plates.length === 0) return
    const ids = plates.map(({ id }) => id)
    await notifyMarks(db, await deletePlates(db, ids, liveSince(now)))
    for (const plate of plates) await auditAsSystem(db, now, deletionRecord(plate))
  })
