import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import type { StatisticFilters } from '@rogatka/contract/statistics.ts'
import { decimalsOf, toDisplayUnit } from '@rogatka/domain/statistics/figures.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import { type ChartSheet, type Column, criteriaSheet, type ReportContext, xlsxCharts } from '../reports/public-api.ts'
import type { Answer } from './compute.ts'
import { rangeText, statisticsChartPng, statisticTitle } from './graph.ts'
import { seriesName, statisticTexts, sumName } from './texts.ts'

/** What a report is made from. */
export type ReportInput = ReportContext & {
  filters: StatisticFilters
  answer: Answer
  criteria: readonly [string, string][]
}

/** Charts are printed, so they have more pixels than they take on the sheet. */
export const PRINT_SCALE = 2

/** A row of the table; the foot stands for the whole range and has no start. */
type Row = { start: Date | null; label: string; figures: readonly (number | null)[]; summary: number | null }

/** A sheet for each location: its table, and its chart to the right. */
export function renderXlsx(input: ReportInput): AsyncGenerator<Buffer> {
  const { filters, answer, criteria, language } = input
  const words = statisticTexts(language)
  const { starts, resolution, tables } = answer
  const decimals = decimalsOf(filters.statName)
  const read = (figure: number | null | undefined) => (figure == null ? null : toDisplayUnit(filters.statName, figure))

  async function* sheets(): AsyncGenerator<ChartSheet<Row>> {
    for (const { location, table } of tables) {
      const { groups, summaries, summary } = table
      const figureColumns = groups.map(
        ({ value }, index): Column<Row> => ({
          title: seriesName(filters.groupBy, value, language),
          width: 14,
          decimals,
          value: ({ figures }) => read(figures[index]),
        }),
      )
      yield {
        name: location.shortName,
        title: `${location.shortName}, ${location.chainage}`,
        subtitle: `${statisticTitle(filters, resolution, language)}; ${rangeText(filters, language)}`,
        chart: {
          bytes: await statisticsChartPng(filters, { location, table, starts, resolution }, language, {
            scale: PRINT_SCALE,
          }),
          width: GRAPH_WIDTH,
          height: GRAPH_HEIGHT,
        },
        columns: [
          { title: words.start, width: 20, value: ({ start }) => start },
          { title: words.period, width: 22, value: ({ label }) => label },
          ...figureColumns,
          { title: sumName(filters.statName, language), width: 14, decimals, value: (row) => read(row.summary) },
        ],
        // When, and how it is called: only the name tells the hours apart that come twice.
        frozen: 2,
        rows: starts.map((start, i) => ({
          start,
          label: periodLabel(start, resolution.unit),
          figures: groups.map(({ series }) => series[i] ?? null),
          summary: summaries[i] ?? null,
        })),
        footer: { start: null, label: words.all, figures: groups.map((group) => group.summary), summary },
      }
    }
  }
  return xlsxCharts(criteriaSheet(input, words.report.title, criteria), sheets())
}
