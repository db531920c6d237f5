import { locationOf } from '@rogatka/contract/ingest.ts'
import type { EntryState, PlateOrder, TypeOfList } from '@rogatka/contract/options.ts'
import type { WantedHit, WantedPlate } from '@rogatka/contract/wanted.ts'
import { normalisePlate } from '@rogatka/domain/vehicle/plate.ts'
import { MISREAD_DIGITS, MISREAD_LETTERS, misreadForm } from '@rogatka/domain/vehicle/plateMatch.ts'
import { expiringUntil } from '@rogatka/domain/wanted/entry.ts'
import type { ListMark } from '@rogatka/domain/wanted/visibility.ts'
import { cursorRows } from '../core/cursor.ts'
import type { Database, Pool } from '../core/database.ts'
import { deleteByPages } from '../core/delete-batches.ts'
import { type PassageKey, vehicleKey } from '../core/passage.ts'
import { containingPattern, sql } from '../core/statement.ts'

/** An entry; `manageable` depends on the session. */
export type StoredPlate = Omit<WantedPlate, 'manageable'>

export type PageQuery = { page: number; limit: number; orderDirection: 'asc' | 'desc' }

/** Owner, lists, text to find in plate, description or name of the owner, and state at an instant. */
type PlateSearch = {
  types: readonly TypeOfList[]
  userId: number | undefined
  search?: string | undefined
  state?: EntryState | undefined
  now: Date
}

export const direction = ({ orderDirection }: PageQuery) => (orderDirection === 'asc' ? sql`asc` : sql`desc`)
export const limitOffset = ({ page, limit }: PageQuery) => sql`limit ${limit} offset ${(page - 1) * limit}`
export const ownerCondition = (userId: number | undefined) =>
  userId === undefined ? sql`true` : sql`w.user_id = ${userId}`

/**
 * Whether the plate of a hit `h` still matches its entry `w`, by the same rule as ingest. After a change of the entry,
 * other hits have no marks and messages.
 */
export const entryMatchesHit = sql`
  (w.plate = h.plate_lpr or w.allow_misread and w.misread = translate(h.plate_lpr, ${MISREAD_LETTERS}, ${MISREAD_DIGITS}))`

/** When vehicles with a black-listed plate passed in a range: once for each vehicle. */
export async function hitTimes(db: Database, from: Date, to: Date): Promise<Date[]> {
  const rows = await db.query<{ at: Date }>(sql`
    select distinct h.created_at as at, h.vehicle_id
    from wanted_hit h join wanted_plate w on w.id = h.wanted_id
    where w.type_of_list = 0 and h.created_at >= ${from}::timestamptz and h.created_at < ${to}::timestamptz`)
  return rows.map(({ at }) => at)
}

/** A join, as Citus refuses correlated subqueries; limited to these entries. */
const joinHits = (ids: readonly number[]) => sql`
  left join (
    select h.wanted_id, (count(*) filter (where h.false_at is null))::int as hits,
           (array_agg(h.nationality order by h.created_at desc)
             filter (where h.nationality is not null and ${entryMatchesHit}))[1] as nationality
    from wanted_hit h join wanted_plate w on w.id = h.wanted_id
    where h.wanted_id = any(${ids.map(String)}::bigint[])
    group by h.wanted_id
  ) h on h.wanted_id = w.id`

/** Hit counts of the found entries, for sorting. */
const joinHitCounts = (search: PlateSearch) => sql`
  left join (
    select wanted_id, count(*)::int as hits from wanted_hit
    where false_at is null and wanted_id in (select w.id from wanted_plate w where ${searchCondition(search)})
    group by wanted_id
  ) h on h.wanted_id = w.id`

const sortColumn = (by: PlateOrder) =>
  ({
    createdAt: sql`w.created_at`,
    plateLpr: sql`w.plate`,
    description: sql`w.description collate "und-x-icu"`,
    expiresAt: sql`w.expires_at`,
    hits: sql`coalesce(h.hits, 0)`,
  })[by]

/** Entries with these ids, unordered. */
const selectPlates = (db: Database, ids: readonly number[]) =>
  db.query<StoredPlate>(sql`
  select w.id, w.plate as "plateLpr", h.nationality, w.type_of_list as "typeOfList", w.description,
         w.user_id as "userId", json_build_object('id', w.user_id, 'username', u.username) as user,
         coalesce(h.hits, 0) as hits, w.created_at as "createdAt", w.expires_at as "expiresAt",
         w.allow_misread as "allowMisread", w.version, (w.type_of_list <> 0 or c.user_id is not null) as notified
  from wanted_plate w
  join app_user u on u.id = w.user_id
  left join (select distinct user_id from wanted_contact) c on c.user_id = w.user_id
  ${joinHits(ids)}
  where w.id = any(${ids.map(String)}::bigint[])`)

