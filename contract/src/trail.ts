import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { lookKinds, type Purpose, purposes } from './looks.ts'
import { reportLink } from './reports.ts'
import { savedSearch, searchId } from './vehicle-searches.ts'
import { instant, optionalText, pageQuery, queryId, queryTexts, requiredText } from './wire.ts'

/*
 * The access trail: who looked at vehicles, when, from where and why.
 */

/** Purposes that need the reference of a case. */
export const purposesWithReference: readonly Purpose[] = ['proceedings', 'authority-request', 'person-request']

/** A purpose holds for this session and this time. */
export const PURPOSE_MINUTES = 30
/** Characters of the note that says which other purpose it is. */
export const MIN_PURPOSE_NOTE = 10
/** Files with more plates need a purpose. */
export const MAX_PLATES_WITHOUT_PURPOSE = 100

const reference = optionalText(60).nullish()
const note = optionalText(200).nullish()

export const sessionPurpose = z.object({
  /** Whether the portal asks for a purpose before a search by plate. */
  required: z.boolean(),
  /** What the session has given; null: nothing, or longer ago than it holds. */
  current: z
    .object({
      purpose: z.enum(purposes),
      reference: z.string().nullable(),
      note: z.string().nullable(),
      until: instant,
    })
    .nullable(),
})
export type SessionPurpose = z.output<typeof sessionPurpose>

export const readPurpose = endpoint({
  method: 'GET',
  path: '/users/self/purpose',
  access: 'session',
  summary: 'Returns why this session looks for plates, as long as that holds',
  response: sessionPurpose,
})

export const setPurpose = endpoint({
  method: 'PUT',
  path: '/users/self/purpose',
  access: 'session',
  summary: 'Says why this session looks for plates; holds for 30 minutes',
  body: z.object({ purpose: z.enum(purposes), reference, note }),
  response: sessionPurpose,
})

export const removePurpose = endpoint({
  method: 'DELETE',
  path: '/users/self/purpose',
  access: 'session',
  summary: 'Removes the purpose of this session',
})

/** From `dateTimeStart`, inclusive, to `dateTimeEnd`, exclusive. */
const range = z.object({ dateTimeStart: instant, dateTimeEnd: instant })

/** Filters of the access trail; a plate is searched for by the id of a search, as it must not be in an address. */
export const trailFilters = range.extend({
  userId: queryId.optional(),
  systemId: queryId.optional(),
  kinds: queryTexts.pipe(z.array(z.enum(lookKinds))).optional(),
  purpose: z.enum(purposes).optional(),
  search: searchId.optional(),
})
export type TrailFilters = z.output<typeof trailFilters>

const named = z.object({ id: z.int(), name: z.string() }).nullable()

/** One line: an answer, or a visit of several. */
export const trailEntry = z.object({
  id: z.int(),
  at: instant,
  /** Exactly one of the four, named as at that time. */
  user: named,
  system: named,
  device: named,
  webhook: named,
  role: z.string().nullable(),
  ip: z.string().nullable(),
  call: z.string(),
  kind: z.enum(lookKinds),
  purpose: z.enum(purposes).nullable(),
  reference: z.string().nullable(),
  note: z.string().nullable(),
  /** Filters without plates. */
  criteria: z.record(z.string(), z.unknown()),
  /** Plates and patterns that were asked for; null: they cannot be read, as the key of the trail is another. */
  plates: z.array(z.string()).nullable(),
  /** Found in all, and those whose plate was shown; of a visit that has ended at its end. */
  results: z.int(),
  shown: z.int(),
  /** Whether a search by plate finds it by those shown: of more than 1,000 only the number is kept. */
  isListed: z.boolean(),
  vehicle: z.object({ id: z.int(), createdAt: instant }).nullable(),
  /** Null: not a visit. */
  visit: z.object({ endedAt: instant.nullable() }).nullable(),
})
export type TrailEntry = z.output<typeof trailEntry>

export const trail = endpoint({
  method: 'GET',
  path: '/access-trail',
  access: 'PlateAccess',
  summary: 'Lists who looked at vehicles, newest first: when, from where, why, what was asked and shown',
  query: trailFilters.extend(pageQuery.shape),
  response: z.object({ content: z.array(trailEntry), totalCount: z.int() }),
  looks: 'each',
  stepUp: 'recent',
})

