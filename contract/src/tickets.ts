import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { reportLink } from './reports.ts'
import { vehicleLocation } from './vehicle.ts'
import { emailAddress, instant, queryFlag, queryId, queryInt, requiredText } from './wire.ts'

export const ticketStatuses = ['open', 'in_progress', 'closed'] as const
export type TicketStatus = (typeof ticketStatuses)[number]

/** The title of a report that was given none. */
const DEFAULT_TICKET_TITLE = 'Zgłoszenie z systemu WIM'

/** Of one attached file, an image or a PDF. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024
/** By content: the name and the type that were sent with a file count for nothing. */
export const attachmentTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/pdf'] as const
export type AttachmentType = (typeof attachmentTypes)[number]

/** What can be wrong with a station; with its lanes, the second and the last. */
const healthKinds = [
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
  /** The ticket service refused it: it is in the portal alone. */
  isRefused: z.boolean(),
})

/** Files of one report, and of one addition to it. */
export const MAX_ATTACHMENTS = 5
/** Files of one ticket, with those of all additions. */
export const MAX_TICKET_ATTACHMENTS = 20

/** Where and with what the reporter worked, for whoever looks for the cause. */
const ticketContext = z.object({
  /** Path of the page, with its step and ids; nothing that tells of a vehicle or a person. */
  page: z.string().nullable(),
  version: z.string().nullable(),
  /** Requests for the live list since home was last reached. */
  listRequests: z.int().nullable(),
})

export const ticket = z.object({
  id: z.int(),
  /** Counted through the year of the report: `12/2026`. */
  number: z.string(),
  title: z.string(),
  description: z.string(),
  status: z.enum(ticketStatuses),
  /** Follows from the status. */
  isOpen: z.boolean(),
  /** Who removes the failure. */
  handleBy: z.string().nullable(),
  /** Report date. */
  created_at: instant,
  /** Removal date; null while it is open. */
  close_at: instant.nullable(),
  organization_id: z.int().nullable(),
  /** Null: the portal itself found the failure, or it came from the ticket service. */
  userId: z.int().nullable(),
  /** Who reported it, by the name that they gave, else that of their account. */
  reporterName: z.string().nullable(),
  reporterEmail: z.string().nullable(),
  /** What a failure that the portal found is about. */
  location: z.object({ id: z.int(), shortName: z.string() }).nullable(),
  laneNumber: z.int().nullable(),
  healthKind: z.enum(healthKinds).nullable(),
  /** The sign that the report is about, as its reporter calls it. */
  sign: z.string().nullable(),
  context: ticketContext.nullable(),
  attachments: z.array(ticketAttachment),
  /** Its number in the ticket service; null while it is not there. */
  serviceNumber: z.string().nullable(),
  /** Who has it in the ticket service, by name; null: nobody there. */
  serviceOwner: z.string().nullable(),
  /** What a change has to send back: a ticket changed meanwhile is not overwritten. */
  version: z.int(),
})
export type Ticket = z.output<typeof ticket>
export type WireTicket = z.input<typeof ticket>

const monthTicket = ticket.extend({
  /** Full minutes from report to removal, or to now; never below 0. */
  durationMinutes: z.int(),
  /** Full minutes of the month in which this ticket or one above it was open, counted once. The last row has the month's. */
  totalDurationMinutes: z.int(),
})
export type MonthTicket = z.output<typeof monthTicket>
export type WireMonthTicket = z.input<typeof monthTicket>

