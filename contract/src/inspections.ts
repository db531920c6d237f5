import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { apiError } from './errors.ts'
import { inspectionStates, MAX_PLATE_LENGTH, selections } from './options.ts'
import { reportLink } from './reports.ts'
import { ctg8p1Numbers, image, imageTypes, vehicle, wantedMark } from './vehicle.ts'
import { loadLimits, weighing } from './vehicle-weighing.ts'
import {
  instant,
  optionalText,
  queryFlag,
  queryId,
  queryInt,
  queryInts,
  queryTexts,
  rangeEnd,
  requiredText,
} from './wire.ts'

const ACCESS = ['Inspections', 'InspectionReview'] as const

/**
 * 1 compliant, 2 warning, 3 fine, 4 administrative proceedings, 5 driving on prohibited, 6 reloading, 7 guarded parking,
 * 8 permit shown, 9 weighing refused, 10 scale out of order, 11 other offence.
 */
export const resultNumbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const
export type InspectionResult = (typeof resultNumbers)[number]

export const MAX_FINE = 10_000_000
export const MAX_PHOTOS = 12
export const photoTypes = ['image/jpeg', 'image/png'] as const
/** Hours for which times can be entered later. */
export const MAX_HOURS_BACK = 24

/** Days after which inspections that were withdrawn, or whose vehicle passed by, are deleted; their outcome is kept. */
export const MAX_UNFINISHED_DAYS = 365

/** kg; of a group: of each of its axles. */
export const axleLoad = { min: 100, max: 30_000 } as const
export const grossLoad = { min: 500, max: 150_000 } as const
export const axleCount = { min: 2, max: 12 } as const
/** cm between neighbouring axles. */
export const axleGap = { min: 30, max: 3_000 } as const

/** A vehicle as it was measured, copied when the inspection began: with limits, tolerance and images. */
export const passage = vehicle
  .omit({ tags: true, wanted: true, shapeSamples: true, inspection: true, weighing: true })
  .extend({
    images: z.array(image),
    /** Percent by which the measured loads may deviate; null without an accuracy class. */
    tolerance: z
      .object({ gross: z.number(), group: z.number(), singleAxle: z.number(), axleOfGroup: z.number() })
      .nullable(),
  })
export type Passage = z.output<typeof passage>

const person = z.object({ id: z.int(), username: z.string() })
const stepTaken = z.object({ at: instant, by: person })
const reason = requiredText(200).min(3, 'value-too-small')

const photo = z.object({ number: z.int(), type: z.enum(photoTypes), size: z.int() })

/** Steps that change the state or the officer, by their entry in the audit log. */
export const recordedSteps = {
  'inspection-announced': 'announced',
  'inspection-taken-over': 'takenOver',
  'inspection-weighed': 'weighed',
  'inspection-closed': 'closed',
  'inspection-withdrawn': 'withdrawn',
  'inspection-passed-by': 'passedBy',
  'inspection-reopened': 'reopened',
} as const
export type RecordedStep = (typeof recordedSteps)[keyof typeof recordedSteps]

/** What a closing found. */
const outcome = z.object({
  results: z.array(z.literal(resultNumbers)),
  /** In grosze. */
  fineAmount: z.int().nullable(),
})
export type InspectionOutcome = z.output<typeof outcome>

export const inspection = z.object({
  id: z.int(),
  /** K/7/2026/ZAB: counted per station and year. */
  number: z.string(),
  /** Must be sent with every step. */
  version: z.int(),
  state: z.enum(inspectionStates),
  selection: z.enum(selections),
  location: z.object({ id: z.int(), shortName: z.string() }),
  /** Null: stopped without a measurement. */
  wim: passage.nullable(),
  /** As measured; of a vehicle stopped without a measurement as the officer entered it, null if not or anonymised. */
  plateLpr: z.string().nullable(),
  nationality: z.string().nullable(),
  /** If an entry visible to the caller matches, as in lists of vehicles. */
  wanted: wantedMark.optional(),
  /** Category [8+1], as corrected by the officer; null if unknown. */
  ctg8p1: z.int().nullable(),
  static: weighing.nullable(),
  /** Legal limits when the vehicle was measured, or weighed if it was not measured; null if there are none, absent in lists. */
  limits: loadLimits.nullable().optional(),
  /** Whether a static load certainly exceeds its limit; null while not weighed. */
  confirmed: z.boolean().nullable(),
  /** By whom it was opened. */
  announced: stepTaken,
  officer: person.nullable(),
  takenOverAt: instant.nullable(),
  weighed: stepTaken.nullable(),
  closed: stepTaken.nullable(),
  withdrawn: stepTaken.nullable(),
  /** `by` is null if the server noticed it. */
  passedBy: z.object({ at: instant, by: person.nullable() }).nullable(),
  reopened: stepTaken.nullable(),
  /** Of the last step that needed one. */
  reason: z.string().nullable(),
  /** Every step that was recorded, oldest first; absent in lists, and if the audit log no longer has them. */
  steps: z
    .array(
      z.object({
        step: z.enum(Object.values(recordedSteps)),
        at: instant,
        /** Null: noticed by the server. */
        by: z.string().nullable(),
        reason: z.string().nullable(),
        /** Results of the closing that is reopened or, by a later closing, replaced; null for others. */
        before: outcome.nullable(),
        /** Results of a closing; null for other steps. */
        after: outcome.nullable(),
      }),
    )
    .optional(),
  /** When the shift began, in Polish time. */
  shift: z.object({ day: z.iso.date(), start: z.string() }),
  results: z.array(z.literal(resultNumbers)),
  /** In grosze. */
  fineAmount: z.int().nullable(),
  carrier: z.string().nullable(),
  taxId: z.string().nullable(),
  declaration: z.string().nullable(),
  note: z.string().nullable(),
  photos: z.array(photo),
})
export type Inspection = z.output<typeof inspection>
export type WireInspection = z.input<typeof inspection>

