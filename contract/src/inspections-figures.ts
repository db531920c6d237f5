import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { accuracyClasses } from './locations.ts'
import { selections } from './options.ts'
import { reportLink } from './reports.ts'
import { instant, queryId, queryInt, queryInts, queryTexts, rangeEnd } from './wire.ts'

/*
 * Figures of inspections: how well stations preselect, and how accurate their lanes are.
 */

/** Inspections by the time of the detection, without one by that of the announcement: [dateTimeStart, dateTimeEnd). */
const scope = z.object({
  dateTimeStart: rangeEnd,
  dateTimeEnd: rangeEnd,
  /** Default: all. */
  locations: queryInts.optional(),
  /** Lane ids (100 · location + lane number); default: all, and vehicles stopped without a detection. */
  lanes: queryInts.optional(),
})
export type FigureScope = z.output<typeof scope>

const ofSelections = scope.extend({
  /** Default: random and reference ones, which have no bias. */
  selections: queryTexts.pipe(z.array(z.enum(selections)).min(1, 'required-parameter-missing')).optional(),
})

const station = z.object({ id: z.int(), shortName: z.string() })

/** A share with its Wilson interval at 95 %; percentages have one decimal and are null for too few. */
const rate = z.object({
  part: z.int(),
  of: z.int(),
  percent: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
})

const rates = z.object({
  /** Confirmed of weighed: preselected ones that were flagged. */
  hitRate: rate,
  /** Taken over of announced. */
  stopRate: rate,
  /** Stopped of all flagged detections; null by officer, and by shift for more than 31 days. */
  coverage: rate.nullable(),
  /** Confirmed of weighed: random ones that were not flagged. */
  missedRate: rate,
})

export const figureGroupings = ['location', 'lane', 'shift', 'month', 'officer'] as const
export type FigureGrouping = (typeof figureGroupings)[number]

/** Longest range, in days, with coverage by shift. */
export const MAX_SHIFT_DAYS = 31

export const figures = endpoint({
  method: 'GET',
  path: '/inspections/figures',
  access: 'Stat',
  summary:
    'Returns hit rate, stop rate, coverage and missed rate with their intervals, in total and by location, lane, shift, ' +
    'month or officer; by officer needs InspectionReview, too',
  query: scope.extend({ groupBy: z.enum(figureGroupings, 'unknown-option').default('location') }),
  response: z.object({
    total: rates,
    /** In the order of names, starts or months; never by rate. */
    groups: z.array(
      rates.extend({
        /** The group; other fields are null. Without a detection the lane has no number, before the take-over no officer. */
        location: station.nullable(),
        laneNumber: z.int().nullable(),
        /** Its start: HH:MM, Polish time. */
        shift: z.string().nullable(),
        /** Its end; null also if no shift begins then any more. */
        shiftEnd: z.string().nullable(),
        /** 2026-10 */
        month: z.string().nullable(),
        officer: z.object({ id: z.int(), username: z.string() }).nullable(),
      }),
    ),
  }),
})

/** Why an announced inspection was not weighed; `open`: it may still be. */
export const unweighedReasons = ['passedBy', 'withdrawn', 'refused', 'scaleFailed', 'other', 'open'] as const
export type UnweighedReason = (typeof unweighedReasons)[number]

export const unweighed = endpoint({
  method: 'GET',
  path: '/inspections/figures/unweighed',
  access: 'Stat',
  summary: 'Returns how many announced inspections were not weighed, by reason',
  query: scope,
  response: z.object({
    passedBy: z.int(),
    withdrawn: z.int(),
    /** The driver refused the weighing. */
    refused: z.int(),
    scaleFailed: z.int(),
    /** Closed for another offence. */
    other: z.int(),
    open: z.int(),
  }),
})
export type UnweighedCounts = z.output<(typeof unweighed)['response']>

const ofCriteria = <T extends z.ZodType>(value: T) =>
  z.object({ gross: value, group: value, singleAxle: value, axleOfGroup: value })

/** Static loads left out of the sample, each by the first reason that applies. */
const leftOut = z.object({
  /** Of an inspection of another selection. */
  selection: z.int(),
  scaleNotValid: z.int(),
  notWeighed: z.int(),
  axlesDiffer: z.int(),
  groupsDiffer: z.int(),
  underMinimum: z.int(),
})

