import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { languages } from './languages.ts'
import { reportLink } from './reports.ts'
import { instant, pageQuery, queryId, queryInts, rangeFields, sortDirections } from './wire.ts'

/** One visit: from `loginAt` (enabled, for a sign) to `logoutAt`; null while it lasts. */
export const activity = z.object({
  id: z.int(),
  eventType: z.int(),
  user: z.object({ id: z.int(), username: z.string() }),
  location: z.object({ id: z.int(), shortName: z.string() }).nullable(),
  /** The sign with its position; null if deleted. */
  vms: z.object({ id: z.int(), roadNumber: z.string().nullable(), chainage: z.string().nullable() }).nullable(),
  /** Name of the enabled variant at that time; null for a vehicle shown on the sign, and for other events. */
  variant: z.string().nullable(),
  loginAt: instant.nullable(),
  logoutAt: instant.nullable(),
  createdAt: instant,
  ip: z.string().nullable(),
})
export type Activity = z.output<typeof activity>
export type WireActivity = z.input<typeof activity>

/** From `dateTimeStart`, inclusive, to `dateTimeEnd`, exclusive. */
const range = z.object({ dateTimeStart: instant, dateTimeEnd: instant })

const page = pageQuery.extend({ orderDirection: z.enum(sortDirections).default('desc') })

const search = range.extend({ userId: queryId.optional() })

export const list = endpoint({
  method: 'GET',
  path: '/login-to-locations',
  access: 'UserManagement',
  summary: 'Lists the activity history: logins, visits to the live list by station, signs',
  query: search.extend({ eventTypes: queryInts.optional() }).extend(page.shape),
  response: z.object({ content: z.array(activity), totalCount: z.int() }),
})

export const vmsLogs = endpoint({
  method: 'GET',
  path: '/vms-logs',
  access: 'UserManagement',
  summary: 'Lists the activity history of signs (event type 3)',
  query: search.extend(page.shape),
  response: z.object({ content: z.array(activity), totalCount: z.int() }),
})

/** Every action of the audit log; the page has a text for each. */
export const auditActions = [
  'account-changed',
  'administrator-restored-by-command',
  'alarm-acknowledged',
  'alarm-shelved',
  'alarm-unshelved',
  'calibration-finished',
  'calibration-revoked',
  'certificate-added',
  'certificate-changed',
  'certificate-deleted',
  'certificate-file-stored',
  'certificate-revoked',
  'current-password-refused',
  'inspection-announced',
  'inspection-closed',
  'inspection-passed-by',
  'inspection-photos-changed',
  'inspection-reopened',
  'inspection-taken-over',
  'inspection-weighed',
  'inspection-withdrawn',
  'lane-purpose-changed',
  'offender-split',
  'password-changed',
  'password-reset',
  'password-reset-by-command',
  'plate-searched',
  'report-ordered',
  'role-added',
  'role-changed',
  'role-deleted',
  'role-restored-by-command',
  'scale-added',
  'scale-changed',
  'scale-deleted',
  'service-token-saved',
  'sessions-ended',
  'settings-changed',
  'sign-disabled',
  'sign-enabled',
  'sign-plate-shown',
  'sign-restored',
  'station-watch-changed',
  'ticket-added',
  'ticket-added-by-service',
  'ticket-changed',
  'ticket-changed-by-service',
  'ticket-files-added',
  'user-added',
  'user-changed',
  'user-deleted',
  'wanted-contact-added',
  'wanted-contact-changed',
  'wanted-contact-deleted',
  'wanted-contact-tested',
  'wanted-hit-judged',
  'wanted-plate-added',
  'wanted-plate-changed',
  'wanted-plate-deleted',
] as const

/** Subjects of audit entries about reports and plate searches. */
export const reportSubjects = [
  'activity',
  'archive-list',
  'calibration',
  'effectiveness',
  'evidence',
  'inspection',
  'statistics',
  'tickets',
  'user-log',
  'wanted-plates',
] as const