/** The name of the owner is searched among entries of several owners. */
const textCondition = ({ search, userId }: Pick<PlateSearch, 'search' | 'userId'>) => {
  if (!search) return sql`true`
  const plate = normalisePlate(search)
  // ICU collation for letters of all languages, as the database locale may be English.
  const byDescription = sql`w.description collate "und-x-icu" ilike ${containingPattern(search)}`
  const byOwner = sql`w.user_id in (
    select id from app_user where username collate "und-x-icu" ilike ${containingPattern(search)})`
  const byText = userId === undefined ? sql`${byDescription} or ${byOwner}` : byDescription
  return plate === null ? sql`(${byText})` : sql`(w.plate like ${containingPattern(plate)} or ${byText})`
}

const stateCondition = (state: EntryState, now: Date) =>
  ({
    valid: sql`(w.expires_at is null or w.expires_at > ${now}::timestamptz)`,
    expiring: sql`(w.expires_at > ${now}::timestamptz and w.expires_at <= ${expiringUntil(now)}::timestamptz)`,
    expired: sql`w.expires_at <= ${now}::timestamptz`,
  })[state]

const searchCondition = ({ state, now, ...search }: PlateSearch) =>
  state ? sql`${anyStateCondition(search)} and ${stateCondition(state, now)}` : anyStateCondition(search)

const anyStateCondition = ({ types, ...search }: Pick<PlateSearch, 'types' | 'userId' | 'search'>) => sql`
  w.type_of_list = any(${[...types]}::smallint[]) and ${ownerCondition(search.userId)} and ${textCondition(search)}`

export async function platePage(db: Database, search: PlateSearch, page: PageQuery & { orderBy: PlateOrder }) {
  const found = await db.query<{ id: number }>(sql`
    select w.id from wanted_plate w ${page.orderBy === 'hits' ? joinHitCounts(search) : sql``}
    where ${searchCondition(search)}
    order by ${sortColumn(page.orderBy)} ${direction(page)} nulls last, w.created_at ${direction(page)},
             w.id ${direction(page)}
    ${limitOffset(page)}`)
  const ids = found.map(({ id }) => id)
  const plates = new Map((await selectPlates(db, ids)).map((plate) => [plate.id, plate]))
  const states = await countPlates(db, search)
  return {
    content: ids.flatMap((id) => plates.get(id) ?? []),
    totalCount: states[search.state ?? 'all'],
    states,
  }
}

/** Numbers of entries by state, whatever the state of the search is. */
async function countPlates(db: Database, { now, ...search }: PlateSearch) {
  const countOf = (state: EntryState) => sql`(count(*) filter (where ${stateCondition(state, now)}))::int`
  const [states] = await db.query<Record<EntryState | 'all', number>>(sql`
    select count(*)::int as "all", ${countOf('valid')} as valid, ${countOf('expiring')} as expiring,
           ${countOf('expired')} as expired
    from wanted_plate w where ${anyStateCondition(search)}`)
  return states ?? { all: 0, valid: 0, expiring: 0, expired: 0 }
}

export async function countFoundPlates(db: Database, search: PlateSearch): Promise<number> {
  return (await countPlates(db, search))[search.state ?? 'all']
}

export type ExportedPlate = Pick<WantedPlate, 'plateLpr' | 'description' | 'expiresAt' | 'allowMisread'>

/** Rows per fetch. */
const EXPORT_BATCH_SIZE = 1_000

/** The found entries for an export, in the given order, in batches; without hits, which an import does not read. */
export const exportedPlates = (db: Pool, search: PlateSearch, orderBy: 'plate' | 'createdAt') =>
  cursorRows<ExportedPlate>(
    db,
    sql`
  select w.plate as "plateLpr", w.description, w.expires_at as "expiresAt", w.allow_misread as "allowMisread"
  from wanted_plate w where ${searchCondition(search)}
  order by ${orderBy === 'plate' ? sql`w.plate` : sql`w.created_at`}, w.id`,
    EXPORT_BATCH_SIZE,
  )

/** The entries with these ids, or the found ones, locked until deleted. */
export const lockPlates = (db: Database, selection: { ids: readonly number[] } | PlateSearch) =>
  selectLockedPlates(
    db,
    'ids' in selection ? sql`w.id = any(${selection.ids.map(String)}::bigint[])` : searchCondition(selection),
  )

