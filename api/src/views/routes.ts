import { hasRight, type Right } from '@rogatka/contract/access.ts'
import { type ViewPage, viewPages } from '@rogatka/contract/options.ts'
import type { SortColumn } from '@rogatka/contract/vehicle.ts'
import * as endpoints from '@rogatka/contract/views.ts'
import { MAX_SHARED_VIEWS, MAX_VIEWS, PLATE_PARAMETERS, type View } from '@rogatka/contract/views.ts'
import { viewFilters } from '@rogatka/contract/views-filters.ts'
import { maskPlates, normalisePlate } from '@rogatka/domain/vehicle/plate.ts'
import { assertPlateQueryAllowed, isAnonymised } from '../core/anonymity.ts'
import { type Actor, audit, type NewAuditEntry } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import type { Session } from '../core/sessions.ts'
import { locations } from '../locations/public-api.ts'
import {
  deletePlacesOfOthers,
  deleteView,
  insertView,
  lockOwner,
  lockView,
  lockViewCounts,
  type StoredView,
  selectViews,
  setOrder,
  setStart,
  updateView,
  viewCounts,
  visibleViews,
} from './queries.ts'

type Search = Record<string, string>
type Values = Pick<StoredView, 'name' | 'search' | 'rangeMinutes' | 'shared'>

/** The right that a page and its views require. */
const RIGHT_OF: Record<ViewPage, Right> = {
  current: 'CurrentMeasurements',
  archive: 'ArchiveMeasurements',
  statistics: 'Stat',
}

const pagesOf = ({ permissions }: Session): ViewPage[] =>
  viewPages.filter((page) => hasRight(permissions, RIGHT_OF[page]))

const hasPlate = (search: Search): boolean => PLATE_PARAMETERS.some((parameter) => parameter in search)

/** A shorter plate is contained in many names by chance. */
const MIN_NAMED_PLATE = 4