const month = z.object({
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
    /** The month that is answered (Europe/Warsaw). */
    year: z.int(),
    month: z.int(),
    /** Until when open tickets are measured. */
    asOf: instant,
    content: z.array(monthTicket),
    totalDurationMinutes: z.int(),
    /** The months in which any ticket was open, oldest first. */
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
    /** Only those that are not closed. */
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

/** What of a ticket its history tells. */
export const ticketFields = ['title', 'status', 'handleBy', 'description'] as const

const ticketEvent = z.object({
  at: instant,
  /** Who did it; null: the portal itself, or the ticket service. */
  by: z.string().nullable(),
  kind: z.enum(['portal', 'service']),
  isNew: z.boolean(),
  changes: z.array(
    z.object({ field: z.enum(ticketFields), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  /** Names of the files that were added after the report. */
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

const title = z.string().trim().min(1, 'required-parameter-missing').max(200)
const description = z.string().trim().max(10_000)
const handleBy = z.string().trim().max(120).nullish()

/**
 * What a new ticket is made of. As JSON, or as multipart with the same fields and up to five files `attachment`; there an
 * empty field counts as absent. `isOpen` follows from the status.
 */
export const newTicket = z.object({
  /** The caller; nobody reports in another's name. */
  userId: z.int().positive().nullish(),
  title: title.default(DEFAULT_TICKET_TITLE),
  description: requiredText(10_000),
  status: z.enum(ticketStatuses).default('open'),
  isOpen: z.boolean().default(true),
  handleBy,
  closedAt: instant.nullish(),
  reporterName: z.string().trim().max(120).nullish(),
  reporterEmail: z.email('incorrect-email-address').max(120).nullish(),
  /** What it is about: a station, a lane of it, a sign. */
  locationId: z.int().positive().nullish(),
  laneNumber: z.int().min(1).max(99).nullish(),
  sign: z.string().trim().max(120).nullish(),
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
    /** Follows from the status. */
    isOpen: z.boolean().optional(),
    handleBy,
    /** Of a closed ticket; absent or null: it stays, or is now for one that is closed by this. */
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
  binary: true,
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

/** Years for which a token of the ticket service is valid. */
export const TOKEN_YEARS = 2

/** Never the token itself. */
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

/** Bad: a failure stands. Unknown: nothing was measured that would tell. */
const healthStates = ['well', 'bad', 'unknown'] as const
export type HealthState = (typeof healthStates)[number]

/**
 * The measures of one check, each null where it does not apply. Times are ISO 8601, shares percent, clock seconds
 * (positive: the station is ahead).
 */
export const healthEvidence = z.object({
  lastVehicleTime: instant.nullable(),
  /** For so long nothing came, and so many vehicles usually pass in that time at these hours. */
  silentMinutes: z.int().nullable(),
  expectedVehicles: z.number().nullable(),
  /** Of so many vehicles the rest is said. */
  vehicles: z.int().nullable(),
  sharePercent: z.number().nullable(),
  clockSeconds: z.int().nullable(),
  deviationPercent: z.number().nullable(),
})
export type HealthEvidence = z.output<typeof healthEvidence>

const healthCheck = z.object({
  kind: z.enum(healthKinds),
  /** Null: the whole station. */
  laneNumber: z.int().nullable(),
  state: z.enum(healthStates),
  checkedAt: instant,
  /** Since when it is bad. */
  since: instant.nullable(),
  /** The ticket that was opened for it. */
  ticketId: z.int().nullable(),
  evidence: healthEvidence,
})
export type HealthCheck = z.output<typeof healthCheck>
export type WireHealthCheck = z.input<typeof healthCheck>

export const stationHealth = z.object({
  location: vehicleLocation,
  lastVehicleTime: instant.nullable(),
  state: z.enum(healthStates),
  /** Those of the station first, then by lane; empty until it was checked. */
  checks: z.array(healthCheck),
})
export type StationHealth = z.output<typeof stationHealth>
export type WireStationHealth = z.input<typeof stationHealth>

export const health = endpoint({
  method: 'GET',
  path: '/station-health',
  access: 'UsersAdmin',
  summary: 'Lists the check results of stations, failing stations first',
  response: z.array(stationHealth),
})

export const healthSettings = z.object({
  /** A failure opens a ticket by itself. */
  autoOpen: z.boolean(),
  /** Its ticket is closed when the failure is over. */
  autoClose: z.boolean(),
})
export type HealthSettings = z.output<typeof healthSettings>

export const readHealthSettings = endpoint({
  method: 'GET',
  path: '/station-health/settings',
  access: 'UsersAdmin',
  summary: 'Tells whether station failures open and close tickets automatically',
  response: healthSettings,
})

export const changeHealthSettings = endpoint({
  method: 'PUT',
  path: '/station-health/settings',
  access: 'UsersAdmin',
  summary: 'Sets whether station failures open and close tickets automatically',
  body: healthSettings,
  response: healthSettings,
})
