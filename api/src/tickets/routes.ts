import * as endpoints from '@rogatka/contract/tickets.ts'
import { downtimeMinutes } from '@rogatka/domain/tickets/downtime.ts'
import { reportedPage } from '@rogatka/domain/tickets/page.ts'
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
import { storeToken, tokenOf } from './account-queries.ts'
import { attachmentBytes, disposition, storeAttachment } from './attachment.ts'
import { ticketChange } from './audit.ts'
import { ticketEvents } from './history.ts'
import { failuresOf, ticketMonth } from './month.ts'
import {
  attachmentsOf,
  foundTickets,
  insertAttachment,
  insertTicket,
  lockTicket,
  type NewAttachment,
  ticketById,
  ticketLog,
  updateTicket,
} from './queries.ts'
import { parseNewTicket, readFiles } from './read.ts'
import type { ticketReport } from './report.ts'

/** A station and a lane that there are. */
async function checkPlace(
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
function found(ticket: endpoints.Ticket | undefined): endpoints.Ticket {
  if (!ticket) throw new Refusal('ticket-not-found', 404)
  return ticket
}

/** Opens the failure reports of the organization. */
export function ticketsRoutes(api: Api, files: Files, reportKind: ReturnType<typeof ticketReport>): void {
  const { organization, secretKey } = api.config

  route(api, endpoints.list, ({ db, now, query }) => ticketMonth(db, query, organization, now))

  route(api, endpoints.find, async ({ db, now, query }) => {
    const { content, totalCount } = await foundTickets(db, query, organization)
    const withDuration = content.map((ticket) => ({
      ...ticket,
      durationMinutes: downtimeMinutes({ reportedAt: ticket.created_at, removedAt: ticket.close_at }, now),
    }))
    return { content: withDuration, totalCount }
  })

  route(api, endpoints.history, async ({ db, session, params }) => {
    const ticket = found(await ticketById(db, params.id, organization))
    return ticketEvents((await ticketLog(db, ticket.id)).map((entry) => anonymiseAuditFor(session, entry)))
  })

  route(api, endpoints.read, async ({ db, params }) => found(await ticketById(db, params.id, organization)))

  route(api, endpoints.add, async ({ db, now, session, request }) => {
    const { ticket: given, files: sent } = await parseNewTicket(request)
    if (given.userId != null && given.userId !== session.userId) throw new Refusal('forbidden', 403, 'userId')
    const state = stateAfter(null, given.status, given.closedAt ?? null, now)
    checkState(state, now, now)
    const kept: NewAttachment[] = []
    for (const file of sent) kept.push(await storeAttachment(files, file))
    const text = (value: string | null | undefined) => (value ? storable(value) : null)
    // The address may hold a plate, and users who see none read reports too.
    const page = given.page ? reportedPage(given.page) : null
    const context = { page, version: text(given.version), listRequests: given.listRequests ?? null }
    return db.transaction(async (db) => {
      await checkPlace(db, given)
      const id = await insertTicket(db, organization, {
        ...state,
        title: storable(given.title),
        description: storable(given.description),
        createdAt: now,
        handleBy: given.handleBy ? storable(given.handleBy) : null,
        userId: session.userId,
        reporterName: given.reporterName ? storable(given.reporterName) : null,
        reporterEmail: given.reporterEmail ?? null,
        about: given.locationId
          ? { locationId: given.locationId, laneNumber: given.laneNumber ?? null, kind: null }
          : null,
        sign: text(given.sign),
        context: Object.values(context).some((value) => value !== null) ? context : null,
      })
      for (const file of kept) await insertAttachment(db, id, file, now)
      const ticket = (await ticketById(db, id, organization)) as endpoints.Ticket
      await audit(db, { session, request, now }, { action: 'ticket-added', ...ticketChange(null, ticket) })
      return ticket
    })
  })

  route(api, endpoints.change, async ({ db, now, session, params, body, request }) =>
    db.transaction(async (db) => {
      const before = found(await lockTicket(db, params.id, organization))
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
    // Before anything is stored.
    found(await ticketById(db, params.id, organization))
    const kept: NewAttachment[] = []
    for (const file of await readFiles(request)) kept.push(await storeAttachment(files, file))
    return db.transaction(async (db) => {
      const before = found(await lockTicket(db, params.id, organization))
      // A repeat after a lost answer adds nothing.
      const known = new Set((await attachmentsOf(db, before.id)).map(fileKey))
      const added = kept.filter((file) => !known.has(fileKey(file)))
      if (added.length === 0) return before
      if (before.attachments.length + added.length > endpoints.MAX_TICKET_ATTACHMENTS)
        throw new Refusal('too-many-attachments', 422, 'attachment')
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

  route(api, endpoints.attachment, async ({ db, params, query, reply }) => {
    const ticket = found(await ticketById(db, params.id, organization))
    const stored = (await attachmentsOf(db, ticket.id)).find(({ number }) => number === query.number)
    const bytes = stored && (await attachmentBytes(files, stored))
    if (!bytes) throw new Refusal('attachment-not-found', 404)
    // Never shown by the browser itself, whatever is in it.
    reply
      .type(stored.type)
      .header('content-disposition', disposition(stored.name))
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(bytes)
  })

  route(api, endpoints.report, async (call) => {
    const { content } = await failuresOf(call.db, call.query, organization, call.now)
    if (content.length === 0) throw new Refusal('no-tickets-in-month', 422)
    return createReportLink(call, reportKind, call.query)
  })

  route(api, endpoints.readToken, ({ db, session }) => tokenOf(db, session.userId))

  route(api, endpoints.saveToken, async ({ db, now, session, request, body }) => {
    if (!secretKey) throw new Refusal('tokens-cannot-be-kept', 422)
    return db.transaction(async (db) => {
      await storeToken(db, secretKey, { ...body, userId: session.userId }, now)
      const stored = await tokenOf(db, session.userId)
      const auditEntry: NewAuditEntry = { action: 'service-token-saved', subject: session.username, after: stored }
      await audit(db, { session, request, now }, auditEntry)
      return stored
    })
  })
}

/** Equal for files of the same name and content. */
const fileKey = ({ name, sha256 }: { name: string; sha256: string }): string => `${sha256} ${name}`

function checkState(state: TicketState, createdAt: Date, now: Date): void {
  const fault = stateError(state, createdAt, now)
  if (fault) throw new Refusal(fault, 422, 'closedAt')
}
