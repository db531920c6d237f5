import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { comparisons, divisions, graphTypes, resolutionUnits, statNames } from './options.ts'
import { reportLink } from './reports.ts'
import { categories, timeClassCountry, vehicleLocation, violationFlags } from './vehicle.ts'
import { instant, queryFlag, queryInt, queryInts, queryTexts, rangeEnd } from './wire.ts'

/** Maximum number of periods per location, and over all locations of a request. */
export const MAX_PERIODS = 20_000
export const MAX_PERIODS_TOGETHER = 150_000

export const statisticFilters = z.object({
  /** Start inclusive, end exclusive: [dateTimeStart, dateTimeEnd). */
  dateTimeStart: rangeEnd,
  dateTimeEnd: rangeEnd,
  locations: queryInts.pipe(z.array(z.int()).min(1, 'required-parameter-missing')),
  statResolutionUnit: z.enum(resolutionUnits),
  statResolutionValue: queryInt.pipe(z.int().min(1, 'resolution-too-small').max(1_000_000)),
  statName: z.enum(statNames, 'unknown-statistic').default('traffic'),
  groupBy: z.enum(divisions).default('lane'),
  graphType: z.enum(graphTypes).default('barPlot'),
  /** Whether to name periods and series in the caller's language instead of raw values. */
  addLabel: queryFlag.default(true),
  addGraph: queryFlag.default(true),
  ctg8p1: queryTexts.pipe(z.array(z.enum(categories))).optional(),
  laneNumbers: queryInts.optional(),
  ...violationFlags.shape,
  ...timeClassCountry.shape,
  /** Also returns the figures of an earlier period. */
  compare: z.enum(comparisons).optional(),
})
export type StatisticFilters = z.output<typeof statisticFilters>
export type WireStatisticFilters = z.input<typeof statisticFilters>

const figure = z.number().nullable()

export const statistic = z.object({
  location: vehicleLocation,
  /** PNG of 980 × 458 px in light colours, base64; null if not requested. */
  graph: z.string().nullable(),
  /** Header of the period column. */
  labelPeriods: z.string(),
  groups: z.array(
    z.object({
      /** Lane number, category, violation, or number of a range (docs/domain.md); 'unknown' without a speed. */
      value: z.string(),
      labelSeriesValue: z.string(),
      /** Value per period: 0 without vehicles, null if undefined, or if filters leave no hour of the period. */
      series: z.array(figure),
      /** Over the whole range. */
      summary: figure,
    }),
  ),
  periods: z.array(
    z.object({
      /** Each period ends at the start of the next, the last at dateTimeEnd. */
      start: instant,
      label: z.string(),
      /** All vehicles of the period, each once. */
      summary: figure,
      /** With `compare`: the same of the earlier period; null if there is no such hour. */
      earlier: figure.optional(),
    }),
  ),
  /** Over all series and the whole range. */
  summary: figure,
  /** With `compare`: the earlier range, and the figure over it. */
  earlier: z.object({ start: instant, end: instant, summary: figure }).optional(),
  /** With figures of speed: the limit of light vehicles, km/h. */
  speedLimit: figure.optional(),
})
export type Statistic = z.output<typeof statistic>
export type WireStatistic = z.input<typeof statistic>

export const stat = endpoint({
  method: 'GET',
  path: '/statistics/stat-1',
  access: 'Stat',
  system: true,
  summary: 'Returns figures by location, period and series, with a chart per location',
  query: statisticFilters,
  response: z.array(statistic),
})

/** File types of statistics reports: workbook with charts, text table, document. */
export const statisticReports = ['xlsx', 'csv', 'pdf'] as const

export const report = endpoint({
  method: 'GET',
  path: '/statistics/report-1',
  access: 'Stat',
  summary:
    'Creates a report of the same figures (workbook with charts, table, or document with charts); returns a link',
  query: statisticFilters.extend({ reportType: z.enum(statisticReports).default('xlsx') }),
  response: reportLink,
  rate: 'report',
})