const selectLockedPlates = (db: Database, condition: ReturnType<typeof searchCondition>) =>
  db.query<DeletedPlate>(sql`
  select w.id, w.plate as "plateLpr", w.type_of_list as "typeOfList", w.user_id as "userId", w.description,
         w.created_at as "createdAt", w.expires_at as "expiresAt", w.allow_misread as "allowMisread",
         json_build_object('id', w.user_id, 'username', u.username) as user
  from wanted_plate w join app_user u on u.id = w.user_id
  where ${condition}
  order by w.id for update of w`)

/** Entries that expired before an instant, locked until deleted. */
export const lockExpiredBefore = (db: Database, before: Date) =>
  selectLockedPlates(db, sql`w.expires_at < ${before}::timestamptz`)

type DeletedPlate = Omit<StoredPlate, 'nationality' | 'hits' | 'notified' | 'version'>

export async function plateById(db: Database, id: number): Promise<StoredPlate | undefined> {
  const [plate] = await selectPlates(db, [id])
  return plate
}

type NewPlate = Pick<WantedPlate, 'plateLpr' | 'typeOfList' | 'description' | 'allowMisread'> & {
  userId: number
  expiresAt: Date | null
}

/** Inserts an entry, or replaces an expired one. Undefined if a valid one exists. */
export async function insertPlate(db: Database, plate: NewPlate, now: Date): Promise<number | undefined> {
  const { plateLpr, typeOfList, description, allowMisread, userId, expiresAt } = plate
  const [added] = await db.query<{ id: number }>(sql`
    insert into wanted_plate as w (created_at, expires_at, user_id, type_of_list, allow_misread, plate, misread, description)
    values (${now}::timestamptz, ${expiresAt}::timestamptz, ${userId}, ${typeOfList}, ${allowMisread}::boolean, ${plateLpr}, ${misreadForm(plateLpr)},
            ${description})
    on conflict (user_id, type_of_list, plate) do update set
      created_at = excluded.created_at, expires_at = excluded.expires_at, allow_misread = excluded.allow_misread,
      description = excluded.description, version = w.version + 1
      where w.expires_at <= excluded.created_at
    returning id`)
  return added?.id
}

/**
 * Updates an entry; returns false if its version has changed. A duplicate plate on a list of one user violates
 * wanted_plate_once.
 */
export async function updatePlate(
  db: Database,
  id: number,
  version: number,
  { plateLpr, description, allowMisread, userId, expiresAt }: Omit<NewPlate, 'typeOfList'>,
): Promise<boolean> {
  const changed = await db.execute(sql`
    update wanted_plate
    set plate = ${plateLpr}, misread = ${misreadForm(plateLpr)}, description = ${description},
        allow_misread = ${allowMisread}::boolean, user_id = ${userId}, expires_at = ${expiresAt}::timestamptz, version = version + 1
    where id = ${id} and version = ${version}`)
  return changed > 0
}

/** The expired entry with this plate on the same list of a user, locked; undefined if there is none besides `id`. */
export async function lockExpired(
  db: Database,
  { id, userId, typeOfList, plateLpr }: Pick<WantedPlate, 'id' | 'userId' | 'typeOfList' | 'plateLpr'>,
  now: Date,
): Promise<DeletedPlate | undefined> {
  const [expired] = await selectLockedPlates(
    db,
    sql`w.user_id = ${userId} and w.type_of_list = ${typeOfList} and w.plate = ${plateLpr} and w.id <> ${id}
        and w.expires_at <= ${now}::timestamptz`,
  )
  return expired
}

/** Copies the hits of an entry to another. */
export const copyHits = (db: Database, from: number, to: number) =>
  db.execute(sql`
  insert into wanted_hit (created_at, vehicle_id, wanted_id, false_at, location_id, false_by, false_reason, entry_plate,
                          plate_lpr, nationality, lane_number)
  select created_at, vehicle_id, ${to}::bigint, false_at, location_id, false_by, false_reason, entry_plate, plate_lpr,
         nationality, lane_number
  from wanted_hit where wanted_id = ${from}
  on conflict (location_id, created_at, vehicle_id, wanted_id) do nothing`)

/** The hits of an entry since an instant, which may be live. */
export const recentHits = (db: Database, id: number, since: Date) =>
  db.query<Pick<PassageKey, 'id' | 'createdAt'>>(sql`
  select vehicle_id as id, created_at as "createdAt" from wanted_hit
  where wanted_id = ${id} and created_at >= ${since}::timestamptz`)

/** Deletes entries and their hits; returns hits since an instant, which may be live. */
export async function deletePlates(
  db: Database,
  ids: readonly number[],
  since: Date,
): Promise<Pick<PassageKey, 'id' | 'createdAt'>[]> {
  const numbers = ids.map(String)
  await db.execute(sql`delete from wanted_plate where id = any(${numbers}::bigint[])`)
  const hits = await db.query<Pick<PassageKey, 'id' | 'createdAt'>>(sql`
    delete from wanted_hit where wanted_id = any(${numbers}::bigint[])
    returning vehicle_id as id, created_at as "createdAt"`)
  return hits.filter(({ createdAt }) => createdAt >= since)
}

