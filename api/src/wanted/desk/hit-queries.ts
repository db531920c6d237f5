import type { Database } from '../../core/database.ts'
import { deleteByPages } from '../../core/delete-batches.ts'
import type { PassageKey } from '../../core/passage.ts'
import { type Statement, sql } from '../../core/statement.ts'
import { entryMatchesHit, ownerCondition } from '../queries.ts'

export type Person = { id: number; username: string }

/** A hit of one entry; those of a vehicle share what was done about it. */
export type HitRow = PassageKey & {
  shortName: string
  direction: string
  laneNumber: number
  plateLpr: string
  nationality: string | null
  entryId: number
  entryPlate: string
  description: string
  owner: Person
  entryCreatedAt: Date
  expiresAt: Date | null
  falseAt: Date | null
  falseReason: number | null
  falseBy: Person | null
  takenAt: Date | null
  takenBy: Person | null
  closedAt: Date | null
  closedBy: Person | null
}

export const person = (id: Statement, username: Statement) =>
  sql`case when ${id} is null then null else json_build_object('id', ${id}, 'username', coalesce(${username}, '')) end`

/** Joins the stations first: the hits of each are found by their key. */
const selectHits = (db: Database, keys: Statement, condition: Statement) =>
  db.prepared<HitRow>(sql`
  select h.vehicle_id as id, h.created_at as "createdAt", h.location_id as "locationId", l.short_name as "shortName",
         l.direction, h.lane_number as "laneNumber", h.plate_lpr as "plateLpr", h.nationality, w.id as "entryId",
         w.plate as "entryPlate", w.description, json_build_object('id', u.id, 'username', u.username) as owner,
         w.created_at as "entryCreatedAt", w.expires_at as "expiresAt", h.false_at as "falseAt",
         h.false_reason as "falseReason", ${person(sql`h.false_by`, sql`f.username`)} as "falseBy",
         r.taken_at as "takenAt", ${person(sql`r.taken_by`, sql`t.username`)} as "takenBy",
         r.closed_at as "closedAt", ${person(sql`r.closed_by`, sql`c.username`)} as "closedBy"
  from ${keys}
  join location l on l.id = h.location_id
  join wanted_plate w on w.id = h.wanted_id and w.type_of_list = 0
  join app_user u on u.id = w.user_id
  left join wanted_response r
    on r.location_id = h.location_id and r.created_at = h.created_at and r.vehicle_id = h.vehicle_id
  left join app_user f on f.id = h.false_by
  left join app_user t on t.id = r.taken_by
  left join app_user c on c.id = r.closed_by
  where ${condition} and ${entryMatchesHit}
  order by w.created_at, w.id`)

/** The hits of these vehicles, false and closed ones, too. */
export const hitsOfVehicles = (db: Database, keys: readonly PassageKey[]) =>
  selectHits(
    db,
    sql`unnest(
      ${keys.map(({ locationId }) => String(locationId))}::int[],
      ${keys.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
      ${keys.map(({ id }) => String(id))}::bigint[]
    ) as k (location_id, created_at, vehicle_id)
    join wanted_hit h using (location_id, created_at, vehicle_id)`,
    sql`true`,
  )

/** The hits since an instant that nobody closed and that are not false. */
export const unclosedHits = (db: Database, since: Date) =>
  selectHits(
    db,
    sql`location s join wanted_hit h on h.location_id = s.id and h.created_at >= ${since}::timestamptz`,
    sql`h.false_at is null and r.closed_at is null`,
  )

const sameVehicle = ({ locationId, createdAt, id }: PassageKey) =>
  sql`location_id = ${locationId} and created_at = ${createdAt}::timestamptz and vehicle_id = ${id}`

/**
 * Gives a hit to a user: if nobody has it, or from the user who has it. Returns false if somebody else has it or it is
 * closed.
 */
