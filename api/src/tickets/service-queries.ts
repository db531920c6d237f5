import type { TicketStatus } from '@rogatka/contract/tickets.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** A ticket with its state in the ticket service. */
export type TicketLink = {
  id: number
  number: string
  title: string
  description: string
  status: TicketStatus
  handleBy: string | null
  version: number
  createdAt: Date
  userId: number | null
  reporterName: string | null
  /** From the report, else of the account. */
  reporterEmail: string | null
  /** The subject: name of a station, its lane, or a sign. */
  station: string | null
  laneNumber: number | null
  sign: string | null
  marker: string
  serviceId: number | null
  attemptedAt: Date | null
  attemptedPage: number | null
  pushedVersion: number
  /** As last read; null: unknown, as one was sent without an answer yet. */
  remoteStatus: string | null
  remoteChangedAt: Date | null
  /** The texts last sent; none if the title is null. An empty title: one was sent without an answer yet. */
  sentTitle: string | null
  sentDescription: string | null
  sentHandleBy: string | null
  articleAttemptedAt: Date | null
}

const selectLinks = sql`
  select t.id, t.number || '/' || t.year as number, t.title, t.description, t.status, t.handle_by as "handleBy",
         t.version, t.created_at as "createdAt", t.user_id as "userId",
         coalesce(t.reporter_name, nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.username) as "reporterName",
         coalesce(t.reporter_email, u.email) as "reporterEmail",
         l.short_name as station, t.lane_number as "laneNumber", t.sign, s.marker, s.service_id as "serviceId", s.attempted_at as "attemptedAt", s.attempted_page as "attemptedPage",
         s.pushed_version as "pushedVersion", s.remote_status as "remoteStatus",
         s.remote_changed_at as "remoteChangedAt", s.sent_title as "sentTitle",
         s.sent_description as "sentDescription", s.sent_handle_by as "sentHandleBy",
         s.article_attempted_at as "articleAttemptedAt"
  from ticket t
  join ticket_service s on s.ticket_id = t.id
  left join app_user u on u.id = t.user_id
  left join location l on l.id = t.location_id`

export async function linkByTicket(db: Database, ticketId: number): Promise<TicketLink | undefined> {
  const [link] = await db.query<TicketLink>(sql`${selectLinks} where t.id = ${ticketId}`)
  return link
}

export async function linkByRemoteId(db: Database, serviceId: number): Promise<TicketLink | undefined> {
  const [link] = await db.query<TicketLink>(sql`${selectLinks} where s.service_id = ${serviceId}`)
  return link
}

/** Linked tickets not polled since an instant, the longest ago first; also some closed ones, which may be reopened. */
export const linksToPoll = (db: Database, since: Date, limits: { open: number; closed: number }) => {
  const select = (closed: boolean, limit: number) => sql`
    (select s.service_id as "serviceId" from ticket_service s join ticket t on t.id = s.ticket_id
     where s.service_id is not null and (t.status = 'closed') = ${closed}::boolean
       and (s.checked_at is null or s.checked_at < ${since}::timestamptz)
     order by s.checked_at nulls first limit ${limit})`
  return db.query<{ serviceId: number }>(sql`${select(false, limits.open)} union all ${select(true, limits.closed)}`)
}

/** Records an attempt to create a ticket: the next one searches for it first. */
export const recordAttempt = (db: Database, ticketId: number, page: number, now: Date) =>
  db.execute(sql`
  update ticket_service
  set attempted_at = ${now}::timestamptz, attempted_page = coalesce(attempted_page, ${page}) where ticket_id = ${ticketId}`)

/** Deletes the attempt after a refusal: there is nothing to search for. */
export const deleteAttempt = (db: Database, ticketId: number) =>
  db.execute(sql`
  update ticket_service set attempted_at = null, attempted_page = null where ticket_id = ${ticketId}`)

export type RemoteState = { id: number; number: string; status: TicketStatus; owner: string | null; changedAt: Date }

/** Records the state in the service and the pushed version. */
export const markPushed = (
  db: Database,
  ticketId: number,
  remote: RemoteState & { ownerName: string | null },
  version: number,
  now: Date,
) =>
  db.execute(sql`
  update ticket_service
  set service_id = ${remote.id}, service_number = ${remote.number}, pushed_version = ${version},
      remote_status = ${remote.status}, remote_owner = ${remote.owner}, remote_owner_name = ${remote.ownerName},
      remote_changed_at = ${remote.changedAt}::timestamptz, checked_at = ${now}::timestamptz, article_attempted_at = null
  where ticket_id = ${ticketId}`)