export async function hitPage(db: Database, wantedId: number, page: PageQuery) {
  const hits = await db.query<Omit<WantedHit, 'checkpointTime'>>(sql`
    select h.vehicle_id as id, h.created_at as "createdAt", h.lane_number as "laneNumber",
           h.plate_lpr as "plateLpr", h.entry_plate as "entryPlate", h.nationality, h.false_at is not null as "falseHit",
           json_build_object('id', l.id, 'shortName', l.short_name) as location
    from wanted_hit h join location l on l.id = h.location_id
    where h.wanted_id = ${wantedId}
    order by h.created_at ${direction(page)}, h.vehicle_id ${direction(page)}
    ${limitOffset(page)}`)
  const times = await vehicleTimes(
    db,
    hits.map((hit) => ({ ...hit, locationId: hit.location.id })),
  )
  const content = hits.map((hit) => ({ ...hit, checkpointTime: times.get(vehicleKey(hit))?.checkpointTime ?? null }))
  const [count] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from wanted_hit where wanted_id = ${wantedId}`)
  return { content, totalCount: count?.total ?? 0 }
}

type VehicleTimes = { checkpointTime: Date | null; receivedAt: Date }

/**
 * When the vehicles of these hits that are still stored reach the checkpoint and were received, by `vehicleKey`: read by
 * their keys, as Citus would read all vehicles for an outer join.
 */
export async function vehicleTimes(db: Database, hits: readonly PassageKey[]): Promise<Map<string, VehicleTimes>> {
  if (hits.length === 0) return new Map()
  const vehicles = await db.query<VehicleTimes & { id: number; createdAt: Date }>(sql`
    select v.id, v.created_at as "createdAt", v.checkpoint_time as "checkpointTime", v.received_at as "receivedAt"
    from (
      select * from unnest(
        ${hits.map(({ locationId }) => String(locationId))}::int[],
        ${hits.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
        ${hits.map(({ id }) => String(id))}::bigint[]
      ) as w (location_id, created_at, id)
    ) w
    join vehicle v on v.location_id = w.location_id and v.created_at = w.created_at and v.id = w.id`)
  return new Map(vehicles.map((vehicle) => [vehicleKey(vehicle), vehicle]))
}

/** Marks a hit as false or not; returns its plate as read, undefined if there is no such hit. */
export async function setFalseHit(
  db: Database,
  { wantedId, key, falseBy }: { wantedId: number; key: Omit<PassageKey, 'locationId'>; falseBy: number | null },
  now: Date,
): Promise<string | undefined> {
  const [hit] = await db.query<{ plateLpr: string }>(sql`
    update wanted_hit set false_at = ${falseBy && now}, false_by = ${falseBy}, false_reason = null
    where location_id = ${locationOf(key.id)} and created_at = ${key.createdAt}::timestamptz and vehicle_id = ${key.id}
      and wanted_id = ${wantedId}
    returning plate_lpr as "plateLpr"`)
  return hit?.plateLpr
}

/** The list marks of these vehicles for all users; without false hits and hits that no longer match. */
export async function listMarks(db: Database, keys: readonly PassageKey[]) {
  if (keys.length === 0) return []
  return db.prepared<ListMark & Pick<PassageKey, 'id' | 'createdAt'>>(sql`
    select h.vehicle_id as id, h.created_at as "createdAt", w.user_id as "userId", w.type_of_list as "typeOfList",
           w.plate, w.description
    from unnest(
      ${keys.map(({ locationId }) => String(locationId))}::int[],
      ${keys.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
      ${keys.map(({ id }) => String(id))}::bigint[]
    ) as k (location_id, created_at, vehicle_id)
    join wanted_hit h using (location_id, created_at, vehicle_id)
    join wanted_plate w on w.id = h.wanted_id
    where h.false_at is null and ${entryMatchesHit}
    order by w.created_at, w.id`)
}

/** Deletes the hits of deleted vehicles, and those inserted while their entry was deleted. */
export const deleteHitsBefore = (db: Database, before: Date): Promise<void> =>
  deleteByPages(
    db,
    'wanted_hit',
    sql`(created_at < ${before}::timestamptz or not exists (select from wanted_plate w where w.id = wanted_id))`,
  )

/** Whether a user exists. */
export async function userExists(db: Database, userId: number): Promise<boolean> {
  const [row] = await db.query(sql`select from app_user where id = ${userId} and deleted_at is null`)
  return row !== undefined
}
