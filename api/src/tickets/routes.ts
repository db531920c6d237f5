import * as endpoints from '@rogatka/contract/tickets.ts'
import { downtimeMinutes } from '@rogatka/domain/tickets/downtime.ts'
import { reportedPage } from '@rogatka/domain/tickets/reportedPage.ts'
import { stateAfter, stateError, type TicketState } from '@rogatka/domain/tickets/state.ts'
import { anonymiseAuditFor } from '../core/anonymity.ts'
import { audit, type NewAuditEntry } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { storable } from '../core/text.ts'
import { locations } from '../locations/public-api.ts'
import { createReportLink } from '../reports/public-api.ts'
import { readTokenState, storeToken } from './account-queries.ts'
import { attachmentBytes, checkAttachments, contentDisposition, putAttachments } from './attachment.ts'
import { ticketChange } from './audit.ts'
import { ticketEvents } from './history.ts'
import { findMonthFailures, ticketMonth } from './month.ts'
import {
  insertAttachment,
  insertTicket,
  listAttachments,
  lockTicket,
  searchTickets,
  ticketById,
  ticketLog,
  updateTicket,
} from './queries.ts'
import { parseFiles, parseNewTicket } from './read.ts'
import type { ticketReport } from './report.ts'

/** Refuses an unknown station or lane. */
async function checkStation(
  db: Database,
  { locationId, laneNumber }: { locationId?: number | null | undefined; laneNumber?: number | null | undefined },
): Promise<void> {
  if (locationId == null) {
    if (laneNumber != null) throw new Refusal('required-parameter-missing', 400, 'locationId')
    return
  }
  const station = (await locations(db)).find(({ id }) => id === locationId)
  if (!station) throw new Refusal('location-not-found', 422, 'locationId')
  if (laneNumber != null && !station.lanes.some((lane) => lane.laneNumber === laneNumber))
    throw new Refusal('invalid-value', 422, 'laneNumber')
}

/** @throws Refusal `ticket-not-found` if the organization has no such ticket */
function requireTicket(ticket: endpoints.Ticket | undefined): endpoints.Ticket {
  if (!ticket) throw new Refusal('ticket-not-found', 404)
  return ticket
}

