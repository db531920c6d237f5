import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { BLACK, entryStates, MAX_PLATE_LENGTH, plateOrders, WHITE } from './options.ts'
import { reportLink } from './reports.ts'
import { newSearch, openedSearch, savedSearch, searchId, searchParams } from './vehicle-searches.ts'
import { HITS, openHit, owner, userAction } from './wanted-hits.ts'
import { instant, optionalText, pageQuery, queryId, queryInts, requiredText, sortDirections } from './wire.ts'

export const EMAIL = 0
export const PHONE = 1
const typesOfContact = [EMAIL, PHONE] as const
export type TypeOfContact = (typeof typesOfContact)[number]

export const MAX_DESCRIPTION = 100
export const MAX_CONTACT = 120

const typeOfList = z.union([z.literal(BLACK), z.literal(WHITE)], 'unknown-option')
const typeOfContact = z.union([z.literal(EMAIL), z.literal(PHONE)], 'unknown-option')

const wantedPlate = z.object({
  id: z.int(),
  /** Normalised: upper case, without spaces and dashes. */
  plateLpr: z.string(),
  /** Nationality of its newest hit; null without a hit. */
  nationality: z.string().nullable(),
  typeOfList,
  description: z.string(),
  userId: z.int(),
  user: owner,
  /** Number of hits, without false ones. */
  hits: z.int(),
  createdAt: instant,
  /** End of the entry; null: none. */
  expiresAt: instant.nullable(),
  /** Also matches characters that cameras confuse: 0/O, 1/I, 8/B, 5/S, 2/Z. */
  allowMisread: z.boolean(),
  /** False: a black-list entry whose owner has no contact, so nobody is notified of hits. */
  notified: z.boolean(),
  /** The caller can change and delete it: their own, or of an account that they can manage. */
  manageable: z.boolean(),
  /** Version for optimistic locking: must be sent with a change. */
  version: z.int(),
})
export type WantedPlate = z.output<typeof wantedPlate>
export type WireWantedPlate = z.input<typeof wantedPlate>

const page = pageQuery.extend({ orderDirection: z.enum(sortDirections).default('desc') })

const PLATES = ['WantedList', 'BlackList', 'WhiteList'] as const
const CONTACTS = ['WantedList', 'Contacts'] as const

export const MAX_SEARCH = 60

/** Filter of entries. */
const plateSearch = z.object({
  typesOfLists: queryInts.pipe(z.array(typeOfList)).optional(),
  /** Only this user's entries; those of other users need UserManagement. */
  userId: queryId.optional(),
  /** Substring of plate, description or name of the owner, case-insensitive. */
  search: z.string().trim().max(MAX_SEARCH).optional(),
  state: z.enum(entryStates, 'unknown-option').optional(),
})

/** The same in an address, where a saved search replaces the text. */
const addressSearch = plateSearch.extend({ searchId: searchId.optional() })

/** What a search saves. */
export const savedText = plateSearch.pick({ search: true })

export const saveSearch = endpoint({
  method: 'POST',
  path: '/wanted-plates/searches',
  access: PLATES,
  summary: 'Saves the text of a search for 12 hours; its id replaces it in addresses, for the caller only',
  body: newSearch(savedText),
  response: savedSearch,
  rate: 'searches',
})

export const openSearch = endpoint({
  method: 'GET',
  path: '/wanted-plates/searches/:id',
  access: PLATES,
  summary: "Returns the text of a saved search of the caller's",
  params: searchParams,
  response: openedSearch(savedText),
})

export const plates = endpoint({
  method: 'GET',
  path: '/wanted-plates',
  access: PLATES,
  summary:
    "Lists the caller's entries on the lists that they may use, newest first; with UserManagement those of all users",
  query: page.extend(addressSearch.shape).extend({ orderBy: z.enum(plateOrders).default('createdAt') }),
  response: z.object({
    content: z.array(wantedPlate),
    totalCount: z.int(),
    /** Numbers of entries that match the other filters, by state. */
    states: z.object({ all: z.int(), valid: z.int(), expiring: z.int(), expired: z.int() }),
  }),
  looks: 'each',
  shows: 'wanted',
})

const newWantedPlate = z.object({
  plateLpr: requiredText(MAX_PLATE_LENGTH),
  typeOfList,
  description: requiredText(MAX_DESCRIPTION),
  /** Owner; default: the caller. Other users need UserManagement. */
  userId: z.int().positive().nullish(),
  expiresAt: instant.nullish(),
  allowMisread: z.boolean().default(false),
})