export const searchTrail = endpoint({
  method: 'POST',
  path: '/access-trail/searches',
  access: 'PlateAccess',
  summary: 'Prepares a search of the access trail by plate: an id for `search`, for the caller and 12 hours',
  body: z.object({ plateLpr: requiredText(20) }),
  response: savedSearch,
})

/** Plates shown to a user in an hour that are pointed out if there are more. */
export const MANY_PLATES = 50
/** A shift is usual for a user who signed in for it on so many days of the days before. */
export const USUAL_SHIFT = { days: 3, of: 28 }

const user = z.object({ id: z.int(), name: z.string() })

export const trailSummary = endpoint({
  method: 'GET',
  path: '/access-trail/summary',
  access: 'PlateAccess',
  summary: 'Counts the lines of the access trail by purpose, and points out what is worth a look',
  query: range,
  response: z.object({
    lines: z.int(),
    purposes: z.array(z.object({ purpose: z.enum(purposes).nullable(), lines: z.int() })),
    /** Hours in which a user saw more than 50 plates, the latest first, 100 at most as below; `hour`: its start. */
    manyPlates: z.array(z.object({ user, hour: instant, shown: z.int() })),
    /** Shifts that are not usual for who looked in them, with the first and the last look. */
    outsideShift: z.array(z.object({ user, from: instant, to: instant, lines: z.int() })),
    /** Looks before it are not judged: sign-ins of the days before them are deleted. */
    shiftsKnownSince: instant,
    /** Minutes in which a session was refused for want of a purpose, and gave none then. */
    withoutPurpose: z.array(z.object({ user, at: instant })),
  }),
  stepUp: 'recent',
})

export const trailReportTypes = ['csv', 'xlsx', 'jsonl'] as const
/** `zip`: evidence of the answer, with the chain of the range and how to check it without the portal. */
export const trailFileTypes = [...trailReportTypes, 'zip'] as const

export const trailReport = endpoint({
  method: 'GET',
  path: '/access-trail/report',
  access: 'PlateAccess',
  summary: 'Creates a report of the access trail; returns a link',
  query: trailFilters.extend({ reportType: z.enum(trailFileTypes).default('csv') }),
  response: reportLink,
  rate: 'report',
  stepUp: 'recent',
})

/** Days of `days`, today included. */
export const CHECKED_DAYS = 30
/** No check starts on request within this time after the last one. */
export const CHECK_PAUSE_MINUTES = 10
export const dayStates = ['intact', 'broken', 'unchecked'] as const

/** Whether the chains of hashes hold, by the checks that were made. */
const integrityState = z.object({
  /** The last check; `fault`: the first link that does not hold, and why, in English; null: all hold. */
  check: z.object({ endedAt: instant, fault: z.string().nullable() }).nullable(),
  /** Whether a check is running or waiting that was requested. */
  isChecking: z.boolean(),
  /** Polish days, the oldest first. */
  days: z.array(z.object({ day: z.iso.date(), state: z.enum(dayStates) })),
  /** Links of all logs, and the time of the first line. */
  links: z.int(),
  since: instant.nullable(),
  /** The last link of the access trail: its hash in hexadecimal digits. */
  head: z.object({ seq: z.int(), at: instant, hash: z.string() }).nullable(),
  /** The last anchor. `stampedAt`: null without a time stamp; `isStampRequested`: it has one, or waits for it. */
  anchor: z
    .object({
      number: z.int(),
      at: instant,
      isStampRequested: z.boolean(),
      stampedAt: instant.nullable(),
      copiedAt: instant.nullable(),
    })
    .nullable(),
  /** Whether anchors are copied out of the portal. */
  isCopied: z.boolean(),
})
export type IntegrityState = z.output<typeof integrityState>

export const integrity = endpoint({
  method: 'GET',
  path: '/access-trail/integrity',
  access: 'PlateAccess',
  summary: 'Returns whether the chains of hashes hold, and when they were checked, stamped and copied',
  response: integrityState,
})

export const checkIntegrity = endpoint({
  method: 'POST',
  path: '/access-trail/integrity/checks',
  access: 'PlateAccess',
  summary: 'Requests a check of the chains of hashes, unless one is waiting, running, or has ended within 10 minutes',
})