const text = (maxLength: number) => optionalText(maxLength).nullish()
const byId = z.object({ id: queryId })
/** When it happened, if it is entered later. */
const at = instant.nullish()

/** Code of a country, up to three letters. */
const nationality = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{0,3}$/, 'invalid-value')

export const MAX_IDEMPOTENCY_KEY = 100

export const add = endpoint({
  method: 'POST',
  path: '/inspections',
  access: ACCESS,
  summary:
    'Announces an inspection, or opens one that the caller takes over. The header Idempotency-Key (required) makes ' +
    'a repeated request return the same inspection. callOnSign needs Vms and CurrentMeasurements, and may fail alone',
  body: z.object({
    locationId: z.int().positive(),
    /** With `createdAt`; null only for a vehicle that was stopped at random. */
    vehicleId: z.int().positive().nullish(),
    createdAt: instant.nullish(),
    /** Only of a vehicle without a measurement. */
    plateLpr: text(MAX_PLATE_LENGTH),
    nationality: nationality.nullish(),
    state: z.enum(['announced', 'takenOver']),
    selection: z.enum(selections).default('preselected'),
    callOnSign: z.boolean().default(false),
    note: text(2_000),
    at,
  }),
  response: z.object({
    id: z.int(),
    number: z.string(),
    version: z.int(),
    /** Whether the sign shows the vehicle; null if not requested. */
    sign: z.object({ isShown: z.boolean(), error: apiError.nullable() }).nullable(),
  }),
})

export const list = endpoint({
  method: 'GET',
  path: '/inspections',
  access: ACCESS,
  summary: 'Lists inspections, newest first: open ones and own ones, with InspectionReview all',
  query: z.object({
    dateTimeStart: rangeEnd.optional(),
    dateTimeEnd: rangeEnd.optional(),
    locations: queryInts.optional(),
    states: queryTexts.pipe(z.array(z.enum(inspectionStates))).optional(),
    results: queryInts.pipe(z.array(z.literal(resultNumbers, 'unknown-option'))).optional(),
    officerId: queryId.optional(),
    /** Only open ones, and those that passed by less than 12 hours ago. */
    open: queryFlag.optional(),
    page: queryId.default(1),
    limit: queryInt.pipe(z.int().min(1).max(100)).default(10),
  }),
  response: z.object({ content: z.array(inspection), totalCount: z.int() }),
  looks: 'each',
  shows: 'inspections',
})

export const read = endpoint({
  method: 'GET',
  path: '/inspections/:id',
  access: ACCESS,
  summary: 'Returns an inspection: open ones and own ones, with InspectionReview any',
  params: byId,
  response: inspection,
  looks: 'each',
  shows: 'inspections',
})

export const lastCarrier = endpoint({
  method: 'GET',
  path: '/inspections/:id/last-carrier',
  access: ACCESS,
  summary: 'Returns the carrier of the latest closed inspection of the same plate; null without one, and if anonymised',
  params: byId,
  response: z.object({
    carrier: z.object({ name: z.string(), taxId: z.string().nullable(), closedAt: instant }).nullable(),
  }),
})

const version = z.int()

export const takeOver = endpoint({
  method: 'PUT',
  path: '/inspections/:id/take-over',
  access: ACCESS,
  summary: 'Takes an inspection over and clears the plate on the sign; from another officer with a reason',
  params: byId,
  body: z.object({ version, at, reason: reason.nullish() }),
  response: inspection,
  looks: 'each',
  shows: 'inspections',
})

const load = z.int().min(axleLoad.min).max(axleLoad.max)