/** Records a pushed version whose remote status differs: the next pull reads it. */
export const recordPushedMismatch = (
  db: Database,
  ticketId: number,
  remote: Pick<RemoteState, 'id' | 'number'>,
  version: number,
) =>
  db.execute(sql`
  update ticket_service
  set service_id = ${remote.id}, service_number = ${remote.number}, pushed_version = ${version},
      remote_changed_at = null, article_attempted_at = null
  where ticket_id = ${ticketId}`)

/** Records before a request that the status or title there will be unknown: without an answer, they are sent again. */
export const recordChangeAttempt = (
  db: Database,
  ticketId: number,
  { isStateSent, isTitleSent }: { isStateSent: boolean; isTitleSent: boolean },
) =>
  db.execute(sql`
  update ticket_service
  set remote_status = case when ${isStateSent}::boolean then null else remote_status end,
      sent_title = case when ${isTitleSent}::boolean then '' else sent_title end
  where ticket_id = ${ticketId}`)

/** Records the texts sent, before the response. */
export const recordSentTexts = (
  db: Database,
  { id, title, description, handleBy }: Pick<TicketLink, 'id' | 'title' | 'description' | 'handleBy'>,
) =>
  db.execute(sql`
  update ticket_service set sent_title = ${title}, sent_description = ${description}, sent_handle_by = ${handleBy}
  where ticket_id = ${id}`)

export const recordArticleAttempt = (db: Database, ticketId: number, now: Date) =>
  db.execute(sql`
  update ticket_service set article_attempted_at = ${now}::timestamptz where ticket_id = ${ticketId}`)

export const deleteArticleAttempt = (db: Database, ticketId: number) =>
  db.execute(sql`
  update ticket_service set article_attempted_at = null where ticket_id = ${ticketId}`)

/** Links a ticket found by its marker, created by an unanswered request; its remote version is unknown. */
export const adoptByMarker = (db: Database, marker: string, remote: RemoteState, now: Date) =>
  db.execute(sql`
  update ticket_service
  set service_id = ${remote.id}, service_number = ${remote.number}, remote_status = ${remote.status},
      remote_owner = ${remote.owner}, checked_at = ${now}::timestamptz
  where marker = ${marker} and service_id is null`)

export const markPolled = (db: Database, serviceId: number, now: Date) =>
  db.execute(sql`
  update ticket_service set checked_at = ${now}::timestamptz where service_id = ${serviceId}`)

/** Applies a remote change to a locked ticket, as an already pushed version. */
export const applyRemote = (
  db: Database,
  ticketId: number,
  values: { status: TicketStatus; closedAt: Date | null; handleBy: string | null },
) =>
  db.execute(sql`
  with changed as (
    update ticket set status = ${values.status}, closed_at = ${values.closedAt}::timestamptz, handle_by = ${values.handleBy},
                      version = version + 1
    where id = ${ticketId}
    returning id, version
  )
  update ticket_service s set pushed_version = c.version from changed c where s.ticket_id = c.id`)

export async function listProgress(db: Database): Promise<number> {
  const [row] = await db.query<{ page: number }>(sql`select page from ticket_service_progress`)
  return row?.page ?? 1
}

export const setListProgress = (db: Database, page: number) =>
  db.execute(sql`update ticket_service_progress set page = ${page}`)

/** Stores the remote ids of organizations by name. */
export const saveOrganizations = (db: Database, organizations: readonly { id: number; name: string }[]) =>
  db.execute(sql`
  update organization o set service_id = k.id
  from unnest(${organizations.map(({ id }) => String(id))}::bigint[], ${organizations.map(({ name }) => name)}::text[]) as k (id, name)
  where o.name = k.name and o.service_id is distinct from k.id`)

export async function serviceOrganization(db: Database, name: string | null): Promise<number | null> {
  const [row] = await db.query<{ id: number | null }>(
    sql`select service_id as id from organization where name = ${name ?? ''}`,
  )
  return row?.id ?? null
}

/**
 * Acquires a lease by the database clock, shared by all processes; returns whether it was free. It expires if not
 * renewed.
 */
export async function acquireLease(db: Database, name: string, holder: string, ms: number): Promise<boolean> {
  const acquired = await db.execute(sql`
    insert into ticket_lease as l (name, holder, expires_at)
    values (${name}, ${holder}, now() + ${`${ms} ms`}::interval)
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where l.expires_at <= now()`)
  return acquired > 0
}

export const extendLease = (db: Database, name: string, holder: string, ms: number) =>
  db.execute(sql`
  update ticket_lease set expires_at = now() + ${`${ms} ms`}::interval where name = ${name} and holder = ${holder}`)

export const deleteLease = (db: Database, name: string, holder: string) =>
  db.execute(sql`
  delete from ticket_lease where name = ${name} and holder = ${holder}`)