/** Differences in percent of the static load; null without, or with a single one. */
const differences = z.object({
  n: z.int(),
  mean: z.number().nullable(),
  s: z.number().nullable(),
  /** Pairs within 5 and 10 %. */
  within5: z.int(),
  within10: z.int(),
})

/** The sample, and whether its mean is biased: lorries are preselected because WIM read high. */
const sample = z.object({ selections: z.array(z.enum(selections)), isBiased: z.boolean() })

/** Vehicles on a page of pairs. */
export const MAX_PAIRS = 1_000

export const pairs = endpoint({
  method: 'GET',
  path: '/inspections/pairs',
  access: 'Stat',
  summary: 'Returns the differences of WIM against static by criterion, and the pairs of vehicles page by page',
  query: ofSelections.extend({
    /** `next` of the page before. */
    after: queryId.optional(),
    limit: queryInt.pipe(z.int().min(1).max(MAX_PAIRS)).default(100),
  }),
  response: sample.extend({
    differences: ofCriteria(differences),
    leftOut,
    /** Vehicles with pairs, newest first. */
    content: z.array(
      z.object({
        at: instant,
        location: station,
        laneNumber: z.int(),
        selection: z.enum(selections),
        /** Null without Inspections or InspectionReview, and for users of anonymised data. */
        inspection: z.object({ id: z.int(), number: z.string() }).nullable(),
        pairs: z.array(
          z.object({
            criterion: z.enum(['gross', 'group', 'singleAxle', 'axleOfGroup']),
            /** kg */
            wim: z.int(),
            static: z.int(),
          }),
        ),
      }),
    ),
    next: z.int().nullable(),
  }),
})

/** A class, or `E(30)`, `E(35)` … beyond the table. */
const earnedClass = z.union([z.enum(accuracyClasses), z.templateLiteral(['E(', z.int(), ')'])])

export const accuracy = endpoint({
  method: 'GET',
  path: '/inspections/accuracy',
  access: 'Stat',
  summary:
    'Returns the accuracy class that each lane has earned (COST 323, plan R2, in service) beside the configured one, with ' +
    'its certificate; lanes with trouble first',
  query: ofSelections,
  response: sample.extend({
    lanes: z.array(
      z.object({
        location: station,
        lane: z.object({ id: z.int(), laneNumber: z.int() }),
        configured: z.enum(accuracyClasses).nullable(),
        /** Null: not enough data. */
        earned: earnedClass.nullable(),
        /** Whether it is wider than the configured one. */
        isWorse: z.boolean(),
        /** I days, II weeks, III a year; null without pairs. */
        environment: z.enum(['I', 'II', 'III']).nullable(),
        /** Figures in percent, null without enough data. */
        criteria: ofCriteria(
          differences.extend({
            /** π for the tolerance of the configured class. */
            confidence: z.number().nullable(),
            /** π0 */
            required: z.number().nullable(),
            smallestTolerance: z.number().nullable(),
            earned: earnedClass.nullable(),
          }),
        ),
        leftOut,
        /** The certificate that holds now; null without. */
        certificate: z.object({ number: z.string(), validUntil: z.iso.date() }).nullable(),
        /** Last day without a gap, and days until then; the warning is also due when all have ended. */
        expiry: z.object({
          lastDay: z.iso.date().nullable(),
          days: z.int().nullable(),
          warning: z.enum(['ended', 'days7', 'days30', 'days90']).nullable(),
          /** With the warning `ended`: the last day with a certificate. */
          endedOn: z.iso.date().nullable(),
        }),
      }),
    ),
  }),
})

/** File types of the report: CSV and XLSX have every pair. */
export const figureReports = ['pdf', 'xlsx', 'csv'] as const

/** All lanes in the chart of the report. */
export const ALL_LANES = 0

export const figuresReport = endpoint({
  method: 'GET',
  path: '/inspections/figures/report',
  access: 'Stat',
  summary:
    'Creates a report of rates, differences with a chart, and accuracy classes (document), or of every pair (workbook or ' +
    'table); returns a link',
  query: ofSelections.extend({
    /** Of the chart: lane id, or 0 for all; default: the first lane with pairs. */
    lane: queryInt.pipe(z.int().min(0)).optional(),
    reportType: z.enum(figureReports).default('pdf'),
  }),
  response: reportLink,
  rate: 'report',
})
