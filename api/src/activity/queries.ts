import type { Activity, AuditEntry } from '@rogatka/contract/activity.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import type { Sql } from '../core/database.ts'
import { deleteInBatches } from '../core/delete-batches.ts'

/** Without a poll for so long the live list of a station counts as left. */
export const SILENT_MS = 60_000

/** A user at the live list of a station, from one address (event type 2). */
export type Visit = { userId: number; locationId: number; ip: string }

/** Opens visits; one that is open already goes on, and a station that there is not has none. */
export const openVisits = (sql: Sql, visits: readonly Visit[], now: Date) => sql`
  insert into activity (user_id, event_type, location_id, login_at, last_seen_at, created_at, ip)
  select v.user_id, 2, l.id, ${now}, ${now}, ${now}, v.ip
  from unnest(${visits.map(({ userId }) => String(userId))}::int[],
              ${visits.map(({ locationId }) => String(locationId))}::bigint[],
              ${visits.map(({ ip }) => ip)}::text[]) as v (user_id, location_id, ip)
  join location l on l.id = v.location_id
  order by 1, 3, 7
  on conflict (user_id, location_id, ip) where event_type = 2 and logout_at is null
  do update set last_seen_at = greatest(activity.last_seen_at, excluded.last_seen_at)`

/** Notes that visits go on; answers those that are still open. A closed one stays closed. */
export const prolongVisits = (sql: Sql, visits: readonly (Visit & { seenAt: Date })[]) => sql<Visit[]>`
  update activity a
  set last_seen_at = greatest(a.last_seen_at, v.seen_at)
  from unnest(${visits.map(({ userId }) => String(userId))}::int[],
              ${visits.map(({ locationId }) => String(locationId))}::bigint[],
              ${visits.map(({ ip }) => ip)}::text[],
              ${visits.map(({ seenAt }) => seenAt.toISOString())}::timestamptz[])
       as v (user_id, location_id, ip, seen_at)
  where a.event_type = 2 and a.logout_at is null
    and a.user_id = v.user_id and a.location_id = v.location_id and a.ip = v.ip
  returning a.user_id as "userId", a.location_id as "locationId", a.ip`

/** Closes all open visits of a user, as on logout. */
export const closeVisits = (sql: Sql, userId: number, now: Date) => sql`
  update activity set logout_at = ${now} where user_id = ${userId} and event_type = 2 and logout_at is null`

/** Closes the visits that nobody polled for, at the moment when they were last seen. */
export async function closeSilentVisits(sql: Sql, now: Date): Promise<void> {
  await sql`
    update activity set logout_at = last_seen_at
    where event_type = 2 and logout_at is null and last_seen_at < ${new Date(now.getTime() - SILENT_MS)}`
}

/** Deletes what ended before that time; what still lasts stays, however long ago it began. */
export const deleteActivityBefore = (sql: Sql, before: Date): Promise<void> =>
  deleteInBatches(
    (limit) => sql`
      delete from activity where id in (
        select id from activity where created_at < ${before} and logout_at < ${before} order by created_at, id
        limit ${limit})`,
  )

export type HistorySearch = {
  dateTimeStart: Date
  dateTimeEnd: Date
  userId?: number | undefined
  eventTypes?: number[] | undefined
}
type Page = { page: number; limit: number; orderDirection: 'asc' | 'desc' }

const order = (sql: Sql, { page, limit, orderDirection }: Page, column: 'a.created_at' | 'a.at') => {
  const direction = orderDirection === 'asc' ? sql`asc` : sql`desc`
  return sql`order by ${sql(column)} ${direction}, a.id ${direction} limit ${limit} offset ${(page - 1) * limit}`
}

const wantedActivity = (sql: Sql, q: HistorySearch) => sql`
  a.created_at >= ${q.dateTimeStart} and a.created_at < ${q.dateTimeEnd}
  ${q.userId === undefined ? sql`` : sql`and a.user_id = ${q.userId}`}
  ${q.eventTypes?.length ? sql`and a.event_type = any(${q.eventTypes})` : sql``}`

