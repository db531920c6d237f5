import type { ViewPage } from '@rogatka/contract/options.ts'
import { MAX_LISTED_VIEWS } from '@rogatka/contract/views.ts'
import type { Database } from '../core/database.ts'
import { LOCKS } from '../core/locks.ts'
import { json, sql } from '../core/statement.ts'

export type StoredView = {
  id: number
  userId: number
  owner: string
  page: ViewPage
  name: string
  search: Record<string, string>
  rangeMinutes: number | null
  shared: boolean
  version: number
  isStart: boolean
}

const visibleTo = (userId: number, pages: readonly ViewPage[]) => sql`
  (v.user_id = ${userId} or v.shared) and v.page = any(${pages}::text[])`

/**
 * Views that a user sees, in their order: first those with a place, then own ones, the oldest first. Of more than
 * MAX_LISTED_VIEWS those without a place that others share are left out, the latest first.
 */
export const selectViews = (db: Database, userId: number, pages: readonly ViewPage[], id?: number) =>
  db.query<StoredView>(sql`
  select v.id, v.user_id as "userId", u.username as owner, v.page, v.name, v.search,
         v.range_minutes as "rangeMinutes", v.shared, v.version, s.view_id is not null as "isStart"
  from saved_view v
  join app_user u on u.id = v.user_id
  left join saved_view_place p on p.view_id = v.id and p.user_id = ${userId}
  left join start_view s on s.view_id = v.id and s.user_id = ${userId}
  where ${visibleTo(userId, pages)} and ${
    id === undefined
      ? sql`v.id in (
      select v.id from saved_view v
      left join saved_view_place p on p.view_id = v.id and p.user_id = ${userId}
      where ${visibleTo(userId, pages)}
      order by v.user_id <> ${userId}, v.id not in (select view_id from start_view where user_id = ${userId}),
               p.place nulls last, v.id
      limit ${MAX_LISTED_VIEWS})`
      : sql`v.id = ${id}`
  }
  order by p.place nulls last, v.user_id <> ${userId}, v.id`)

/** Which of these views a user sees. */
export async function visibleViews(
  db: Database,
  userId: number,
  pages: readonly ViewPage[],
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await db.query<{ id: number }>(sql`
    select v.id from saved_view v where ${visibleTo(userId, pages)} and v.id = any(${ids.map(String)}::bigint[])`)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Locks the user against deletion until the transaction ends, so that nothing is saved that the deletion misses; false
 * if deleted. Deletion does not change the key, so a key share lock would not wait for it.
 */
export async function lockOwner(db: Database, userId: number): Promise<boolean> {
  const rows = await db.query(sql`select 1 from app_user where id = ${userId} and deleted_at is null for share`)
  return rows.length > 0
}

/** Locks a view until the transaction ends. */
export const lockView = (db: Database, id: number) => db.query(sql`select from saved_view where id = ${id} for update`)

/** Locks the numbers of views until the transaction ends, so that views are counted one after the other. */
export const lockViewCounts = (db: Database) => db.query(sql`select pg_advisory_xact_lock(${LOCKS.savedViews})`)

/** Number of views of a user, and of shared ones among them, without one of them. */
export async function viewCounts(db: Database, userId: number, exceptId: number | null) {
  const [row] = await db.query<{ total: number; shared: number }>(sql`
    select count(*)::int as total, (count(*) filter (where shared))::int as shared
    from saved_view where user_id = ${userId} and id is distinct from ${exceptId}::int`)
  return row as { total: number; shared: number }
}

type ViewValues = Pick<StoredView, 'name' | 'search' | 'rangeMinutes' | 'shared'>

export async function insertView(
  db: Database,
  userId: number,
  { page, name, search, rangeMinutes, shared }: ViewValues & { page: ViewPage },
): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    insert into saved_view (user_id, page, name, search, range_minutes, shared)
    values (${userId}, ${page}, ${name}, ${json(search)}, ${rangeMinutes}, ${shared}) returning id`)
  return row?.id as number
}

export const updateView = (db: Database, id: number, { name, search, rangeMinutes, shared }: ViewValues) =>
  db.execute(sql`
  update saved_view
  set name = ${name}, search = ${json(search)}, range_minutes = ${rangeMinutes}, shared = ${shared},
      version = version + 1
  where id = ${id}`)

/** Deletes the place of a view in the lists of others, and their start view if it is this one: it is no longer shared. */
export async function deletePlacesOfOthers(db: Database, id: number, userId: number): Promise<void> {
  await db.execute(sql`delete from saved_view_place where view_id = ${id} and user_id <> ${userId}`)
  await db.execute(sql`delete from start_view where view_id = ${id} and user_id <> ${userId}`)
}

export const deleteView = (db: Database, id: number) => db.execute(sql`delete from saved_view where id = ${id}`)

/** Replaces the order of a user. Views that were deleted meanwhile are left out. */
export async function setOrder(db: Database, userId: number, ids: readonly number[]): Promise<void> {
  await db.execute(sql`delete from saved_view_place where user_id = ${userId}`)
  await db.execute(sql`
    insert into saved_view_place (user_id, view_id, place)
    select ${userId}, v.id, ordered.place::int
    from unnest(${ids}::int[]) with ordinality as ordered (id, place)
    join saved_view v on v.id = ordered.id
    for key share of v`)
}

export async function setStart(db: Database, userId: number, id: number | null): Promise<void> {
  await db.execute(sql`delete from start_view where user_id = ${userId}`)
  if (id !== null) await db.execute(sql`insert into start_view (user_id, view_id) values (${userId}, ${id})`)
}

/** Deletes all views of a user, also shared ones, which others then lose. */
export async function deleteViewsOf(db: Database, userId: number): Promise<void> {
  await db.execute(sql`delete from saved_view_place where user_id = ${userId}`)
  await db.execute(sql`delete from start_view where user_id = ${userId}`)
  await db.execute(sql`delete from saved_view where user_id = ${userId}`)
}
