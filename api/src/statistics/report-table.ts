import { decimalsOf, toDisplayUnit } from '@rogatka/domain/statistics/figures.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import { byNumber, type Table } from '@rogatka/domain/statistics/tabulate.ts'
import { type Column, csv } from '../reports/public-api.ts'
import type { StatisticsResult } from './compute.ts'
import type { ReportInput } from './report-workbook.ts'
import { seriesName, statisticTexts, sumName } from './texts.ts'

type Row = {
  station: string
  start: Date
  label: string
  figures: ReadonlyMap<string, number | null>
  summary: number | null
  earlier: number | null
}

/**
 * A CSV of all stations: a row per station and period, a column per series of any station, without totals. Empty where
 * a station lacks a series.
 */
export function renderCsv({ filters, result, language }: ReportInput): AsyncGenerator<Buffer> {
  const { statName, groupBy } = filters
  const texts = statisticTexts(language)
  const decimals = decimalsOf(statName)
  const figureColumn = (title: string, figureOf: (row: Row) => number | null | undefined): Column<Row> => ({
    title,
    width: 14,
    decimals,
    value: (row) => {
      const figure = figureOf(row)
      return figure == null ? null : toDisplayUnit(statName, figure)
    },
  })
  const columns: Column<Row>[] = [
    { title: texts.station, width: 24, value: ({ station }) => station },
    { title: texts.report.statistic, width: 24, value: () => texts.stats[statName] },
    { title: texts.start, width: 19, value: ({ start }) => start },
    { title: texts.period, width: 24, value: ({ label }) => label },
    ...allSeries(result, groupBy === 'lane').map((value) =>
      figureColumn(seriesName(groupBy, value, language), ({ figures }) => figures.get(value)),
    ),
    figureColumn(sumName(statName, language), ({ summary }) => summary),
    ...(filters.compare ? [figureColumn(texts.earlier, ({ earlier }) => earlier)] : []),
  ]
  return csv(columns, rowsOf(result), language)
}

/** The series of all stations; lanes sorted by number. */
function allSeries({ tables }: StatisticsResult, areNumbers: boolean): string[] {
  const values = [...new Set(tables.flatMap(({ table }) => table.groups.map(({ value }) => value)))]
  return areNumbers ? values.sort(byNumber) : values
}

async function* rowsOf({ tables, starts, resolution }: StatisticsResult): AsyncGenerator<Row[]> {
  const labels = starts.map((start) => periodLabel(start, resolution.unit))
  for (const { location, table, earlier } of tables) {
    yield starts.map((start, i) => ({
      station: `${location.shortName}, ${location.chainage}`,
      start,
      label: labels[i] ?? '',
      figures: figuresAt(table, i),
      summary: table.summaries[i] ?? null,
      earlier: earlier?.summaries[i] ?? null,
    }))
  }
}

const figuresAt = ({ groups }: Table, period: number) =>
  new Map(groups.map(({ value, series }) => [value, series[period] ?? null]))