export const addPlate = endpoint({
  method: 'POST',
  path: '/wanted-plates',
  access: PLATES,
  summary: 'Adds a plate to a list; matches its detections from now on. Refuses the same plate until the entry expires',
  rate: 'row',
  body: newWantedPlate,
  response: wantedPlate,
  looks: 'each',
  shows: 'wanted',
})

const entry = z.object({ id: queryId })
const version = z.int().optional()

export const plate = endpoint({
  method: 'GET',
  path: '/wanted-plates/:id',
  access: PLATES,
  summary: 'Returns an entry of a list',
  params: entry,
  response: wantedPlate,
  looks: 'each',
  shows: 'wanted',
})

export const changePlate = endpoint({
  method: 'PUT',
  path: '/wanted-plates/:id',
  access: PLATES,
  summary:
    'Changes an entry, which stays on its list. Hits of its former plate are kept, without list mark and message. ' +
    'Entries of other users require every right of the owner',
  params: entry,
  body: newWantedPlate.omit({ typeOfList: true }).extend({ version }),
  response: wantedPlate,
  looks: 'each',
  shows: 'wanted',
})

/** Maximum number of ids of a bulk deletion. */
export const MAX_PLATES_PER_REQUEST = 10_000

export const removePlates = endpoint({
  method: 'POST',
  path: '/wanted-plates/bulk-delete',
  access: PLATES,
  summary:
    'Deletes entries by ids, or all that match a search if their number is unchanged: all or none. ' +
    'Entries of other users require every right of the owner',
  body: z.union([
    z.object({ ids: z.array(z.int().positive()).min(1).max(MAX_PLATES_PER_REQUEST) }),
    z.object({
      found: z.object({
        typeOfList,
        userId: z.int().positive().nullish(),
        search: z.string().trim().max(MAX_SEARCH).nullish(),
        state: z.enum(entryStates, 'unknown-option').nullish(),
        /** Number of entries seen by the caller; if it differs, nothing is deleted. */
        count: z.int().positive(),
      }),
    }),
  ]),
  response: z.object({ deleted: z.int() }),
})

export const plateExportQuery = plateSearch

export const exportPlates = endpoint({
  method: 'GET',
  path: '/wanted-plates/report',
  access: PLATES,
  summary: 'Creates a CSV of the matching entries, which can be imported again; returns a link',
  query: addressSearch,
  response: reportLink,
  rate: 'report',
})

export const removePlate = endpoint({
  method: 'DELETE',
  path: '/wanted-plates/:id',
  access: PLATES,
  summary: 'Deletes an entry with its hits; entries of other users require every right of the owner',
  params: entry,
})

const wantedHit = z.object({
  /** Vehicle id. */
  id: z.int(),
  /** Time of the vehicle's measurement. */
  createdAt: instant,
  location: z.object({ id: z.int(), shortName: z.string() }),
  laneNumber: z.int(),
  /** When it should reach the checkpoint; null: unknown, also after the vehicle was deleted. */
  checkpointTime: instant.nullable(),
  /** As the camera read it. */
  plateLpr: z.string(),
  /** Plate of the entry at that time; null: hit stored by an older version without it. */
  entryPlate: z.string().nullable(),
  nationality: z.string().nullable(),
  /** A user marked that it is another vehicle. */
  falseHit: z.boolean(),
})
export type WantedHit = z.output<typeof wantedHit>
export type WireWantedHit = z.input<typeof wantedHit>

export const hits = endpoint({
  method: 'GET',
  path: '/wanted-plates/:id/hits',
  access: PLATES,
  summary: 'Lists the hits of an entry, newest first, including false hits',
  params: entry,
  query: page,
  response: z.object({ content: z.array(wantedHit), totalCount: z.int() }),
  looks: 'each',
  shows: 'wanted',
})

export const markHit = endpoint({
  method: 'PUT',
  path: '/wanted-plates/:id/hits/:vehicleId',
  access: PLATES,
  summary: 'Marks a hit as false, or undoes it; entries of other users require every right of the owner',
  params: entry.extend({ vehicleId: queryId }),
  query: z.object({ createdAt: instant }),
  body: z.object({ falseHit: z.boolean() }),
})

/** Why a hit is not the wanted vehicle; a misread counts against the camera. */
export const hitReasons = ['misread', 'other-country', 'other-vehicle', 'entry-outdated'] as const
export type HitReason = (typeof hitReasons)[number]

/** Steps of a hit. `sent`, `delivered`: messages to contacts; `shown`: on the sign. */
export const hitSteps = ['read', 'sent', 'delivered', 'opened', 'taken', 'shown', 'closed', 'reopened'] as const