/** Registers the routes of tickets. */
export function ticketsRoutes(api: Api, files: Files, reportKind: ReturnType<typeof ticketReport>): void {
  const { organization, secretKey } = api.config

  route(api, endpoints.list, ({ db, now, query }) => ticketMonth(db, query, organization, now))

  route(api, endpoints.find, async ({ db, now, query }) => {
    const { content, totalCount } = await searchTickets(db, query, organization)
    const withDuration = content.map((ticket) => ({
      ...ticket,
      durationMinutes: downtimeMinutes({ reportedAt: ticket.created_at, removedAt: ticket.close_at }, now),
    }))
    return { content: withDuration, totalCount }
  })

  route(api, endpoints.history, async ({ db, session, params }) => {
    const ticket = requireTicket(await ticketById(db, params.id, organization))
    return ticketEvents((await ticketLog(db, ticket.id)).map((entry) => anonymiseAuditFor(session, entry)))
  })

  route(api, endpoints.read, async ({ db, params }) => requireTicket(await ticketById(db, params.id, organization)))

  route(api, endpoints.add, async ({ db, now, session, request }) => {
    const { ticket: newTicket, files: uploads } = await parseNewTicket(request)
    if (newTicket.userId != null && newTicket.userId !== session.userId) throw new Refusal('forbidden', 403, 'userId')
    const state = stateAfter(null, newTicket.status, newTicket.closedAt ?? null, now)
    checkState(state, now, now)
    // Checked before files are stored.
    await checkStation(db, newTicket)
    const stored = await checkAttachments(uploads)
    await putAttachments(files, stored)
    const text = (value: string | null | undefined) => (value ? storable(value) : null)
    // The page address may contain a plate, and anonymised users read tickets too.
    const page = newTicket.page ? reportedPage(newTicket.page) : null
    const context = { page, version: text(newTicket.version), listRequests: newTicket.listRequests ?? null }
    return db.transaction(async (db) => {
      const id = await insertTicket(db, organization, {
        ...state,
        title: storable(newTicket.title),
        description: storable(newTicket.description),
        createdAt: now,
        handleBy: newTicket.handleBy ? storable(newTicket.handleBy) : null,
        userId: session.userId,
        reporterName: newTicket.reporterName ? storable(newTicket.reporterName) : null,
        reporterEmail: newTicket.reporterEmail ?? null,
        about: newTicket.locationId
          ? { locationId: newTicket.locationId, laneNumber: newTicket.laneNumber ?? null, kind: null }
          : null,
        sign: text(newTicket.sign),
        context: Object.values(context).some((value) => value !== null) ? context : null,
      })
      for (const file of stored) await insertAttachment(db, id, file, now)
      const ticket = (await ticketById(db, id, organization)) as endpoints.Ticket
      await audit(db, { session, request, now }, { action: 'ticket-added', ...ticketChange(null, ticket) })
      return ticket
    })
  })

  route(api, endpoints.change, async ({ db, now, session, params, body, request }) =>
    db.transaction(async (db) => {
      const before = requireTicket(await lockTicket(db, params.id, organization))
      const state = stateAfter(
        { status: before.status, closedAt: before.close_at },
        body.status,
        body.closedAt ?? null,
        now,
      )
      checkState(state, before.created_at, now)
      const values = {
        ...state,
        title: storable(body.title),
        description: storable(body.description),
        handleBy: body.handleBy ? storable(body.handleBy) : null,
      }
      const changed = await updateTicket(db, before.id, body.version ?? before.version, values)
      if (!changed) throw new Refusal('changed-meanwhile', 409)
      const after = (await ticketById(db, before.id, organization)) as endpoints.Ticket
      await audit(db, { session, request, now }, { action: 'ticket-changed', ...ticketChange(before, after) })
      return after
    }),
  )

  route(api, endpoints.addAttachments, async ({ db, now, session, params, request }) => {
    // Checked before files are stored.
    const found = requireTicket(await ticketById(db, params.id, organization))
    const uploaded = await checkAttachments(await parseFiles(request))
    newFiles(await listAttachments(db, found.id), uploaded)
    await putAttachments(files, uploaded)
    return db.transaction(async (db) => {
      const before = requireTicket(await lockTicket(db, params.id, organization))
      const added = newFiles(await listAttachments(db, before.id), uploaded)
      if (added.length === 0) return before
      for (const file of added) await insertAttachment(db, before.id, { ...file, isAddedLater: true }, now)
      const after = (await ticketById(db, before.id, organization)) as endpoints.Ticket
      await audit(
        db,
        { session, request, now },
        {
          action: 'ticket-files-added',
          subject: after.number,
          ticketId: after.id,
          before: { attachments: before.attachments },
          after: { attachments: after.attachments },
        },
      )
      return after
    })
  })

  route(api, endpoints.attachment, async ({ db, params, query, reply, look }) => {
    const ticket = requireTicket(await ticketById(db, params.id, organization))
    const stored = (await listAttachments(db, ticket.id)).find(({ number }) => number === query.number)
    const bytes = stored && (await attachmentBytes(files, stored))
    if (!bytes) throw new Refusal('attachment-not-found', 404)
    await look({ kind: 'tickets', results: 1, shown: { count: 0, plates: [] } })
    // The browser must never render it, whatever the content.
    reply
      .type(stored.type)
      .header('content-disposition', contentDisposition(stored.name))
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(bytes)
  })

  route(api, endpoints.report, async (call) => {
    const { content } = await findMonthFailures(call.db, call.query, organization, call.now)
    if (content.length === 0) throw new Refusal('no-tickets-in-month', 422)
    return createReportLink(call, reportKind, call.query)
  })

  route(api, endpoints.readToken, ({ db, session }) => readTokenState(db, session.userId))

  route(api, endpoints.saveToken, async ({ db, now, session, request, body }) => {
    if (!secretKey) throw new Refusal('tokens-cannot-be-kept', 422)
    return db.transaction(async (db) => {
      await storeToken(db, secretKey, { ...body, userId: session.userId }, now)
      const stored = await readTokenState(db, session.userId)
      const auditEntry: NewAuditEntry = { action: 'service-token-saved', subject: session.username, after: stored }
      await audit(db, { session, request, now }, auditEntry)
      return stored
    })
  })
}

type NamedFile = { name: string; sha256: string }

/** Equal for files with the same name and content. */
const fileKey = ({ name, sha256 }: NamedFile): string => `${sha256} ${name}`

/**
 * The uploaded files that the ticket does not have yet, which makes a request idempotent after a lost response.
 * @throws 422 if it would have too many
 */
function newFiles<T extends NamedFile>(existing: readonly NamedFile[], uploaded: readonly T[]): T[] {
  const keys = new Set(existing.map(fileKey))
  const added = uploaded.filter((file) => !keys.has(fileKey(file)))
  if (existing.length + added.length > endpoints.MAX_TICKET_ATTACHMENTS)
    throw new Refusal('too-many-attachments', 422, 'attachment')
  return added
}

function checkState(state: TicketState, createdAt: Date, now: Date): void {
  const error = stateError(state, createdAt, now)
  if (error) throw new Refusal(error, 422, 'closedAt')
}