const activityColumns = (sql: Sql) => sql`
  a.id, a.event_type as "eventType", a.login_at as "loginAt", a.logout_at as "logoutAt",
  a.created_at as "createdAt", a.ip, a.variant,
  json_build_object('id', a.user_id, 'username', u.username) as user,
  case when l.id is not null then json_build_object('id', l.id, 'shortName', l.short_name) end as location,
  case when a.vms_id is not null
       then json_build_object('id', a.vms_id, 'roadNumber', s.road_number, 'chainage', s.chainage) end as vms`

/** The activity history in a range, with the names of users who are gone by now. */
export const activityPage = (sql: Sql, q: HistorySearch, page: Page) => sql<Activity[]>`
  select ${activityColumns(sql)}
  from (select * from activity a where ${wantedActivity(sql, q)} ${order(sql, page, 'a.created_at')}) a
  join app_user u on u.id = a.user_id
  left join location l on l.id = a.location_id
  left join vms_sign s on s.id = a.vms_id
  ${order(sql, { ...page, page: 1 }, 'a.created_at')}`

/** So many rows a report reads at a time. */
const BATCH = 500

/** The whole activity history in a range, oldest first, from a cursor. */
export const activityRows = (sql: Sql, q: HistorySearch): AsyncIterable<Activity[]> =>
  sql<Activity[]>`
  select ${activityColumns(sql)}
  from activity a
  join app_user u on u.id = a.user_id
  left join location l on l.id = a.location_id
  left join vms_sign s on s.id = a.vms_id
  where ${wantedActivity(sql, q)}
  order by a.created_at, a.id`.cursor(BATCH)

export async function activityCount(sql: Sql, q: HistorySearch): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from activity a where ${wantedActivity(sql, q)}`
  return row?.count ?? 0
}

type AuditSearch = Omit<HistorySearch, 'eventTypes'> & { action?: string | undefined }

const wantedAudit = (sql: Sql, q: AuditSearch) => sql`
  a.at >= ${q.dateTimeStart} and a.at < ${q.dateTimeEnd}
  ${q.userId === undefined ? sql`` : sql`and a.user_id = ${q.userId}`}
  ${q.action === undefined ? sql`` : sql`and a.action = ${q.action}`}`

export const auditPage = (sql: Sql, q: AuditSearch, page: Page) => sql<AuditEntry[]>`
  select a.id, a.at, a.ip, a.action, a.subject, a.before, a.after,
         case when u.id is not null then json_build_object('id', u.id, 'username', u.username) end as user
  from (select * from audit a where ${wantedAudit(sql, q)} ${order(sql, page, 'a.at')}) a
  left join app_user u on u.id = a.user_id
  ${order(sql, { ...page, page: 1 }, 'a.at')}`

/** The whole audit log in a range, oldest first, from a cursor. */
export const auditRows = (sql: Sql, q: AuditSearch): AsyncIterable<AuditEntry[]> =>
  sql<AuditEntry[]>`
  select a.id, a.at, a.ip, a.action, a.subject, a.before, a.after,
         case when u.id is not null then json_build_object('id', u.id, 'username', u.username) end as user
  from audit a
  left join app_user u on u.id = a.user_id
  where ${wantedAudit(sql, q)}
  order by a.at, a.id`.cursor(BATCH)

export async function auditCount(sql: Sql, q: AuditSearch): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from audit a where ${wantedAudit(sql, q)}`
  return row?.count ?? 0
}

type OutboxMessage = {
  id: number
  createdAt: Date
  kind: string
  recipient: string
  language: Language
  sentAt: Date | null
  attempts: number
  lastError: string | null
}

export const outboxPage = (sql: Sql, page: Page) => sql<OutboxMessage[]>`
  select id, created_at as "createdAt", kind, recipient, language, sent_at as "sentAt", attempts,
         last_error as "lastError"
  from outbox a ${order(sql, page, 'a.created_at')}`

export async function outboxCount(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from outbox`
  return row?.count ?? 0
}
