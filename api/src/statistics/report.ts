import { type StatisticFilters, report as statisticsReport } from '@rogatka/contract/statistics.ts'
import { violations } from '@rogatka/contract/vehicle.ts'
import { readUnderSemaphore } from '../core/call-semaphore.ts'
import { warsawTime } from '../core/warsaw.ts'
import { type ReportContext, reportKind, reportTexts, timeClassCountryCriteria } from '../reports/public-api.ts'
import { computeStatistics, type StatisticsResult } from './compute.ts'
import { rangeText } from './graph.ts'
import { renderPdf } from './report-pages.ts'
import { renderCsv } from './report-table.ts'
import { renderXlsx } from './report-workbook.ts'
import { resolutionName, statisticTexts } from './texts.ts'

/** The statistics report as XLSX or PDF with charts, or as CSV. */
export const statisticsReportKind = reportKind({
  name: 'statistics',
  access: ['Stat'],
  query: statisticsReport.query,
  shows: () => null,
  create: async (context, query) => {
    const { now, signal } = context
    const result = await readUnderSemaphore(context, (db) => computeStatistics(db, query, now, signal), 'statistics')
    const stations = result.tables.map(({ location }) => location.shortName)
    const input = { ...context, filters: query, result, criteria: criteriaOf(context, query, result, stations) }
    const content = { pdf: renderPdf, xlsx: renderXlsx, csv: renderCsv }[query.reportType](input)
    return { name: `statistics.${query.reportType}`, content }
  },
})

/** The criteria, author and time of the report. */
function criteriaOf(
  { language, printedBy, now }: ReportContext,
  filters: StatisticFilters,
  { earlierRange }: StatisticsResult,
  stations: readonly string[],
): [string, string][] {
  const texts = statisticTexts(language)
  const sharedTexts = reportTexts(language)
  const all = texts.report.every
  const list = (selected: readonly string[] | undefined) => (selected?.length ? selected.join(', ') : all)
  const resolution = { unit: filters.statResolutionUnit, value: filters.statResolutionValue }
  const comparison = ({ start, end }: { start: Date; end: Date }): [string, string] => [
    texts.report.compare,
    rangeText({ dateTimeStart: start, dateTimeEnd: end }, language),
  ]
  const violationNames = violations
    .filter((violation) => filters[violation])
    .map((violation) => sharedTexts.violations[violation])
  return [
    [texts.report.statistic, texts.stats[filters.statName]],
    [texts.report.division, texts.divisions[filters.groupBy]],
    [texts.report.resolution, resolutionName(resolution, language)],
    [texts.report.range, rangeText(filters, language)],
    [texts.report.locations, stations.join(', ')],
    [texts.report.lanes, list(filters.laneNumbers?.map(String))],
    [texts.report.categories, list(filters.ctg8p1?.map((category) => sharedTexts.categories[category]))],
    [texts.report.violations, list(violationNames)],
    ...timeClassCountryCriteria(filters, language),
    ...(earlierRange ? [comparison(earlierRange)] : []),
    [sharedTexts['printed-by'], printedBy],
    [sharedTexts['printed-at'], warsawTime(now)],
  ]
}
