import type { Language } from '@rogatka/contract/languages.ts'
import { reportLimits } from '@rogatka/contract/reports.ts'
import { report, type Statistic, type StatisticFilters, stat, statistic } from '@rogatka/contract/statistics.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import { withSemaphore } from '../core/call-semaphore.ts'
import { type Database, SNAPSHOT } from '../core/database.ts'
import { encodeList } from '../core/encoded-json.ts'
import { refuseFields } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { withinStations } from '../core/station-scope.ts'
import { createReportLink } from '../reports/public-api.ts'
import { computeStatistics, hasSpeedLimit, planStatistics, type StatisticsResult } from './compute.ts'
import { statisticsChartPng } from './graph.ts'
import { statisticsReportKind } from './report.ts'
import { seriesName, statisticTexts } from './texts.ts'

/** Registers the routes of traffic statistics by location, period and series. */
export function statisticsRoutes(api: Api): void {
  route(api, stat, (asked) => {
    const call = { ...asked, query: withinStations(asked.session, asked.query) }
    return withSemaphore(call, async (signal) => {
      const work = (db: Database) => computeStatistics(db, call.query, call.now, signal)
      const result = await call.readDb.transaction(work, { mode: SNAPSHOT, signal })
      return encodeList(statistic, renderStatistics(result, call, signal), signal)
    })
  })

  route(api, report, async (call) => {
    const { query } = call
    // Validated now, not when the link is opened.
    const { starts, locations } = await planStatistics(call.db, query, call.now)
    const [count, limit] = [starts.length * locations.length, reportLimits[query.reportType]]
    if (count > limit) throw refuseFields(422, [{ path: null, code: 'report-too-large', params: { count, limit } }])
    return createReportLink(call, statisticsReportKind, query)
  })
}

/** The figures of each location, with a chart if requested. */
async function* renderStatistics(
  { resolution, starts, earlierRange, tables }: StatisticsResult,
  { query, language }: { query: StatisticFilters; language: Language },
  signal: AbortSignal,
): AsyncGenerator<Statistic> {
  const { groupBy, addLabel } = query
  const labels = starts.map((start) => (addLabel ? periodLabel(start, resolution.unit) : start.toISOString()))
  for (const locationTable of tables) {
    const { location, table, earlier, speedLimit } = locationTable
    const charted = { ...locationTable, starts, resolution }
    const graph = query.addGraph ? await statisticsChartPng(query, charted, language, { signal }) : null
    yield {
      location,
      graph: graph === null ? null : graph.toString('base64'),
      labelPeriods: statisticTexts(language).period,
      groups: table.groups.map(({ value, series, summary }) => ({
        value,
        labelSeriesValue: addLabel ? seriesName(groupBy, value, language) : value,
        series,
        summary,
      })),
      periods: starts.map((start, i) => ({
        start,
        label: labels[i] ?? '',
        summary: table.summaries[i] ?? null,
        ...(earlier && { earlier: earlier.summaries[i] ?? null }),
      })),
      summary: table.summary,
      ...(earlier && earlierRange && { earlier: { ...earlierRange, summary: earlier.summary } }),
      ...(hasSpeedLimit(query.statName) && { speedLimit }),
    }
  }
}
