import { randomBytes } from 'node:crypto'
import type { AttachmentType, HealthKind, Ticket, TicketStatus } from '@rogatka/contract/tickets.ts'
import type { Interval } from '@rogatka/domain/core/time.ts'
import type { Month } from '@rogatka/domain/tickets/downtime.ts'
import type { Database } from '../core/database.ts'
import { LOCKS } from '../core/locks.ts'
import { json, sql } from '../core/statement.ts'

/** Name of the organization; null: the portal has only one. */
type Organization = string | null

export const organizationCondition = (name: Organization) =>
  name === null ? sql`true` : sql`t.organization_id = (select id from organization where name = ${name})`

const selectTickets = sql`
  select t.id, t.number || '/' || t.year as number, t.title, t.description, t.status, t.status <> 'closed' as "isOpen",
         t.handle_by as "handleBy", t.created_at, t.closed_at as close_at, t.organization_id, t.user_id as "userId",
         coalesce(t.reporter_name, nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.username) as "reporterName",
         t.reporter_email as "reporterEmail", t.lane_number as "laneNumber", t.health_kind as "healthKind",
         t.sign, t.context,
         case when l.id is not null then json_build_object('id', l.id, 'shortName', l.short_name) end as location,
         s.service_number as "serviceNumber", s.remote_owner_name as "serviceOwner", t.version,
         coalesce((
           select json_agg(json_build_object('number', a.number, 'name', a.name, 'type', a.type, 'size', a.size,
                                             'isRefused', a.refused_at is not null)
                           order by a.number)
           from ticket_attachment a where a.ticket_id = t.id
         ), '[]') as attachments
  from ticket t
  left join app_user u on u.id = t.user_id
  left join location l on l.id = t.location_id
  left join ticket_service s on s.ticket_id = t.id`

/** A ticket of the organization; undefined if it does not exist. */
export async function ticketById(db: Database, id: number, organization: Organization): Promise<Ticket | undefined> {
  const [found] = await db.query<Ticket>(
    sql`${selectTickets} where t.id = ${id} and ${organizationCondition(organization)}`,
  )
  return found
}

/** Locks a ticket and its files until the transaction ends. */
export const lockTicketRow = (db: Database, id: number) => db.query(sql`select from ticket where id = ${id} for update`)

/** A ticket of the organization, locked until the transaction ends. */
export async function lockTicket(db: Database, id: number, organization: Organization): Promise<Ticket | undefined> {
  await lockTicketRow(db, id)
  return ticketById(db, id, organization)
}

/** The tickets open at any time of an interval or reported in it, oldest first. */
export const ticketsOfInterval = (db: Database, { from, to }: Interval, organization: Organization, now: Date) =>
  db.query<Ticket>(sql`
  ${selectTickets}
  where ${organizationCondition(organization)} and t.created_at < ${to}::timestamptz
    and (t.created_at >= ${from}::timestamptz or coalesce(t.closed_at, ${now}::timestamptz) > ${from}::timestamptz)
  order by t.created_at, t.id`)

type TicketSearch = { open?: boolean | undefined; locationId?: number | undefined; page: number; limit: number }

/** A page of tickets of all months, newest first, and the total. */
export async function searchTickets(db: Database, search: TicketSearch, organization: Organization) {
  const { open, locationId, page, limit } = search
  const condition = sql`
    ${organizationCondition(organization)} and ${open ? sql`t.status <> 'closed'` : sql`true`}
    and ${locationId === undefined ? sql`true` : sql`t.location_id = ${locationId}`}`
  const content = await db.query<Ticket>(sql`
    ${selectTickets} where ${condition}
    order by t.created_at desc, t.id desc limit ${limit} offset ${(page - 1) * limit}`)
  const [count] = await db.query<{ total: number }>(sql`select count(*)::int as total from ticket t where ${condition}`)
  return { content: [...content], totalCount: count?.total ?? 0 }
}

/** The number of open tickets of each station that has any. */
export async function openTickets(db: Database, organization: Organization): Promise<Map<number, number>> {
  const rows = await db.query<{ locationId: number; tickets: number }>(sql`
    select t.location_id as "locationId", count(*)::int as tickets
    from ticket t
    where t.status <> 'closed' and t.location_id is not null and ${organizationCondition(organization)}
    group by 1`)
  return new Map(rows.map(({ locationId, tickets }) => [locationId, tickets]))
}

/** The audit entries of a ticket, oldest first. */
export const ticketLog = (db: Database, ticketId: number) =>
  db.query<{
    at: Date
    by: string | null
    action: string
    subject: string
    before: object | null
    after: object | null
  }>(sql`
  select a.at, u.username as by, a.action, a.subject, a.before, a.after
  from audit a left join app_user u on u.id = a.user_id
  where a.ticket_id = ${ticketId}
  order by a.id`)

/** The months (Warsaw) in which any ticket was open, oldest first, and the month of the newest report. */
export const ticketMonths = (db: Database, organization: Organization, now: Date) =>
  db.query<Month & { tickets: number }>(sql`
  select extract(year from m)::int as year, extract(month from m)::int as month, count(*)::int as tickets
  from ticket t,
    generate_series(
      date_trunc('month', t.created_at at time zone 'Europe/Warsaw'),
      -- a removal at the very beginning of a month does not reach into it
      greatest(coalesce(t.closed_at, ${now}::timestamptz) - interval '1 microsecond', t.created_at) at time zone 'Europe/Warsaw',
      interval '1 month'
    ) as m
  where ${organizationCondition(organization)}
  group by m order by m`)