export async function takeHit(
  db: Database,
  key: PassageKey,
  { userId, from }: { userId: number; from: number | null },
  now: Date,
): Promise<boolean> {
  const taken = await db.execute(sql`
    insert into wanted_response as r (location_id, created_at, vehicle_id, taken_by, taken_at)
    values (${key.locationId}, ${key.createdAt}::timestamptz, ${key.id}, ${userId}, ${now}::timestamptz)
    on conflict (location_id, created_at, vehicle_id) do update set taken_by = ${userId}, taken_at = ${now}::timestamptz
      where r.closed_at is null and (r.taken_by is null or r.taken_by = ${from}::int)`)
  return taken > 0
}

/** Closes a hit for everybody; returns false if it is closed. */
export async function closeHit(db: Database, key: PassageKey, userId: number, now: Date): Promise<boolean> {
  const closed = await db.execute(sql`
    insert into wanted_response as r (location_id, created_at, vehicle_id, closed_by, closed_at)
    values (${key.locationId}, ${key.createdAt}::timestamptz, ${key.id}, ${userId}, ${now}::timestamptz)
    on conflict (location_id, created_at, vehicle_id) do update set closed_by = ${userId}, closed_at = ${now}::timestamptz
      where r.closed_at is null`)
  return closed > 0
}

/** Marks the hits of these entries as false, with a reason; returns false if all of them are. */
export async function markFalse(
  db: Database,
  key: PassageKey,
  { entries, userId, reason }: { entries: readonly number[]; userId: number; reason: number },
  now: Date,
): Promise<boolean> {
  const marked = await db.execute(sql`
    update wanted_hit set false_at = ${now}::timestamptz, false_by = ${userId}, false_reason = ${reason}
    where ${sameVehicle(key)} and wanted_id = any(${entries.map(String)}::bigint[]) and false_at is null`)
  return marked > 0
}

/** Undoes what a user closed since an instant; returns false if there is nothing. */
export async function reopenHit(db: Database, key: PassageKey, userId: number, since: Date): Promise<boolean> {
  const unmarked = await db.execute(sql`
    update wanted_hit set false_at = null, false_by = null, false_reason = null
    where ${sameVehicle(key)} and false_by = ${userId} and false_at >= ${since}::timestamptz`)
  const reopened = await db.execute(sql`
    update wanted_response set closed_at = null, closed_by = null
    where ${sameVehicle(key)} and closed_by = ${userId} and closed_at >= ${since}::timestamptz`)
  return unmarked + reopened > 0
}

/** Numbers of `wanted_step.step`. */
export const STEPS = { opened: 1, taken: 2, shown: 3, closed: 4, reopened: 5 } as const

/** Records what a user did; opening once. */
export const insertStep = (
  db: Database,
  key: PassageKey,
  { step, userId, reason = null }: { step: keyof typeof STEPS; userId: number; reason?: number | null },
  now: Date,
) =>
  db.execute(sql`
  insert into wanted_step (location_id, created_at, vehicle_id, at, user_id, step, reason)
  values (${key.locationId}, ${key.createdAt}::timestamptz, ${key.id}, ${now}::timestamptz, ${userId}, ${STEPS[step]},
          ${reason})
  on conflict (location_id, created_at, vehicle_id, user_id) where step = 1 do nothing`)

/** Whether the vehicle is a hit of a black list. */
export async function isHit(db: Database, key: PassageKey): Promise<boolean> {
  const rows = await db.query(sql`
    select from wanted_hit h join wanted_plate w on w.id = h.wanted_id and w.type_of_list = 0
    where h.location_id = ${key.locationId} and h.created_at = ${key.createdAt}::timestamptz and h.vehicle_id = ${key.id} limit 1`)
  return rows.length > 0
}

/** What users did about a hit, in order of time. */
export const listHitSteps = (db: Database, key: PassageKey) =>
  db.query<{ step: number; at: Date; by: Person; reason: number | null }>(sql`
  select s.step, s.at, json_build_object('id', u.id, 'username', u.username) as by, s.reason
  from wanted_step s join app_user u on u.id = s.user_id
  where s.location_id = ${key.locationId} and s.created_at = ${key.createdAt}::timestamptz and s.vehicle_id = ${key.id}
  order by s.at, s.step`)

