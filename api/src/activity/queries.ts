import type { Activity, AuditEntry } from '@rogatka/contract/activity.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { cursorRows } from '../core/cursor.ts'
import type { Database, Pool } from '../core/database.ts'
import { identifier, sql } from '../core/statement.ts'

export type HistorySearch = {
  dateTimeStart: Date
  dateTimeEnd: Date
  userId?: number | undefined
  eventTypes?: number[] | undefined
}
type PageQuery = { page: number; limit: number; orderDirection: 'asc' | 'desc' }

const orderAndLimit = ({ page, limit, orderDirection }: PageQuery, column: 'a.created_at' | 'a.at') => {
  const direction = orderDirection === 'asc' ? sql`asc` : sql`desc`
  return sql`order by ${identifier(column)} ${direction}, a.id ${direction} limit ${limit} offset ${(page - 1) * limit}`
}

const activityFilter = (q: HistorySearch) => sql`
  a.created_at >= ${q.dateTimeStart}::timestamptz and a.created_at < ${q.dateTimeEnd}::timestamptz
  ${q.userId === undefined ? sql`` : sql`and a.user_id = ${q.userId}`}
  ${q.eventTypes?.length ? sql`and a.event_type = any(${q.eventTypes})` : sql``}`

const activityColumns = sql`
  a.id, a.event_type as "eventType", a.login_at as "loginAt", a.logout_at as "logoutAt",
  a.created_at as "createdAt", a.ip, a.variant,
  json_build_object('id', a.user_id, 'username', u.username) as user,
  case when l.id is not null then json_build_object('id', l.id, 'shortName', l.short_name) end as location,
  case when a.vms_id is not null
       then json_build_object('id', a.vms_id, 'roadNumber', s.road_number, 'chainage', s.chainage) end as vms`

/** A page of the activity history, including names of deleted users. */
export const activityPage = (db: Database, q: HistorySearch, page: PageQuery) =>
  db.query<Activity>(sql`
  select ${activityColumns}
  from (select * from activity a where ${activityFilter(q)} ${orderAndLimit(page, 'a.created_at')}) a
  join app_user u on u.id = a.user_id
  left join location l on l.id = a.location_id
  left join vms_sign s on s.id = a.vms_id
  ${orderAndLimit({ ...page, page: 1 }, 'a.created_at')}`)

/** Rows per batch of a report. */
const BATCH_SIZE = 500

/** The whole activity history in a range, oldest first, from a cursor. */
export const activityRows = (db: Pool, q: HistorySearch): AsyncIterable<Activity[]> =>
  cursorRows<Activity>(
    db,
    sql`
  select ${activityColumns}
  from activity a
  join app_user u on u.id = a.user_id
  left join location l on l.id = a.location_id
  left join vms_sign s on s.id = a.vms_id
  where ${activityFilter(q)}
  order by a.created_at, a.id`,
    BATCH_SIZE,
  )

export async function activityCount(db: Database, q: HistorySearch): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from activity a where ${activityFilter(q)}`)
  return row?.count ?? 0
}

type AuditSearch = Omit<HistorySearch, 'eventTypes'> & { action?: string | undefined }

const auditFilter = (q: AuditSearch) => sql`
  a.at >= ${q.dateTimeStart}::timestamptz and a.at < ${q.dateTimeEnd}::timestamptz
  ${q.userId === undefined ? sql`` : sql`and a.user_id = ${q.userId}`}
  ${q.action === undefined ? sql`` : sql`and a.action = ${q.action}`}`

export const auditPage = (db: Database, q: AuditSearch, page: PageQuery) =>
  db.query<AuditEntry>(sql`
  select a.id, a.at, a.ip, a.action, a.subject, a.before, a.after,
         case when u.id is not null then json_build_object('id', u.id, 'username', u.username) end as user
  from (select * from audit a where ${auditFilter(q)} ${orderAndLimit(page, 'a.at')}) a
  left join app_user u on u.id = a.user_id
  ${orderAndLimit({ ...page, page: 1 }, 'a.at')}`)

/** The whole audit log in a range, oldest first, from a cursor. */
export const auditRows = (db: Pool, q: AuditSearch): AsyncIterable<AuditEntry[]> =>
  cursorRows<AuditEntry>(
    db,
    sql`
  select a.id, a.at, a.ip, a.action, a.subject, a.before, a.after,
         case when u.id is not null then json_build_object('id', u.id, 'username', u.username) end as user
  from audit a
  left join app_user u on u.id = a.user_id
  where ${auditFilter(q)}
  order by a.at, a.id`,
    BATCH_SIZE,
  )

export async function auditCount(db: Database, q: AuditSearch): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from audit a where ${auditFilter(q)}`,
  )
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

export const outboxPage = (db: Database, page: PageQuery) =>
  db.query<OutboxMessage>(sql`
  select id, created_at as "createdAt", kind, recipient, language, sent_at as "sentAt", attempts,
         last_error as "lastError"
  from outbox a ${orderAndLimit(page, 'a.created_at')}`)

export async function outboxCount(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count from outbox`)
  return row?.count ?? 0
}
