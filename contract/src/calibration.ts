import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { calibrationHours } from './options.ts'
import { GRAPH_HEIGHT, GRAPH_WIDTH, reportLink } from './reports.ts'
import { instant, queryFlag, queryInt, queryInts, rangeEnd, requiredText } from './wire.ts'

/** Deviation in percent, in either direction, that requires a recalibration. */
export const DEVIATION_LIMIT = 7

/** Vehicles of a reference; it is provisional until there are as many. */
export const REFERENCE_VEHICLES = 200

const locations = queryInts.pipe(z.array(z.int()).min(1, 'required-parameter-missing'))
const pixels = queryInt.pipe(z.int().min(200).max(3_000))

const range = z.object({
  /** Start inclusive, end exclusive: [dateTimeStart, dateTimeEnd). */
  dateTimeStart: rangeEnd,
  dateTimeEnd: rangeEnd,
  locations,
  addGraph: queryFlag.default(true),
  graphType: z.literal('linePlot').default('linePlot'),
  graphWidth: pixels.default(GRAPH_WIDTH),
  graphHeight: pixels.default(GRAPH_HEIGHT),
})

const calibrationFilters = range.extend({
  /** 0 is a legacy alias of the hour. */
  statResolutionUnit: z
    .enum(['hour', '0'], 'unsupported-resolution')
    .default('hour')
    .transform(() => 'hour' as const),
  statResolutionValue: queryInt.pipe(z.literal(calibrationHours, 'unsupported-resolution')),
})
export type WireCalibrationFilters = z.input<typeof calibrationFilters>

const figure = z.number().nullable()

/**
 * First axles of tractors with semi-trailers in one period (docs/domain.md). With too few vehicles only the counter is
 * set.
 */
const calibrationPeriod = z.object({
  dateTime: instant,
  /** kg */
  firstAxleAvg: figure,
  /** Coefficient of variation, percent. */
  firstAxleCov: figure,
  counter: z.int(),
  /** Percent, signed. */
  deviationFromReference: figure,
  /** Percent; null also while the reference is provisional. */
  confidence: figure,
})
export type CalibrationPeriod = z.output<typeof calibrationPeriod>
export type WireCalibrationPeriod = z.input<typeof calibrationPeriod>

/** Reference of a lane. */
const calibrationReference = z.object({
  /** kg */
  firstAxleAvg: z.number(),
  /** Number of vehicles; 0 while provisional. */
  counter: z.int(),
  /** Provisional: the general first-axle load, until enough vehicles have passed since the last calibration. */
  provisional: z.boolean(),
  /** Vehicles since the calibration, up to the number that a reference needs; grows while provisional. */
  collected: z.int(),
  /** The calibration that the reference follows, and its author. */
  finishedAt: instant.nullable(),
  finishedBy: z.string().nullable(),
})
export type CalibrationReference = z.output<typeof calibrationReference>

export const calibration = z.object({
  location: z.object({ id: z.int(), shortName: z.string() }),
  lanes: z.array(
    z.object({
      lane: z.object({ id: z.int(), laneNumber: z.int() }),
      /** PNG, base64; null if not requested. */
      graphBase64: z.string().nullable(),
      /** After the last calibration before the end of the range. */
      reference: calibrationReference,
      /** Calibrations within the range, oldest first. */
      finishes: z.array(instant),
      /** Periods with a common reference, from the one with this index to the next section. At least one. */
      sections: z.array(z.object({ firstPeriod: z.int(), reference: calibrationReference })),
      periods: z.array(calibrationPeriod),
    }),
  ),
})
export type Calibration = z.output<typeof calibration>
export type WireCalibration = z.input<typeof calibration>

export const list = endpoint({
  method: 'GET',
  path: '/diagnostic-calibrations',
  access: 'UserManagement',
  summary: 'Returns first-axle loads by location, lane and period, compared with the reference, with a chart per lane',
  query: calibrationFilters,
  response: z.array(calibration),
})

export const deviation = endpoint({
  method: 'GET',
  path: '/diagnostic-calibration-deviation',
  access: 'UserManagement',
  summary: 'Returns the deviation of each lane from its reference; the range determines the resolution',
  query: range,
  response: z.array(calibration),
})