/** Every field of audit entries, also nested (`quietHours.from`); the page has a text for each. */
export const auditFields: readonly string[] = [
  'accuracyPercent',
  'addGraph',
  'addLabel',
  'alarm',
  'allowMisread',
  'attachments',
  'attempts',
  'authority',
  'autoClose',
  'autoOpen',
  'axles',
  'carrier',
  'certificate',
  'checkpointAdditionalTime',
  'close_at',
  'closedAt',
  'company',
  'confirmed',
  'contact',
  'content',
  'context',
  'createdAt',
  'created_at',
  'ctg8p1',
  'dateTimeEnd',
  'dateTimeStart',
  'declaration',
  'description',
  'email',
  'enabled',
  'enteredBy',
  'eventTypes',
  'expiresAt',
  'explanation',
  'falseHit',
  'fileName',
  'fineAmount',
  'finishedAt',
  'firstName',
  'from',
  'graphType',
  'graphHeight',
  'graphWidth',
  'gross',
  'groupBy',
  'groups',
  'handleBy',
  'healthKind',
  'id',
  'isOpen',
  'kind',
  'lane',
  'laneNumber',
  'laneNumbers',
  'lanes',
  'lastName',
  'listRequests',
  'location',
  'locationId',
  'locations',
  'month',
  'mustChangePassword',
  'name',
  'note',
  'number',
  'officer',
  'organization',
  'organization_id',
  'owner',
  'page',
  'passwordUpdatedAt',
  'permissions',
  'phoneNumber',
  'phoneNumberDir',
  'photos',
  'plateLpr',
  'plates',
  'purpose',
  'quietHours',
  'read',
  'reason',
  'refused',
  'reportType',
  'reporterEmail',
  'reporterName',
  'results',
  'roles',
  'scale',
  'search',
  'selection',
  'selections',
  'sendUserLogsToServer',
  'serviceNumber',
  'serviceOwner',
  'shortName',
  'shows',
  'sign',
  'similarity',
  'state',
  'statName',
  'statResolutionUnit',
  'statResolutionValue',
  'status',
  'taggedOnly',
  'takenOverAt',
  'taxId',
  'ticket',
  'title',
  'to',
  'totalCount',
  'typeOfContact',
  'typeOfList',
  'typesOfLists',
  'userId',
  'username',
  'validFrom',
  'validUntil',
  'variant',
  'vehicle',
  'withTags',
  'year',
  'stored',
  // Context of a failure report; the version counter is not shown.
  'version',
  'overload',
  'overheight',
  'overspeed',
  'overlane',
  'wrongDirection',
  ...rangeFields.flatMap((field) => [`min${field}`, `max${field}`]),
  ...[1, 2, 3].flatMap((level) => [`orderByColumnName${level}`, `orderDirection${level}`]),
]

/** One change with the state before and after; never contains secrets. */
const auditEntry = z.object({
  id: z.int(),
  at: instant,
  user: z.object({ id: z.int(), username: z.string() }).nullable(),
  ip: z.string().nullable(),
  /** The action as a text key (`user-added`). */
  action: z.string(),
  subject: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditEntry = z.output<typeof auditEntry>
export type WireAuditEntry = z.input<typeof auditEntry>

export const audit = endpoint({
  method: 'GET',
  path: '/audit',
  access: 'UserManagement',
  summary: 'Lists the audit log: user, change, time, address, values before and after',
  query: search.extend({ action: z.string().max(60).optional() }).extend(page.shape),
  response: z.object({ content: z.array(auditEntry), totalCount: z.int() }),
})

export const outboxMessage = z.object({
  id: z.int(),
  createdAt: instant,
  kind: z.string(),
  recipient: z.string(),
  language: z.enum(languages),
  sentAt: instant.nullable(),
  attempts: z.int(),
  lastError: z.string().nullable(),
})

export const outbox = endpoint({
  method: 'GET',
  path: '/outbox',
  access: 'UsersAdmin',
  summary: 'Lists sent and waiting outbox messages, newest first',
  query: page,
  response: z.object({ content: z.array(outboxMessage), totalCount: z.int() }),
})

export const report = endpoint({
  method: 'GET',
  path: '/login-to-locations/report',
  access: 'UserManagement',
  summary: 'Creates a report of the activity history (document or table); returns a link',
  query: search.extend({
    eventTypes: queryInts.optional(),
    reportType: z.enum(['pdf', 'xlsx']).default('pdf'),
  }),
  response: reportLink,
  rate: 'report',
})

/** Days covered by a user's log. */
export const USER_LOG_DAYS = 7

export const userLog = endpoint({
  method: 'GET',
  path: '/users/:id/log',
  access: 'session',
  summary:
    "Creates a zip of a user's actions of the last 7 days; returns a link. Own actions, or with UserManagement those of any user",
  params: z.object({ id: queryId }),
  response: reportLink,
  rate: 'report',
})