const hitDetail = openHit.extend({
  /** Null: open, as far as the shift in which it was measured has not ended. */
  closed: userAction.extend({ reason: z.enum(hitReasons).nullable() }).nullable(),
  /** Received over an hour after its measurement: the vehicle could not be stopped, so that nobody could take it. */
  isLate: z.boolean(),
  /** Number of people who get a message. */
  notified: z.int(),
  /** In order of time. */
  course: z.array(
    z.object({
      step: z.enum(hitSteps),
      at: instant,
      /** Null: the portal. */
      by: owner.nullable(),
      /** Of messages: their number. */
      count: z.int().nullable(),
      reason: z.enum(hitReasons).nullable(),
    }),
  ),
})
export type HitDetail = z.output<typeof hitDetail>
export type WireHitDetail = z.input<typeof hitDetail>

/**
 * How a hit ended: nobody took it, nobody could as it was received over an hour after its measurement, somebody did, it was closed, or
 * it was not the wanted vehicle.
 */
export const hitOutcomes = ['open', 'untaken', 'late', 'taken', 'closed', 'false'] as const

const listedHit = wantedHit.omit({ falseHit: true, entryPlate: true, checkpointTime: true }).extend({
  /** The entry that matched. */
  entry: z.object({ id: z.int(), plateLpr: z.string(), typeOfList, description: z.string() }),
  outcome: z.enum(hitOutcomes),
  /** Who took or closed it, or marked it as false. */
  by: owner.nullable(),
  reason: z.enum(hitReasons).nullable(),
})
export type ListedHit = z.output<typeof listedHit>
export type WireListedHit = z.input<typeof listedHit>

export const latestHits = endpoint({
  method: 'GET',
  path: '/wanted-hits',
  access: HITS,
  summary: 'Lists the hits of all black-list entries visible to the caller, newest first, with their outcomes',
  query: page.omit({ orderDirection: true }),
  response: z.object({ content: z.array(listedHit), totalCount: z.int() }),
  looks: 'each',
  shows: 'hits',
})

/** Of the camera of a lane: black-list hits, and how many of them users closed as misread. */
const laneMisreads = z.object({
  location: z.object({ id: z.int(), shortName: z.string() }),
  laneNumber: z.int(),
  hits: z.int(),
  misreads: z.int(),
})
export type WireMisreads = z.input<typeof laneMisreads>

export const misreads = endpoint({
  method: 'GET',
  path: '/wanted-hits/misreads',
  access: HITS,
  summary:
    'Counts the black-list hits of each lane in a range and how many of them were misread plates, for its camera',
  query: z.object({ dateTimeStart: instant, dateTimeEnd: instant }),
  response: z.array(laneMisreads),
})

/** A hit by its vehicle. */
const hitKey = { params: z.object({ id: queryId }), query: z.object({ createdAt: instant }) }

export const hit = endpoint({
  method: 'GET',
  path: '/wanted-hits/:id',
  access: HITS,
  summary: 'Returns a hit, open or closed, with everything that was done about it',
  ...hitKey,
  response: hitDetail,
  looks: 'each',
  shows: 'hits',
})

export const takeHit = endpoint({
  method: 'PUT',
  path: '/wanted-hits/:id/take',
  access: HITS,
  summary:
    'The caller takes a hit; refused if somebody else has it (409, with name and time), unless it is taken over from ' +
    'them, and if the vehicle was received over an hour after its measurement',
  ...hitKey,
  body: z.object({
    /** Id of the user from whom it is taken over. */
    from: z.int().positive().nullish(),
  }),
  response: hitDetail,
  looks: 'each',
  shows: 'hits',
})

export const openHitSheet = endpoint({
  method: 'PUT',
  path: '/wanted-hits/:id/opened',
  access: HITS,
  summary: 'Records that the caller has opened a hit, once',
  ...hitKey,
  response: hitDetail,
  looks: 'each',
  shows: 'hits',
})

export const closeHit = endpoint({
  method: 'PUT',
  path: '/wanted-hits/:id/close',
  access: HITS,
  summary:
    'Closes a hit for everybody; with a reason the vehicle is not the wanted one: hits of the visible entries become false',
  ...hitKey,
  body: z.object({ reason: z.enum(hitReasons, 'unknown-option').nullish() }),
  response: hitDetail,
  looks: 'each',
  shows: 'hits',
})

/** How long a user can undo that they closed a hit; the page offers it for 10 s. */
export const REOPEN_SECONDS = 60