/** File types of calibration reports. CSV has no chart. */
export const calibrationReports = ['pdf', 'xlsx', 'csv'] as const

export const report = endpoint({
  method: 'GET',
  path: '/diagnostic-calibrations/report',
  access: 'UserManagement',
  summary:
    'Creates a report of the figures of each lane with chart, reference and criteria (document, workbook or table); returns a link',
  query: range.extend({
    /** What the charts show. */
    shows: z.enum(['load', 'deviation']).default('load'),
    /** Default: by the length of the range. */
    statResolutionValue: queryInt.pipe(z.literal(calibrationHours, 'unsupported-resolution')).optional(),
    reportType: z.enum(calibrationReports).default('pdf'),
  }),
  response: reportLink,
  rate: 'report',
})

export const finish = endpoint({
  method: 'POST',
  path: '/diagnostic-calibrations-finish-date',
  access: 'UserManagement',
  summary: 'Records a finished calibration of these lanes, or of all lanes of the locations, with user and time',
  query: z.object({
    locations,
    time: rangeEnd,
    /** Lane ids (100 · location + lane number); default: all lanes of the locations. */
    lanes: queryInts.optional(),
  }),
})

const finishDate = z.object({
  location: z.object({ id: z.int(), shortName: z.string() }),
  lane: z.object({ id: z.int(), laneNumber: z.int() }),
  finishedAt: instant,
  /** Grows with each correction, revocation and restoration. */
  version: z.int(),
  enteredAt: instant,
  enteredBy: z.string(),
  /** The latest calibration of its lane that was not revoked. */
  inForce: z.boolean(),
  /** Mean load, kg, and number of the vehicles after it; null until there are enough. */
  reference: z.object({ firstAxleAvg: z.number(), counter: z.int() }).nullable(),
  /** Vehicles after it so far, up to the number that a reference needs. */
  collected: z.int(),
  /** The last correction of its time; `from`: its time before that. */
  corrected: z.object({ at: instant, by: z.string(), reason: z.string(), from: instant }).nullable(),
  revoked: z.object({ at: instant, by: z.string(), reason: z.string() }).nullable(),
})
export type FinishDate = z.output<typeof finishDate>
export type WireFinishDate = z.input<typeof finishDate>

export const finishDates = endpoint({
  method: 'GET',
  path: '/diagnostic-calibrations-finish-dates',
  access: 'UserManagement',
  summary:
    'Lists finished calibrations of the lanes of these locations, newest first, with their users; including revoked ones',
  query: z.object({ locations }),
  response: z.array(finishDate),
})

export const finishDatesReport = endpoint({
  method: 'GET',
  path: '/diagnostic-calibrations-finish-dates/report',
  access: 'UserManagement',
  summary: 'Creates a report of the finished calibrations of these locations; returns a link',
  query: z.object({ locations, reportType: z.enum(calibrationReports).default('pdf') }),
  response: reportLink,
  rate: 'report',
})

export const MAX_REVOKE_REASON = 500

const selection = z.object({
  /** Lane ids: 100 · location + lane number. */
  lanes: z.array(z.int()).min(1, 'required-parameter-missing').max(1_000, 'list-too-long'),
  /** Versions of these lanes as listed, in the same order; a calibration that has changed since is refused. */
  versions: z.array(z.int()).optional(),
  finishedAt: instant,
})
const withReason = selection.extend({ reason: requiredText(MAX_REVOKE_REASON) })

export const revokeFinish = endpoint({
  method: 'POST',
  path: '/diagnostic-calibrations-finish-dates/revoke',
  access: 'UserManagement',
  summary: 'Revokes a finished calibration of these lanes with a reason; the previous one counts again',
  body: withReason,
})

export const correctFinish = endpoint({
  method: 'POST',
  path: '/diagnostic-calibrations-finish-dates/correct',
  access: 'UserManagement',
  summary:
    'Corrects the time of a finished calibration of these lanes with a reason; its reference is that of the new time',
  body: withReason.extend({ time: rangeEnd }),
})

export const restoreFinish = endpoint({
  method: 'POST',
  path: '/diagnostic-calibrations-finish-dates/restore',
  access: 'UserManagement',
  summary: 'Restores a revoked calibration of these lanes: it counts again',
  body: selection,
})
