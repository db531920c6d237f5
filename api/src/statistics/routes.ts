import { setImmediate } from 'node:timers/promises'
import { reportLimits } from '@rogatka/contract/reports.ts'
import { report, type Statistic, stat } from '@rogatka/contract/statistics.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import { refuseAll } from '../core/refusal.ts'
import { orderReport } from '../core/reports/links.ts'
import { type Api, route } from '../core/route.ts'
import { askStatistics, planStatistics } from './ask.ts'
import { graphOf } from './graph.ts'
import { statisticsReportKind } from './report.ts'
import { seriesName, statisticWords } from './wording.ts'

/** Opens the figures of traffic by location, period and series. */
export function statisticsRoutes(api: Api): void {
  route(api, stat, async ({ db, query, language }) => {
    const { groupBy, addLabel } = query
    const { resolution, starts, tables } = await askStatistics(db, query)
    const labels = starts.map((start) => (addLabel ? periodLabel(start, resolution.unit) : start.toISOString()))
    const statistics: Statistic[] = []
    for (const { location, table } of tables) {
      const graph = query.addGraph ? await graphOf(query, { location, table, starts, resolution }, language) : null
      statistics.push({
        location,
        graph: graph === null ? null : graph.toString('base64'),
        labelPeriods: statisticWords(language).period,
        groups: table.groups.map(({ value, series, summary }) => ({
          value,
          labelSeriesValue: addLabel ? seriesName(groupBy, value, language) : value,
          series,
          summary,
        })),
        periods: starts.map((start, i) => ({ start, label: labels[i] ?? '', summary: table.summaries[i] ?? null })),
        summary: table.summary,
      })
      // Who watches live vehicles waits for one chart at most.
      await setImmediate()
    }
    return statistics
  })

  route(api, report, async (call) => {
    const { query } = call
    // What is refused is refused now, not when the link is followed.
    const { starts, locations } = await planStatistics(call.db, query)
    const [count, limit] = [starts.length * locations.length, reportLimits[query.reportType]]
    if (count > limit) throw refuseAll(422, [{ path: null, code: 'report-too-large', params: { count, limit } }])
    return orderReport(call, statisticsReportKind, query)
  })
}