export async function newestReport(db: Database, organization: Organization): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(sql`
    select max(t.created_at) as at from ticket t where ${organizationCondition(organization)}`)
  return row?.at ?? null
}

/** The id of an organization, inserted if new. */
export async function findOrCreateOrganization(db: Database, name: Organization): Promise<number | null> {
  if (name === null) return null
  await db.execute(sql`insert into organization (name) values (${name}) on conflict (name) do nothing`)
  const [row] = await db.query<{ id: number }>(sql`select id from organization where name = ${name}`)
  return row?.id ?? null
}

/** Assigns tickets without organization to the organization, when it is configured for the first time. */
export async function adoptTickets(db: Database, name: Organization): Promise<void> {
  const id = await findOrCreateOrganization(db, name)
  if (id === null) return
  await db.execute(sql`
    update ticket set organization_id = ${id}
    where organization_id is null and not exists (select from ticket where organization_id = ${id})`)
}

type NewTicket = {
  title: string
  description: string
  status: TicketStatus
  createdAt: Date
  closedAt: Date | null
  handleBy: string | null
  userId: number | null
  reporterName: string | null
  reporterEmail: string | null
  /** `kind`: the check of an automatic ticket. */
  about: { locationId: number; laneNumber: number | null; kind: HealthKind | null } | null
  sign?: string | null
  context?: Ticket['context']
}

/** Inserts a ticket with the next number of its year. */
export async function insertTicket(db: Database, organization: Organization, ticket: NewTicket): Promise<number> {
  const { about, createdAt, closedAt, ...values } = ticket
  const organization_id = await findOrCreateOrganization(db, organization)
  // Unique, and short enough for a title in the ticket service.
  const marker = randomBytes(6).toString('hex')
  // Serialised by an advisory lock, so that numbers are consecutive and unique.
  await db.query(sql`select pg_advisory_xact_lock(${LOCKS.ticketNumber})`)
  const [added] = await db.query<{ id: number }>(sql`
    with y as (select extract(year from ${createdAt}::timestamptz at time zone 'Europe/Warsaw')::int as year),
    added as (
      insert into ticket (year, number, created_at, closed_at, organization_id, user_id, location_id, lane_number,
                          health_kind, title, description, status, handle_by, reporter_name, reporter_email, sign, context)
      select y.year,
             1 + coalesce((select max(number) from ticket t
                           where t.organization_id is not distinct from ${organization_id}::int and t.year = y.year), 0),
             ${createdAt}::timestamptz, ${closedAt}::timestamptz, ${organization_id}, ${values.userId}, ${about?.locationId ?? null},
             ${about?.laneNumber ?? null}, ${about?.kind ?? null}, ${values.title}, ${values.description},
             ${values.status}, ${values.handleBy}, ${values.reporterName}, ${values.reporterEmail},
             ${values.sign ?? null}, ${values.context ? json(values.context) : null}
      from y
      returning id
    )
    insert into ticket_service (ticket_id, marker) select id, ${marker} from added returning ticket_id as id`)
  return added?.id as number
}

type TicketValues = {
  title: string
  description: string
  status: TicketStatus
  closedAt: Date | null
  handleBy: string | null
}

/** Updates a ticket; returns false if its version has changed. */
export async function updateTicket(db: Database, id: number, version: number, values: TicketValues): Promise<boolean> {
  const changed = await db.execute(sql`
    update ticket
    set title = ${values.title}, description = ${values.description}, status = ${values.status},
        closed_at = ${values.closedAt}::timestamptz, handle_by = ${values.handleBy}, version = version + 1
    where id = ${id} and version = ${version}`)
  return changed > 0
}

export type NewAttachment = {
  name: string
  type: AttachmentType
  size: number
  sha256: string
  /** Its origin in the ticket service. */
  service?: { article: number; file: number }
  /** Added after the report: sent to the ticket service separately. */
  isAddedLater?: boolean
}

/** Appends a file to a ticket. */
export const insertAttachment = (db: Database, ticketId: number, file: NewAttachment, now: Date) =>
  db.execute(sql`
  insert into ticket_attachment
    (ticket_id, number, size, type, name, sha256, created_at, service_article, service_file, added_later)
  select ${ticketId}, 1 + coalesce(max(number), 0), ${file.size}, ${file.type}, ${file.name},
         decode(${file.sha256}, 'hex'), ${now}::timestamptz, ${file.service?.article ?? null}, ${file.service?.file ?? null},
         ${file.isAddedLater ?? false}::boolean
  from ticket_attachment where ticket_id = ${ticketId}`)

export type StoredAttachment = { number: number; name: string; type: AttachmentType; size: number; sha256: string }

export const listAttachments = (db: Database, ticketId: number) =>
  db.query<StoredAttachment>(sql`
  select number, name, type, size, encode(sha256, 'hex') as sha256
  from ticket_attachment where ticket_id = ${ticketId} order by number`)
