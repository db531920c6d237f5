import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { reportLink } from './reports.ts'
import { emailAddress, instant, optionalText, queryFlag, queryId, queryInt, requiredText } from './wire.ts'

export const ticketStatuses = ['open', 'in_progress', 'closed'] as const
export type TicketStatus = (typeof ticketStatuses)[number]

/** Default title of a report. */
const DEFAULT_TICKET_TITLE = 'Zgłoszenie z systemu WIM'

/** Maximum size of an attached file, image or PDF. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024
/** Determined by content; the sent name and type are ignored. */
export const attachmentTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/pdf'] as const
export type AttachmentType = (typeof attachmentTypes)[number]

/** Health checks; the second and the last are per lane. */
export const healthKinds = [
  'station-silent',
  'lane-silent',
  'images-missing',
  'clock-skew',
  'plates-unreadable',
  'calibration-deviation',
] as const
export type HealthKind = (typeof healthKinds)[number]

const ticketAttachment = z.object({
  /** From 1; `tickets/{id}/attachment?number=` fetches it. */
  number: z.int(),
  name: z.string(),
  type: z.enum(attachmentTypes),
  /** Bytes. */
  size: z.int(),
  /** The ticket service rejected it: it is only stored in the portal. */
  isRefused: z.boolean(),
})

/** Maximum number of files of a report, and of one later upload. */
export const MAX_ATTACHMENTS = 5
/** Maximum number of files of a ticket, uploads included. */
export const MAX_TICKET_ATTACHMENTS = 20

/** Technical context of the report, for diagnosis. */
const ticketContext = z.object({
  /** Page path with step and ids, without data on vehicles and persons. */
  page: z.string().nullable(),
  version: z.string().nullable(),
  /** Live-list requests since the home page was last visited. */
  listRequests: z.int().nullable(),
})

export const ticket = z.object({
  id: z.int(),
  /** Counted per year of the report: `12/2026`. */
  number: z.string(),
  title: z.string(),
  description: z.string(),
  status: z.enum(ticketStatuses),
  /** Derived from the status. */
  isOpen: z.boolean(),
  /** Person responsible for the removal. */
  handleBy: z.string().nullable(),
  /** Report date. */
  created_at: instant,
  /** Removal date; null while open. */
  close_at: instant.nullable(),
  organization_id: z.int().nullable(),
  /** Null: found by the portal, or imported from the ticket service. */
  userId: z.int().nullable(),
  /** Reporter's name as entered, else that of the account. */
  reporterName: z.string().nullable(),
  reporterEmail: z.string().nullable(),
  /** Subject of a failure found by the portal. */
  location: z.object({ id: z.int(), shortName: z.string() }).nullable(),
  laneNumber: z.int().nullable(),
  healthKind: z.enum(healthKinds).nullable(),
  /** The sign, as named by the reporter. */
  sign: z.string().nullable(),
  context: ticketContext.nullable(),
  attachments: z.array(ticketAttachment),
  /** Number in the ticket service; null if not there. */
  serviceNumber: z.string().nullable(),
  /** Name of the owner in the ticket service; null without one. */
  serviceOwner: z.string().nullable(),
  /** Version for optimistic locking: must be sent with a change. */
  version: z.int(),
})
export type Ticket = z.output<typeof ticket>
export type WireTicket = z.input<typeof ticket>

const monthTicket = ticket.extend({
  /** Full minutes from report to removal, or to now; at least 0. */
  durationMinutes: z.int(),
  /**
   * Full minutes of the month in which this ticket or one before it was open; overlaps count once. The last row has the
   * total.
   */
  totalDurationMinutes: z.int(),
})
export type MonthTicket = z.output<typeof monthTicket>
export type WireMonthTicket = z.input<typeof monthTicket>

/** A month in a query. */
export const month = z.object({
  year: queryInt.pipe(z.int().min(2000).max(2100)),
  month: queryInt.pipe(z.int().min(1).max(12)),
})

export const list = endpoint({
  method: 'GET',
  path: '/tickets',
  access: 'Tickets',
  summary:
    'Lists the failures that were open at any time of a month, oldest first; without a month, those of the newest',
  query: month.partial(),
  response: z.object({
    /** The month of the response (Europe/Warsaw). */
    year: z.int(),
    month: z.int(),
    /** Time up to which open tickets are counted. */
    asOf: instant,
    content: z.array(monthTicket),
    totalDurationMinutes: z.int(),
    /** Months with an open ticket, oldest first. */
    months: z.array(z.object({ year: z.int(), month: z.int(), tickets: z.int() })),
  }),
})
export type TicketMonth = z.output<(typeof list)['response']>
export type WireTicketMonth = z.input<(typeof list)['response']>

export const find = endpoint({
  method: 'GET',
  path: '/tickets/search',
  access: 'Tickets',
  summary: 'Searches failures of all months, newest first: open ones, or those of a station',
  query: z.object({
    page: queryId.default(1),
    limit: queryInt.pipe(z.int().min(1).max(100)).default(20),
    /** Only tickets that are not closed. */
    open: queryFlag.optional(),
    locationId: queryId.optional(),
  }),
  response: z.object({
    content: z.array(ticket.extend({ durationMinutes: z.int() })),
    totalCount: z.int(),
  }),
})
export type WireFoundTicket = z.input<(typeof find)['response']>['content'][number]

