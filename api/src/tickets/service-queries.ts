import type { TicketStatus } from '@rogatka/contract/tickets.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** A ticket with what is known of it in the ticket service. */
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
  /** Given with the report, else that of the account. */
  reporterEmail: string | null
  /** What it is about: a station by its name, a lane of it, a sign. */
  station: string | null
  laneNumber: number | null
  sign: string | null
  marker: string
  serviceId: number | null
  attemptedAt: Date | null
  attemptedPage: number | null
  pushedVersion: number
  remoteStatus: string | null
  remoteChangedAt: Date | null
  /** The texts that the service has; without a title none are known. */
  sentTitle: string | null
  sentDescription: string | null
  sentHandleBy: string | null
  articleAttemptedAt: Date | null
}

const selectTwins = sql`
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
  const [twin] = await db.query<TicketLink>(sql`${selectTwins} where t.id = ${ticketId}`)
  return twin
}

export async function linkByRemoteId(db: Database, serviceId: number): Promise<TicketLink | undefined> {
  const [twin] = await db.query<TicketLink>(sql`${selectTwins} where s.service_id = ${serviceId}`)
  return twin
}

/** Tickets that are there and were not looked at since, the longest ago first; a few closed ones too, lest they reopen. */
export const linksToPoll = (db: Database, since: Date, most: { open: number; closed: number }) => {
  const some = (closed: boolean, limit: number) => sql`
    (select s.service_id as "serviceId" from ticket_service s join ticket t on t.id = s.ticket_id
     where s.service_id is not null and (t.status = 'closed') = ${closed}::boolean
       and (s.checked_at is null or s.checked_at < ${since}::timestamptz)
     order by s.checked_at nulls first limit ${limit})`
  return db.query<{ serviceId: number }>(sql`${some(false, most.open)} union all ${some(true, most.closed)}`)
}

/** Notes that a creation begins: whatever comes of it, the next attempt looks for its ticket first. */
export const recordAttempt = (db: Database, ticketId: number, page: number, now: Date) =>
  db.execute(sql`
  update ticket_service
  set attempted_at = ${now}::timestamptz, attempted_page = coalesce(attempted_page, ${page}) where ticket_id = ${ticketId}`)

/** It was refused, so nothing is there to be looked for. */
export const deleteAttempt = (db: Database, ticketId: number) =>
  db.execute(sql`
  update ticket_service set attempted_at = null, attempted_page = null where ticket_id = ${ticketId}`)

export type Remote = { id: number; number: string; status: TicketStatus; owner: string | null; changedAt: Date }

/** Notes what the service has of a ticket, and which version of ours it is. */
export const markPushed = (
  db: Database,
  ticketId: number,
  remote: Remote & { ownerName: string | null },
  version: number,
  now: Date,
) =>
  db.execute(sql`
  update ticket_service
  set service_id = ${remote.id}, service_number = ${remote.number}, pushed_version = ${version},
      remote_status = ${remote.status}, remote_owner = ${remote.owner}, remote_owner_name = ${remote.ownerName},
      remote_changed_at = ${remote.changedAt}::timestamptz, checked_at = ${now}::timestamptz, article_attempted_at = null
  where ticket_id = ${ticketId}`)

/**
 * The service has this version but its state differs: the next round reads it. Where the state was sent too, what it was
 * before counts no more.
 */
export const recordPushedUnsettled = (
  db: Database,
  ticketId: number,
  remote: Pick<Remote, 'id' | 'number'>,
  { version, isStateSent }: { version: number; isStateSent: boolean },
) =>
  db.execute(sql`
  update ticket_service
  set service_id = ${remote.id}, service_number = ${remote.number}, pushed_version = ${version},
      remote_changed_at = null, article_attempted_at = null,
      remote_status = case when ${isStateSent}::boolean then null else remote_status end
  where ticket_id = ${ticketId}`)

/** The texts that the service has now, or will have if what is sent arrives. */
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

/** A ticket of ours that is there although no answer said so; the version there is not known. */
export const adoptByMarker = (db: Database, marker: string, remote: Remote, now: Date) =>
  db.execute(sql`
  update ticket_service
  set service_id = ${remote.id}, service_number = ${remote.number}, remote_status = ${remote.status},
      remote_owner = ${remote.owner}, checked_at = ${now}::timestamptz
  where marker = ${marker} and service_id is null`)

export const markPolled = (db: Database, serviceId: number, now: Date) =>
  db.execute(sql`
  update ticket_service set checked_at = ${now}::timestamptz where service_id = ${serviceId}`)

/** What the service changed: as it is the service's own word, it is not to be told to it again. */
export async function applyRemote(
  db: Database,
  twin: TicketLink,
  values: { status: TicketStatus; closedAt: Date | null; handleBy: string | null },
): Promise<boolean> {
  const changed = await db.execute(sql`
    with changed as (
      update ticket set status = ${values.status}, closed_at = ${values.closedAt}::timestamptz, handle_by = ${values.handleBy},
                        version = version + 1
      where id = ${twin.id} and version = ${twin.version}
      returning id, version
    )
    update ticket_service s set pushed_version = c.version from changed c where s.ticket_id = c.id`)
  return changed > 0
}

export async function listProgress(db: Database): Promise<number> {
  const [row] = await db.query<{ page: number }>(sql`select page from ticket_service_progress`)
  return row?.page ?? 1
}

export const setListProgress = (db: Database, page: number) =>
  db.execute(sql`update ticket_service_progress set page = ${page}`)

/** Learns the ids of organizations by their names. */
export const saveOrganizations = (db: Database, known: readonly { id: number; name: string }[]) =>
  db.execute(sql`
  update organization o set service_id = k.id
  from unnest(${known.map(({ id }) => String(id))}::bigint[], ${known.map(({ name }) => name)}::text[]) as k (id, name)
  where o.name = k.name and o.service_id is distinct from k.id`)

export async function serviceOrganization(db: Database, name: string | null): Promise<number | null> {
  const [row] = await db.query<{ id: number | null }>(
    sql`select service_id as id from organization where name = ${name ?? ''}`,
  )
  return row?.id ?? null
}

/**
 * Takes a piece of work for a while, by the clock of the database, which all processes share; answers whether it was
 * free. Whoever died with it loses it when the while is over.
 */
export async function takeLease(db: Database, name: string, holder: string, ms: number): Promise<boolean> {
  const taken = await db.execute(sql`
    insert into ticket_lease as l (name, holder, expires_at)
    values (${name}, ${holder}, now() + ${`${ms} ms`}::interval)
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where l.expires_at <= now()`)
  return taken > 0
}

export const extendLease = (db: Database, name: string, holder: string, ms: number) =>
  db.execute(sql`
  update ticket_lease set expires_at = now() + ${`${ms} ms`}::interval where name = ${name} and holder = ${holder}`)

export const deleteLease = (db: Database, name: string, holder: string) =>
  db.execute(sql`
  delete from ticket_lease where name = ${name} and holder = ${holder}`)
