import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import type { StatisticFilters } from '@rogatka/contract/statistics.ts'
import { themes } from '@rogatka/domain/core/chart/theme.ts'
import { drawnGraphType } from '@rogatka/domain/statistics/chart.ts'
import { colourOf } from '@rogatka/domain/statistics/colours.ts'
import { decimalsOf, isolatedRows, toDisplayUnit } from '@rogatka/domain/statistics/figures.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import { isStacked } from '@rogatka/domain/statistics/seriesOptions.ts'
import { type ChartSheet, type Column, criteriaSheet, type ReportContext, xlsxCharts } from '../reports/public-api.ts'
import type { StatisticsResult } from './compute.ts'
import { rangeText, statisticsChartPng, statisticTitle } from './graph.ts'
import { seriesName, statisticTexts, sumName } from './texts.ts'

/** The input of a report. */
export type ReportInput = ReportContext & {
  filters: StatisticFilters
  result: StatisticsResult
  criteria: readonly [string, string][]
}

/** Charts have more pixels than on the sheet, for print. */
export const PRINT_SCALE = 2

/** A table row; the footer covers the whole range and has no start. */
type Row = {
  start: Date | null
  label: string
  figures: readonly (number | null)[]
  summary: number | null
  earlier: number | null
}

/** A series to compare with. */
const reference = (column: number, color: string, figures: readonly (number | null)[]) => ({
  column,
  color,
  isReference: true,
  isolated: isolatedRows(figures),
})

/** An XLSX with one sheet per location: its table, and its chart on the right. */
export function renderXlsx(input: ReportInput): AsyncGenerator<Buffer> {
  const { filters, result, criteria, language } = input
  const texts = statisticTexts(language)
  const { starts, resolution, tables } = result
  const decimals = decimalsOf(filters.statName)
  const displayValue = (figure: number | null | undefined) =>
    figure == null ? null : toDisplayUnit(filters.statName, figure)

  async function* sheets(): AsyncGenerator<ChartSheet<Row>> {
    for (const locationTable of tables) {
      const { location, table, earlier, speedLimit } = locationTable
      const limitText = speedLimit !== null && statisticTexts.format(language, 'limit', { limit: String(speedLimit) })
      const { groups, summaries, summary } = table
      const graphType = drawnGraphType(filters, groups.length, starts.length)
      // After start, name, series and sum.
      const [earlierColumn, limitColumn] = [groups.length + 3, groups.length + (earlier ? 4 : 3)]
      const { text, text3 } = themes.light
      const limits = starts.map(() => speedLimit)
      const figureColumns = groups.map(
        ({ value }, index): Column<Row> => ({
          title: seriesName(filters.groupBy, value, language),
          width: 14,
          decimals,
          value: ({ figures }) => displayValue(figures[index]),
        }),
      )
      yield {
        name: location.shortName,
        title: `${location.shortName}, ${location.chainage}`,
        subtitle: `${statisticTitle(filters, resolution, language)}; ${rangeText(filters, language)}`,
        chart: {
          bytes: await statisticsChartPng(filters, { ...locationTable, starts, resolution }, language, {
            scale: PRINT_SCALE,
          }),
          width: GRAPH_WIDTH,
          height: GRAPH_HEIGHT,
        },
        // Names of periods, and a column for each series.
        native: {
          kind: graphType === 'linePlot' ? 'line' : isStacked(filters) ? 'stackedBar' : 'bar',
          title: `${location.shortName}: ${statisticTitle(filters, resolution, language)}`,
          categories: 1,
          series: [
            ...groups.map(({ value, series }, index) => ({
              column: index + 2,
              color: colourOf(filters.groupBy, value, index, themes.light),
              isolated: isolatedRows(series),
            })),
            ...(earlier ? [reference(earlierColumn, text, earlier.summaries)] : []),
            ...(limitText ? [reference(limitColumn, text3, limits)] : []),
          ],
        },
        columns: [
          { title: texts.start, width: 20, value: ({ start }) => start },
          { title: texts.period, width: 22, value: ({ label }) => label },
          ...figureColumns,
          {
            title: sumName(filters.statName, language),
            width: 14,
            decimals,
            value: (row) => displayValue(row.summary),
          },
          ...(earlier
            ? [{ title: texts.earlier, width: 14, decimals, value: (row: Row) => displayValue(row.earlier) }]
            : []),
          // The same in all periods, for the line of the chart.
          ...(limitText
            ? [{ title: limitText, width: 14, decimals: 0, value: ({ start }: Row) => (start ? speedLimit : null) }]
            : []),
        ],
        // Start and period name: only the name distinguishes the repeated hour at the end of summer time.
        frozen: 2,
        rows: starts.map((start, i) => ({
          start,
          label: periodLabel(start, resolution.unit),
          figures: groups.map(({ series }) => series[i] ?? null),
          summary: summaries[i] ?? null,
          earlier: earlier?.summaries[i] ?? null,
        })),
        footer: {
          start: null,
          label: texts.all,
          figures: groups.map((group) => group.summary),
          summary,
          earlier: earlier?.summary ?? null,
        },
      }
    }
  }
  return xlsxCharts(criteriaSheet(input, texts.report.title, criteria), sheets())
}