const ticketParams = z.object({ id: queryId })

/** Fields in the history of a ticket. */
export const ticketFields = ['title', 'status', 'handleBy', 'description'] as const

const ticketEvent = z.object({
  at: instant,
  /** User; null: the portal or the ticket service. */
  by: z.string().nullable(),
  kind: z.enum(['portal', 'service']),
  isNew: z.boolean(),
  changes: z.array(
    z.object({ field: z.enum(ticketFields), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  /** Names of files added after the report. */
  addedFiles: z.array(z.string()),
})
export type TicketEvent = z.output<typeof ticketEvent>
export type WireTicketEvent = z.input<typeof ticketEvent>

export const history = endpoint({
  method: 'GET',
  path: '/tickets/:id/history',
  access: 'Tickets',
  summary: 'Lists the changes of a ticket with their users, oldest first',
  params: ticketParams,
  response: z.array(ticketEvent),
})

export const read = endpoint({
  method: 'GET',
  path: '/tickets/:id',
  access: 'Tickets',
  summary: 'Returns a ticket',
  params: ticketParams,
  response: ticket,
})

const title = optionalText(200).min(1, 'required-parameter-missing')
const description = optionalText(10_000)
const handleBy = optionalText(120).nullish()

/**
 * Fields of a new ticket. As JSON, or as multipart with the same fields and up to five files `attachment`; empty
 * multipart fields count as absent. `isOpen` is derived from the status.
 */
export const newTicket = z.object({
  /** The caller; reports on behalf of others are not possible. */
  userId: z.int().positive().nullish(),
  title: title.default(DEFAULT_TICKET_TITLE),
  description: requiredText(10_000),
  status: z.enum(ticketStatuses).default('open'),
  isOpen: z.boolean().default(true),
  handleBy,
  closedAt: instant.nullish(),
  reporterName: optionalText(120).nullish(),
  reporterEmail: z.email('incorrect-email-address').max(120).nullish(),
  /** Subject: a station, one of its lanes, a sign. */
  locationId: z.int().positive().nullish(),
  laneNumber: z.int().min(1).max(99).nullish(),
  sign: optionalText(120).nullish(),
  page: z.string().max(500).nullish(),
  version: z.string().max(60).nullish(),
  listRequests: z.int().min(0).nullish(),
})

export const add = endpoint({
  method: 'POST',
  path: '/tickets',
  access: 'Tickets',
  summary: 'Creates a ticket: JSON, or multipart with up to five files `attachment` (image or PDF, 10 MB each)',
  raw: 'ticket',
  response: ticket,
})

export const change = endpoint({
  method: 'PUT',
  path: '/tickets/:id',
  access: 'Tickets',
  summary: 'Changes a ticket; closing records the time, reopening deletes it',
  params: ticketParams,
  body: z.object({
    title,
    description,
    status: z.enum(ticketStatuses),
    /** Derived from the status. */
    isOpen: z.boolean().optional(),
    handleBy,
    /** For a closed ticket; absent or null: unchanged, or now if this change closes it. */
    closedAt: instant.nullish(),
    version: z.int().optional(),
  }),
  response: ticket,
})

export const addAttachments = endpoint({
  method: 'POST',
  path: '/tickets/:id/attachment',
  access: 'Tickets',
  summary: 'Adds up to five files `attachment` to a ticket (multipart); at most 20 in total',
  params: ticketParams,
  raw: 'attachments',
  response: ticket,
})

export const attachment = endpoint({
  method: 'GET',
  path: '/tickets/:id/attachment',
  access: 'Tickets',
  summary: 'Returns an attached file, always as a download',
  params: ticketParams,
  query: z.object({ number: queryId.default(1) }),
  binary: 'application/octet-stream',
  looks: 'each',
})

export const report = endpoint({
  method: 'GET',
  path: '/tickets/report',
  access: 'Tickets',
  summary: 'Creates the PDF of the failures of a month, with signature lines; returns a link',
  query: month,
  response: reportLink,
  rate: 'report',
})

/** Validity of a ticket-service token in years. */
export const TOKEN_YEARS = 2

/** Never contains the token. */
const serviceToken = z.object({
  stored: z.boolean(),
  email: z.string().nullable(),
  expiresAt: instant.nullable(),
})

export const readToken = endpoint({
  method: 'GET',
  path: '/users/self/token',
  access: 'Tickets',
  summary: "Tells whether the caller's token of the ticket service is stored, for which address and until when",
  response: serviceToken,
})

export const saveToken = endpoint({
  method: 'POST',
  path: '/users/self/token/save',
  access: 'Tickets',
  summary: "Stores the caller's token of the ticket service, encrypted; replaces an earlier one",
  body: z.object({
    token: requiredText(500, 'service-token-required').regex(/^[\x21-\x7e]*$/, 'invalid-value'),
    email: emailAddress,
  }),
  response: serviceToken,
})
