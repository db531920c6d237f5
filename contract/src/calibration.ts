import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { GRAPH_HEIGHT, GRAPH_WIDTH, rangeEnd } from './statistics.ts'
import { instant, queryFlag, queryInt, queryInts } from './wire.ts'

/** The resolutions of the screen, in hours; 24 and more are days of the Warsaw calendar. */
export const calibrationHours = [2, 4, 6, 8, 12, 24, 48, 72, 168] as const
export type CalibrationHours = (typeof calibrationHours)[number]

/** Percent of deviation, in either direction, from which a lane wants a calibration. */
export const DEVIATION_LIMIT = 7

const locations = queryInts.pipe(z.array(z.int()).min(1, 'required-parameter-missing'))
const pixels = queryInt.pipe(z.int().min(200).max(3_000))

const range = z.object({
  /** The range is half-open: [dateTimeStart, dateTimeEnd). */
  dateTimeStart: rangeEnd,
  dateTimeEnd: rangeEnd,
  locations,
  addGraph: queryFlag.default(true),
  graphType: z.literal('linePlot').default('linePlot'),
  graphWidth: pixels.default(GRAPH_WIDTH),
  graphHeight: pixels.default(GRAPH_HEIGHT),
})

const calibrationFilters = range.extend({
  /** 0 is an old name of the hour. */
  statResolutionUnit: z
    .enum(['hour', '0'], 'unsupported-resolution')
    .default('hour')
    .transform(() => 'hour' as const),
  statResolutionValue: queryInt.pipe(z.literal(calibrationHours, 'unsupported-resolution')),
})
export type WireCalibrationFilters = z.input<typeof calibrationFilters>

const figure = z.number().nullable()

/** First axles of semi-trailer tractors in one period (docs/domain.md). With too few vehicles only the counter is told. */
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

/** What a lane is compared with. */
const calibrationReference = z.object({
  /** kg */
  firstAxleAvg: z.number(),
  /** How many vehicles it comes from; 0 while it is provisional. */
  counter: z.int(),
  /** The general value of a first axle, until enough vehicles have passed since the last calibration. */
  provisional: z.boolean(),
  /** The last finish date before the end of the range, and who entered it. */
  finishedAt: instant.nullable(),
  finishedBy: z.string().nullable(),
})
export type CalibrationReference = z.output<typeof calibrationReference>

export const calibration = z.object({
  location: z.object({ id: z.int(), shortName: z.string() }),
  lanes: z.array(
    z.object({
      lane: z.object({ id: z.int(), laneNumber: z.int() }),
      /** PNG, base64; null when it was not asked for. */
      graphBase64: z.string().nullable(),
      reference: calibrationReference,
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
  summary: 'Load of the first axle by location, lane and period against the reference, with a chart for each lane',
  query: calibrationFilters,
  response: z.array(calibration),
})

export const deviation = endpoint({
  method: 'GET',
  path: '/diagnostic-calibration-deviation',
  access: 'UserManagement',
  summary: 'Deviation of each lane from its reference; the resolution follows from the range',
  query: range,
  response: z.array(calibration),
})

export const finish = endpoint({
  method: 'POST',
  path: '/diagnostic-calibrations-finish-date',
  access: 'UserManagement',
  summary: 'Notes, for every lane of the locations, that a calibration was finished, with who noted it and when',
  query: z.object({ locations, time: rangeEnd }),
})
