import { decimalsOf, toDisplayUnit } from '@rogatka/domain/statistics/figures.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import { byNumber, type Table } from '@rogatka/domain/statistics/tabulate.ts'
import { type Column, csv } from '../reports/public-api.ts'
import type { Answer } from './compute.ts'
import type { ReportInput } from './report-workbook.ts'
import { seriesName, statisticTexts, sumName } from './texts.ts'

type Row = {
  station: string
  start: Date
  label: string
  figures: ReadonlyMap<string, number | null>
  summary: number | null
}

/**
 * One table of all stations for other programs: a row for each station and period, a column for each series of any
 * station, no sums of periods. A series that a station does not have is empty.
 */
export function asTable({ filters, answer, language }: ReportInput): AsyncGenerator<Buffer> {
  const { statName, groupBy } = filters
  const words = statisticTexts(language)
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
    { title: words.station, width: 24, value: ({ station }) => station },
    { title: words.report.statistic, width: 24, value: () => words.stats[statName] },
    { title: words.start, width: 19, value: ({ start }) => start },
    { title: words.period, width: 24, value: ({ label }) => label },
    ...seriesOfAll(answer, groupBy === 'lane').map((value) =>
      figureColumn(seriesName(groupBy, value, language), ({ figures }) => figures.get(value)),
    ),
    figureColumn(sumName(statName, language), ({ summary }) => summary),
  ]
  return csv(columns, rowsOf(answer), language)
}

/** The series of any station; lanes in the order of their numbers. */
function seriesOfAll({ tables }: Answer, areNumbers: boolean): string[] {
  const values = [...new Set(tables.flatMap(({ table }) => table.groups.map(({ value }) => value)))]
  return areNumbers ? values.sort(byNumber) : values
}

async function* rowsOf({ tables, starts, resolution }: Answer): AsyncGenerator<Row[]> {
  const labels = starts.map((start) => periodLabel(start, resolution.unit))
  for (const { location, table } of tables) {
    yield starts.map((start, i) => ({
      station: `${location.shortName}, ${location.chainage}`,
      start,
      label: labels[i] ?? '',
      figures: figuresAt(table, i),
      summary: table.summaries[i] ?? null,
    }))
  }
}

const figuresAt = ({ groups }: Table, period: number) =>
  new Map(groups.map(({ value, series }) => [value, series[period] ?? null]))