export const newWeighing = z.object({
  version,
  at,
  scaleId: z.int().positive(),
  ctg8p1: z.literal(ctg8p1Numbers, 'unknown-option').nullish(),
  /** Loads of the axles on the ground, kg. */
  axles: z.array(load).min(axleCount.min).max(axleCount.max).nullish(),
  /** Numbers of the axles that were lifted, from 1, as counted on the whole vehicle. Default: none. */
  lifted: z.array(z.int().min(1).max(axleCount.max)).max(axleCount.max).nullish(),
  /** cm between all axles, lifted ones included; default: as measured, if there are as many. */
  gaps: z
    .array(z.int().min(axleGap.min).max(axleGap.max))
    .min(axleCount.min - 1)
    .max(axleCount.max - 1)
    .nullish(),
  /** Instead of `axles`: number of axles and load of each group, front to rear. */
  groups: z
    .array(z.object({ axles: z.int().min(1).max(axleCount.max), load: z.int().min(axleLoad.min).max(360_000) }))
    .min(1)
    .max(axleCount.max)
    .nullish(),
  /** Default: the sum. */
  gross: z.int().min(grossLoad.min).max(grossLoad.max).nullish(),
})
export type NewWeighing = z.output<typeof newWeighing>

export const weigh = endpoint({
  method: 'PUT',
  path: '/inspections/:id/weighing',
  access: ACCESS,
  summary: 'Stores the static weights by axle, by group or of the whole vehicle; replaces earlier ones',
  params: byId,
  body: newWeighing,
  response: inspection,
  looks: 'each',
  shows: 'inspections',
})

export const close = endpoint({
  method: 'PUT',
  path: '/inspections/:id/close',
  access: ACCESS,
  summary: 'Closes an inspection with its results; without weights only with result 9, 10 or 11',
  params: byId,
  body: z.object({
    version,
    at,
    results: z.array(z.literal(resultNumbers, 'unknown-option')).max(resultNumbers.length, 'list-too-long'),
    fineAmount: z.int().min(0).max(MAX_FINE).nullish(),
    /** Unchanged if absent, removed if empty or null, like the next three. */
    carrier: text(200),
    taxId: text(20),
    declaration: text(2_000),
    note: text(2_000),
    /** Why it is compliant although a limit is exceeded. */
    reason: reason.nullish(),
  }),
  response: inspection,
  looks: 'each',
  shows: 'inspections',
})

export const withdraw = endpoint({
  method: 'PUT',
  path: '/inspections/:id/withdraw',
  access: ACCESS,
  summary: 'Withdraws an inspection before the weighing, with a reason',
  params: byId,
  body: z.object({ version, reason }),
  response: inspection,
  looks: 'each',
  shows: 'inspections',
})

export const passBy = endpoint({
  method: 'PUT',
  path: '/inspections/:id/passed-by',
  access: ACCESS,
  summary: 'Records that an announced vehicle passed by',
  params: byId,
  body: z.object({ version }),
  response: inspection,
  looks: 'each',
  shows: 'inspections',
})

export const reopen = endpoint({
  method: 'PUT',
  path: '/inspections/:id/reopen',
  access: 'InspectionReview',
  summary: 'Reopens a closed inspection with a reason; the audit log keeps the former values',
  params: byId,
  body: z.object({ version, reason }),
  response: inspection,
  looks: 'each',
  shows: 'inspections',
})

export const addPhotos = endpoint({
  method: 'POST',
  path: '/inspections/:id/photos',
  access: ACCESS,
  summary: 'Adds up to five photos `attachment` (JPEG or PNG, 10 MB each) of a form; at most 12 in total',
  params: byId,
  raw: 'attachments',
  response: inspection,
  looks: 'each',
  shows: 'inspections',
})

const photoParams = z.object({ id: queryId, number: queryId })

export const photoFile = endpoint({
  method: 'GET',
  path: '/inspections/:id/photos/:number',
  access: ACCESS,
  summary: 'Returns a photo',
  params: photoParams,
  binary: 'application/octet-stream',
  looks: 'each',
})

export const removePhoto = endpoint({
  method: 'DELETE',
  path: '/inspections/:id/photos/:number',
  access: ACCESS,
  summary: 'Deletes a photo before the inspection is closed',
  params: photoParams,
})

export const report = endpoint({
  method: 'GET',
  path: '/inspections/:id/report',
  access: ACCESS,
  summary: 'Creates the record of an inspection (PDF); returns a link',
  params: byId,
  response: reportLink,
  rate: 'report',
})

export const passageImage = endpoint({
  method: 'GET',
  path: '/inspections/:id/images/:type',
  access: ACCESS,
  summary: 'Returns the copy of an image of the measurement (JPEG)',
  params: z.object({ id: queryId, type: z.enum(imageTypes) }),
  binary: 'image/jpeg',
  looks: 'each',
})
