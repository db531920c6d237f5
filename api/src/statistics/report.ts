import { type StatisticFilters, report as statisticsReport } from '@rogatka/contract/statistics.ts'
import { violations } from '@rogatka/contract/vehicle.ts'
import { warsawTime } from '../core/warsaw.ts'
import { type ReportContext, reportKind, reportTexts } from '../reports/public-api.ts'
import { computeStatistics } from './compute.ts'
import { rangeText } from './graph.ts'
import { renderPdf } from './report-pages.ts'
import { asTable } from './report-table.ts'
import { renderXlsx } from './report-workbook.ts'
import { resolutionName, statisticTexts } from './texts.ts'

/** The figures of statistics: a workbook or a document with charts, or a table of text. */
export const statisticsReportKind = reportKind({
  name: 'statistics',
  access: ['Stat'],
  query: statisticsReport.query,
  create: async (given, query) => {
    const answer = await computeStatistics(given.db, query)
    const stations = answer.tables.map(({ location }) => location.shortName)
    const asked = { ...given, filters: query, answer, criteria: criteriaOf(given, query, stations) }
    const content = { pdf: renderPdf, xlsx: renderXlsx, csv: asTable }[query.reportType](asked)
    return { name: `statistics.${query.reportType}`, content }
  },
})

/** What was asked for, and by whom and when the report was made. */
function criteriaOf(
  { language, printedBy, now }: ReportContext,
  filters: StatisticFilters,
  stations: readonly string[],
): [string, string][] {
  const words = statisticTexts(language)
  const kit = reportTexts(language)
  const all = words.report.every
  const list = (chosen: readonly string[] | undefined) => (chosen?.length ? chosen.join(', ') : all)
  const resolution = { unit: filters.statResolutionUnit, value: filters.statResolutionValue }
  const broken = violations.filter((violation) => filters[violation]).map((violation) => kit.violations[violation])
  return [
    [words.report.statistic, words.stats[filters.statName]],
    [words.report.division, words.divisions[filters.groupBy]],
    [words.report.resolution, resolutionName(resolution, language)],
    [words.report.range, rangeText(filters, language)],
    [words.report.locations, stations.join(', ')],
    [words.report.lanes, list(filters.laneNumbers?.map(String))],
    [words.report.categories, list(filters.ctg8p1?.map((category) => kit.categories[category]))],
    [words.report.violations, list(broken)],
    [kit['printed-by'], printedBy],
    [kit['printed-at'], warsawTime(now)],
  ]
}