/** Whether a name contains a plate of the filters, in any notation. */
function namesPlateOf(name: string, search: Search): boolean {
  const text = normalisePlate(name) ?? ''
  const plates = PLATE_PARAMETERS.flatMap((parameter) => (search[parameter] ?? '').split(/[,[\]"*?]/))
  return plates.some((plate) => {
    const normalised = normalisePlate(plate) ?? ''
    return normalised.length >= MIN_NAMED_PLATE && text.includes(normalised)
  })
}

const omit = (search: Search, isOmitted: (parameter: string, value: string) => boolean): Search =>
  Object.fromEntries(Object.entries(search).filter(([parameter, value]) => !isOmitted(parameter, value)))

const isPlate = (parameter: string): boolean => PLATE_PARAMETERS.some((plate) => plate === parameter)
const isPlateOrder = (_: string, value: string): boolean => value === 'plateLpr'
const isRange = (parameter: string): boolean => parameter === 'dateTimeStart' || parameter === 'dateTimeEnd'

type SearchValues = Parameters<typeof assertPlateQueryAllowed>[1] & { locations?: number[] } & {
  [order in `orderByColumnName${'' | 1 | 2 | 3}`]?: SortColumn
}

/** The parameters, validated as the page itself does. @throws 422, 403 for plates if the caller is anonymised */
function checkSearch(session: Session, page: ViewPage, search: Search): Search {
  const checked = viewFilters[page].strict().safeParse(search)
  if (!checked.success) throw new Refusal('invalid-value', 422, 'search')
  const { locations, orderByColumnName, orderByColumnName1, orderByColumnName2, orderByColumnName3, ...filters } =
    checked.data as SearchValues
  assertPlateQueryAllowed(session, filters, [
    orderByColumnName,
    orderByColumnName1,
    orderByColumnName2,
    orderByColumnName3,
  ])
  return { ...search, ...(locations && { locations: locations.join(',') }) }
}

/**
 * The view as it is stored: with a moving range it has no times. @param before the filters until now
 * @throws 422 for a plate in a shared one, also if its name still has the plate of its filters until now
 */
function toStored<T extends Values>(view: T, before: Search = {}): T {
  if (view.shared && hasPlate(view.search)) throw new Refusal('plate-in-shared-view', 422, 'shared')
  if (view.shared && namesPlateOf(view.name, before)) throw new Refusal('plate-in-shared-view', 422, 'name')
  return view.rangeMinutes === null ? view : { ...view, search: omit(view.search, isRange) }
}

/** A view as its reader sees it. @param withPlate for one that is opened */
function toView(session: Session, stations: ReadonlySet<string>, withPlate: boolean) {
  return ({ userId, ...view }: StoredView): View => {
    const anonymised = isAnonymised(session)
    const isOwn = userId === session.userId
    const ids = view.search.locations?.split(',') ?? []
    const existing = ids.filter((id) => stations.has(id))
    const search = omit(
      { ...view.search, ...(ids.length > 0 && { locations: existing.join(',') }) },
      (parameter, value) =>
        value === '' || (isPlate(parameter) && (anonymised || !withPlate)) || (anonymised && isPlateOrder('', value)),
    )
    return {
      ...view,
      name: anonymised && !isOwn ? maskPlates(view.name) : view.name,
      search,
      hasPlate: !anonymised && hasPlate(view.search),
      isOwn,
      isDeletable: isOwn || hasRight(session.permissions, 'UsersAdmin'),
      missingStations: ids.length - existing.length,
    }
  }
}

async function listViews(db: Database, session: Session, id?: number): Promise<View[]> {
  const [stored, stations] = [await selectViews(db, session.userId, pagesOf(session), id), await locations(db)]
  const ids = new Set(stations.map((station) => String(station.id)))
  return stored.map(toView(session, ids, id !== undefined))
}

/** @throws 404 if the caller does not see it */
function requireView<T>(view: T | undefined): T {
  if (view === undefined) throw new Refusal('view-not-found', 404)
  return view
}

const readView = async (db: Database, session: Session, id: number): Promise<View> =>
  requireView((await listViews(db, session, id))[0])

/** A view of some pages that the caller sees, locked until the transaction ends. */
async function lockVisible(
  db: Database,
  session: Session,
  id: number,
  pages: readonly ViewPage[] = pagesOf(session),
): Promise<StoredView> {
  await lockView(db, id)
  return requireView((await selectViews(db, session.userId, pages, id))[0])
}

/** @throws 409 if the user has too many views */
async function checkCounts(db: Database, userId: number, shared: boolean, id: number | null): Promise<void> {
  await lockViewCounts(db)
  const counts = await viewCounts(db, userId, id)
  if (counts.total >= MAX_VIEWS) throw new Refusal('too-many-views', 409)
  if (shared && counts.shared >= MAX_SHARED_VIEWS) throw new Refusal('too-many-shared-views', 409, 'shared')
}

type AuditedView = Values & { page: ViewPage }

/** A shared view in the audit log. The live list has one level of sorting, with other names. */
function auditedFields({ name, page, search, rangeMinutes }: AuditedView) {
  const { preset: _, orderByColumnName, orderDirection, ...filters } = search
  return {
    name,
    page,
    ...(rangeMinutes !== null && { rangeMinutes }),
    search: {
      ...filters,
      ...(orderByColumnName && { orderByColumnName1: orderByColumnName }),
      ...(orderDirection && { orderDirection1: orderDirection }),
    },
  }
}

/** Audits changes that others see: shared views that are added, changed or deleted. */
async function auditShared(db: Database, actor: Actor, before: AuditedView | null, after: AuditedView | null) {
  const [from, to] = [before?.shared ? before : null, after?.shared ? after : null]
  if (!from && !to) return
  if (from && to && JSON.stringify(auditedFields(from)) === JSON.stringify(auditedFields(to))) return
  const action: NewAuditEntry['action'] = !from
    ? 'shared-view-added'
    : to
      ? 'shared-view-changed'
      : 'shared-view-deleted'
  await audit(db, actor, {
    action,
    subject: (to ?? from)?.name as string,
    ...(from && { before: auditedFields(from) }),
    ...(to && { after: auditedFields(to) }),
  })
}

/** Registers the routes of saved views. */
export function viewsRoutes(api: Api): void {
  route(api, endpoints.views, ({ db, session }) => listViews(db, session))

  route(api, endpoints.readView, ({ db, session, params }) => readView(db, session, params.id))

  route(api, endpoints.addView, async ({ db, now, session, request, body }) => {
    if (!pagesOf(session).includes(body.page)) throw new Refusal('forbidden', 403, 'page')
    const view = toStored({ ...body, search: checkSearch(session, body.page, body.search) })
    return db.transaction(async (db) => {
      if (!(await lockOwner(db, session.userId))) throw new Refusal('unauthorized', 401)
      await checkCounts(db, session.userId, view.shared, null)
      const id = await insertView(db, session.userId, view)
      await auditShared(db, { session, request, now }, null, view)
      return readView(db, session, id)
    })
  })

  route(api, endpoints.changeView, async ({ db, now, session, request, params, body: { version, ...body } }) =>
    db.transaction(async (db) => {
      // Before the lock of the view, as in the other routes, so that there is no deadlock.
      if (body.shared) await lockViewCounts(db)
      const before = await lockVisible(db, session, params.id)
      if (before.userId !== session.userId) throw new Refusal('forbidden', 403)
      if ((version ?? before.version) !== before.version) throw new Refusal('changed-meanwhile', 409)
      const { page } = before
      const view = toStored(
        {
          page,
          name: body.name ?? before.name,
          search: body.search ? checkSearch(session, page, body.search) : before.search,
          rangeMinutes: body.rangeMinutes === undefined ? before.rangeMinutes : body.rangeMinutes,
          shared: body.shared ?? before.shared,
        },
        before.search,
      )
      if (view.shared && !before.shared) await checkCounts(db, session.userId, true, before.id)
      await updateView(db, before.id, view)
      if (!view.shared) await deletePlacesOfOthers(db, before.id, session.userId)
      await auditShared(db, { session, request, now }, before, view)
      return readView(db, session, before.id)
    }),
  )

  route(api, endpoints.removeView, async ({ db, now, session, request, params }) => {
    await db.transaction(async (db) => {
      const view = await lockVisible(db, session, params.id, viewPages)
      const isOwn = view.userId === session.userId
      // An own view can be deleted without the right of its page, as it counts among those that a user may have.
      if (!isOwn && !pagesOf(session).includes(view.page)) throw new Refusal('view-not-found', 404)
      if (!isOwn && !hasRight(session.permissions, 'UsersAdmin')) throw new Refusal('forbidden', 403)
      await deleteView(db, view.id)
      await auditShared(db, { session, request, now }, view, null)
    })
  })

  route(api, endpoints.orderViews, async ({ db, session, body }) => {
    await db.transaction(async (db) => {
      await lockViewCounts(db)
      const visible = await visibleViews(db, session.userId, pagesOf(session), body.ids)
      await setOrder(
        db,
        session.userId,
        [...new Set(body.ids)].filter((id) => visible.has(id)),
      )
    })
  })

  route(api, endpoints.setStartView, async ({ db, session, body }) => {
    await db.transaction(async (db) => {
      await lockViewCounts(db)
      if (body.id !== null) await lockVisible(db, session, body.id)
      await setStart(db, session.userId, body.id)
    })
  })
}