/** The messages about a vehicle to the contacts of these users; `sentAt`: accepted by the server. */
export const messagesAbout = (db: Database, userIds: readonly number[], vehicle: string) =>
  db.query<{ createdAt: Date; sentAt: Date | null }>(sql`
  select o.created_at as "createdAt", o.sent_at as "sentAt"
  from wanted_contact c join outbox o on o.once = 'wanted ' || c.id || ' ' || ${vehicle}
  where c.user_id = any(${userIds.map(String)}::int[]) and not o.dropped`)

/** Deletes what was done about hits of deleted vehicles. */
export async function deleteResponsesBefore(db: Database, before: Date): Promise<void> {
  for (const table of ['wanted_response', 'wanted_step'])
    await deleteByPages(db, table, sql`created_at < ${before}::timestamptz`)
}

export type LatestRow = Pick<
  HitRow,
  | keyof PassageKey
  | 'shortName'
  | 'laneNumber'
  | 'plateLpr'
  | 'nationality'
  | 'entryId'
  | 'entryPlate'
  | 'description'
  | 'falseReason'
  | 'falseBy'
  | 'takenBy'
  | 'closedBy'
> & { isFalse: boolean }

/** Hits of black-list entries of a user, or of all users, newest first. */
export async function latestHitPage(
  db: Database,
  userId: number | undefined,
  { page, limit }: { page: number; limit: number },
) {
  const content = await db.query<LatestRow>(sql`
    select h.vehicle_id as id, h.created_at as "createdAt", h.location_id as "locationId", l.short_name as "shortName",
           h.lane_number as "laneNumber", h.plate_lpr as "plateLpr", h.nationality, w.id as "entryId",
           w.plate as "entryPlate", w.description, h.false_at is not null as "isFalse", h.false_reason as "falseReason",
           ${person(sql`h.false_by`, sql`f.username`)} as "falseBy",
           ${person(sql`r.taken_by`, sql`t.username`)} as "takenBy",
           ${person(sql`r.closed_by`, sql`c.username`)} as "closedBy"
    from wanted_hit h
    join wanted_plate w on w.id = h.wanted_id and w.type_of_list = 0 and ${ownerCondition(userId)}
    join location l on l.id = h.location_id
    left join wanted_response r
      on r.location_id = h.location_id and r.created_at = h.created_at and r.vehicle_id = h.vehicle_id
    left join app_user f on f.id = h.false_by
    left join app_user t on t.id = r.taken_by
    left join app_user c on c.id = r.closed_by
    order by h.created_at desc, h.vehicle_id desc, w.id
    limit ${limit} offset ${(page - 1) * limit}`)
  const [count] = await db.query<{ total: number }>(sql`
    select count(*)::int as total
    from wanted_hit h join wanted_plate w on w.id = h.wanted_id and w.type_of_list = 0 and ${ownerCondition(userId)}`)
  return { content, totalCount: count?.total ?? 0 }
}

/** Numbers of vehicles on black lists by lane, and of those misread, in [from, to). */
export const countMisreads = (
  db: Database,
  { userId, from, to, misread }: { userId: number | undefined; from: Date; to: Date; misread: number },
) =>
  db.query<{ location: { id: number; shortName: string }; laneNumber: number; hits: number; misreads: number }>(sql`
  select json_build_object('id', l.id, 'shortName', l.short_name) as location, v.lane_number as "laneNumber",
         count(*)::int as hits, (count(*) filter (where v.misread))::int as misreads
  from (
    select h.location_id, h.created_at, h.vehicle_id, h.lane_number, coalesce(bool_or(h.false_reason = ${misread}), false) as misread
    from location s
    join wanted_hit h on h.location_id = s.id and h.created_at >= ${from}::timestamptz and h.created_at < ${to}::timestamptz
    join wanted_plate w on w.id = h.wanted_id and w.type_of_list = 0 and ${ownerCondition(userId)}
    group by h.location_id, h.created_at, h.vehicle_id, h.lane_number
  ) v join location l on l.id = v.location_id
  group by l.id, l.short_name, v.lane_number
  order by l.short_name, l.id, v.lane_number`)
