import type { Activity, AuditEntry } from '@rogatka/contract/activity.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { cursorRows } from '../core/cursor.ts'
import type { Database, Pool } from '../core/database.ts'
import { VISIT_TIMEOUT_MS } from '../core/live-visits.ts'
import { identifier, type Statement, sql } from '../core/statement.ts'

export type HistorySearch = {
  dateTimeStart: Date
  dateTimeEnd: Date
  userId?: number | undefined
  eventTypes?: number[] | undefined
}
type PageQuery = { page: number; limit: number; orderDirection: 'asc' | 'desc' }
type Direction = PageQuery['orderDirection']

const directionOf = (orderDirection: Direction) => (orderDirection === 'asc' ? sql`asc` : sql`desc`)

const orderBy = (column: 'a.created_at' | 'a.at', orderDirection: Direction) => {
  const direction = directionOf(orderDirection)
  return sql`order by ${identifier(column)} ${direction}, a.id ${direction}`
}

const limitOf = ({ page, limit }: PageQuery) => sql`limit ${limit} offset ${(page - 1) * limit}`

const orderAndLimit = (page: PageQuery, column: 'a.created_at' | 'a.at') =>
  sql`${orderBy(column, page.orderDirection)} ${limitOf(page)}`

const VISIT_EVENT = 2

const activityFilter = (q: HistorySearch) => sql`
  a.created_at >= ${q.dateTimeStart}::timestamptz and a.created_at < ${q.dateTimeEnd}::timestamptz
  ${q.userId === undefined ? sql`` : sql`and a.user_id = ${q.userId}`}
  ${q.eventTypes?.length ? sql`and a.event_type = any(${q.eventTypes})` : sql``}`

/** Filter of `live_visit`, in which one row has all stations that were opened together. */
const visitFilter = (q: HistorySearch) => sql`
  v.login_at >= ${q.dateTimeStart}::timestamptz and v.login_at < ${q.dateTimeEnd}::timestamptz
  ${q.userId === undefined ? sql`` : sql`and v.user_id = ${q.userId}`}
  ${!q.eventTypes?.length || q.eventTypes.includes(VISIT_EVENT) ? sql`` : sql`and false`}`

const activityColumns = sql`
  a.id, a.event_type as "eventType", a.login_at as "loginAt", a.logout_at as "logoutAt",
  a.created_at as "createdAt", a.ip, a.variant,
  json_build_object('id', a.user_id, 'username', u.username) as user,
  case when l.id is not null then json_build_object('id', l.id, 'shortName', l.short_name) end as location,
  case when a.vms_id is not null
       then json_build_object('id', a.vms_id, 'roadNumber', s.road_number, 'chainage', s.chainage) end as vms`

/**
 * The activity history: logins, signs, visits of 0.2.0 and older, and one row for each station of a visit. Like that of a
 * vehicle, the id of such a row is location · 2^40 + the id of the visit. Both parts are sorted by their indexes and merged,
 * so that a page reads only the rows up to its end.
 */
function activities(q: HistorySearch, now: Date, orderDirection: Direction, limit = sql``): Statement {
  const direction = directionOf(orderDirection)
  const idleBefore = new Date(now.getTime() - VISIT_TIMEOUT_MS)
  return sql`
  select ${activityColumns}
  from (
    select * from (
      (select a.id, a.user_id, a.event_type, a.location_id, a.vms_id, a.login_at, a.logout_at, a.created_at, a.ip, a.variant
       from activity a
       where ${activityFilter(q)}
       order by a.created_at ${direction}, a.id ${direction})
      union all
      (select l.location_id * (1::bigint << 40) + v.id, v.user_id, ${VISIT_EVENT}::smallint, l.location_id, null::int,
              v.login_at,
              case when v.logout_at is not null or l.left_at < ${idleBefore}::timestamptz
                   then coalesce(l.left_at, v.logout_at) end,
              v.login_at, v.ip, null
       from live_visit v cross join lateral unnest(v.location_ids, v.left_at) as l (location_id, left_at)
       where ${visitFilter(q)}
       order by v.login_at ${direction}, l.location_id * (1::bigint << 40) + v.id ${direction})
    ) a
    ${orderBy('a.created_at', orderDirection)} ${limit}
  ) a
  join app_user u on u.id = a.user_id
  left join location l on l.id = a.location_id
  left join vms_sign s on s.id = a.vms_id
  ${orderBy('a.created_at', orderDirection)}`
}

/** A page of the activity history, including names of deleted users. */
export const activityPage = (db: Database, q: HistorySearch, page: PageQuery, now: Date) =>
  db.query<Activity>(activities(q, now, page.orderDirection, limitOf(page)))

/** Rows per batch of a report. */
const BATCH_SIZE = 500

/** The whole activity history in a range, oldest first, from a cursor. */
export const activityRows = (db: Pool, q: HistorySearch, now: Date): AsyncIterable<Activity[]> =>
  cursorRows<Activity>(db, activities(q, now, 'asc'), BATCH_SIZE)

export async function activityCount(db: Database, q: HistorySearch): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select (select count(*) from activity a where ${activityFilter(q)})
         + (select coalesce(sum(cardinality(v.location_ids)), 0) from live_visit v where ${visitFilter(q)}) as count`)
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