export const reopenHit = endpoint({
  method: 'PUT',
  path: '/wanted-hits/:id/reopen',
  access: HITS,
  summary: 'Undoes that the caller closed a hit, within a minute',
  ...hitKey,
  response: hitDetail,
  looks: 'each',
  shows: 'hits',
})

/** Formats of e-mail addresses and phone numbers: with or without prefix, spaces and dashes. */
export const contactForms: Record<TypeOfContact, z.ZodType<string>> = {
  [EMAIL]: z.email().max(MAX_CONTACT),
  [PHONE]: z.string().regex(/^\+?[\d\s-]{4,24}$/),
}

/** HH:MM, for example `21:30`. */
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalid-value')
export const quietHours = z.object({ from: clock, to: clock })
export type QuietHours = z.infer<typeof quietHours>

/**
 * Waiting: pending. Quiet: held during quiet hours. Retrying: rejected or server down. Sent: accepted by the mail
 * server or gateway. Failed: given up after three days. Unavailable: no channel is configured.
 */
export const messageFates = ['waiting', 'quiet', 'retrying', 'sent', 'failed', 'unavailable'] as const
export type MessageFate = (typeof messageFates)[number]

const contactMessage = z.object({
  isTest: z.boolean(),
  fate: z.enum(messageFates),
  createdAt: instant,
  /** When the mail server or gateway accepted it. */
  sentAt: instant.nullable(),
  attempts: z.int(),
})
export type WireContactMessage = z.input<typeof contactMessage>

const wantedContact = z.object({
  id: z.int(),
  /** E-mail address, or phone number with prefix. */
  contact: z.string(),
  typeOfContact,
  description: z.string(),
  userId: z.int(),
  user: owner,
  createdAt: instant,
  /** In Polish time; messages are held until the end. */
  quietHours: quietHours.nullable(),
  /** Latest message to the current address; null without one. */
  lastMessage: contactMessage.nullable(),
  /** The caller can change, test and delete it: their own, or of an account that they can manage. */
  manageable: z.boolean(),
  version: z.int(),
})
export type WantedContact = z.output<typeof wantedContact>
export type WireWantedContact = z.input<typeof wantedContact>

export const contacts = endpoint({
  method: 'GET',
  path: '/wanted-contacts',
  access: CONTACTS,
  summary: "Lists the contacts that are notified of the caller's hits; with UserManagement those of all users",
  query: page.extend({ userId: queryId.optional() }),
  response: z.object({ content: z.array(wantedContact), totalCount: z.int() }),
})

/** Missing fields give one error for the whole form (`contact-fields-required`), so no field is required by itself. */
const newWantedContact = z.object({
  contact: z.string().trim().max(MAX_CONTACT).nullish(),
  typeOfContact: typeOfContact.nullish(),
  description: optionalText(MAX_DESCRIPTION).nullish(),
  quietHours: quietHours.nullish(),
})

export const contact = endpoint({
  method: 'GET',
  path: '/wanted-contacts/:id',
  access: CONTACTS,
  summary: 'Returns a contact with the delivery status of its newest message',
  params: entry,
  response: wantedContact,
})

export const addContact = endpoint({
  method: 'POST',
  path: '/wanted-contacts',
  access: CONTACTS,
  summary: "Adds a contact that is notified of every hit of the caller's black list",
  rate: 'row',
  body: newWantedContact,
  response: wantedContact,
})

export const removeContact = endpoint({
  method: 'DELETE',
  path: '/wanted-contacts/:id',
  access: CONTACTS,
  summary: 'Deletes a contact and its waiting messages; contacts of other users require every right of the owner',
  params: entry,
})

export const changeContact = endpoint({
  method: 'PUT',
  path: '/wanted-contacts/:id',
  access: CONTACTS,
  summary:
    'Changes a contact; waiting messages are sent to the new address. Contacts of other users require every right of the owner',
  params: entry,
  body: newWantedContact.extend({ version }),
  response: wantedContact,
})

export const testContact = endpoint({
  method: 'POST',
  path: '/wanted-contacts/:id/test',
  access: CONTACTS,
  summary:
    'Sends a test message to a contact, also in its quiet hours, at most once a minute; contacts of other users require every right of the owner',
  rate: 'row',
  params: entry,
  response: wantedContact,
})

export const countContacts = endpoint({
  method: 'GET',
  path: '/wanted-contacts/count',
  access: PLATES,
  summary: "Returns the number of a user's contacts; other users require UserManagement",
  query: z.object({ userId: queryId.optional() }),
  response: z.object({ count: z.int() }),
})
