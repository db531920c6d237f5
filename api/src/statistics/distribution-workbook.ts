import { weekdayNames } from '@rogatka/domain/core/calendar.ts'
import { themes } from '@rogatka/domain/core/chart/theme.ts'
import type { ChartSheet, Column, CriteriaSheet, ReportContext } from '../reports/public-api.ts'
import { xlsxCharts } from '../reports/public-api.ts'
import { type FigureName, isWeekdayPart, type Row } from './distribution-rows.ts'
import { statisticTexts } from './texts.ts'

/** Figures with a sheet and a chart of their own, by station; unit of their bins, or of the value without any. */
const CHARTS: readonly { figure: FigureName; unit: string; kind: 'bar' | 'line' }[] = [
  { figure: 'profile', unit: 'h', kind: 'line' },
  { figure: 'speed', unit: 'km/h', kind: 'bar' },
  { figure: 'headway', unit: 's', kind: 'bar' },
  { figure: 'headwayHeavy', unit: 's', kind: 'bar' },
  { figure: 'gross', unit: 't', kind: 'bar' },
  { figure: 'firstAxles', unit: 't', kind: 'bar' },
  { figure: 'singleAxles', unit: 't', kind: 'bar' },
  { figure: 'tandemAxles', unit: 't', kind: 'bar' },
  { figure: 'tridemAxles', unit: 't', kind: 'bar' },
  { figure: 'widerAxles', unit: 't', kind: 'bar' },
  { figure: 'n100', unit: 'axles', kind: 'bar' },
]

/** A row of a sheet with a chart: a bin, hour of a weekday or month with the values of all stations by id. */
type Bin = Pick<Row, 'part' | 'from' | 'to'> & { label: string; values: Map<number, number | null> }
/** A row of either kind of sheet. */
type SheetRow = { row: Row } | { bin: Bin }

/** A workbook with a list of all figures, and a sheet with a chart for each distribution, whose series are the stations. */
export function renderWorkbook(
  { language }: ReportContext,
  {
    about,
    columns,
    range,
    rows,
  }: { about: CriteriaSheet; columns: readonly Column<Row>[]; range: string; rows: readonly Row[] },
): AsyncGenerator<Buffer> {
  const texts = statisticTexts(language).traffic
  const weekdays = weekdayNames(language, 'long')
  const stations = [...new Map(rows.map(({ location }) => [location.id, location.shortName]))]
  const labelOf = ({ figure, part, from, to }: Row) => {
    const bin = from === null ? null : to === null ? `≥ ${from}` : `${from}–${to}`
    return [isWeekdayPart(figure) ? weekdays[Number(part) - 1] : part, bin].filter((one) => one !== null).join(' ')
  }

  function binsOf(figure: FigureName, unit: string): Bin[] {
    const bins = new Map<string, Bin>()
    for (const row of rows) {
      if (row.figure !== figure || (row.binUnit ?? row.unit) !== unit) continue
      const { part, from, to, location, value } = row
      const key = `${part} ${from}`
      const bin = bins.get(key) ?? { part, from, to, label: labelOf(row), values: new Map() }
      bin.values.set(location.id, value)
      bins.set(key, bin)
    }
    // Stations may have bins that others lack.
    return [...bins.values()].sort((a, b) => comparePart(a.part, b.part) || Number(a.from) - Number(b.from))
  }

  async function* sheets(): AsyncGenerator<ChartSheet<SheetRow>> {
    yield {
      name: texts.sheet,
      title: texts.title,
      subtitle: range,
      columns: columns.map(({ isRed: _, value, ...column }) => ({
        ...column,
        value: (row) => ('row' in row ? value(row.row) : null),
      })),
      frozen: 2,
      rows: rows.map((row) => ({ row })),
    }
    for (const { figure, unit, kind } of CHARTS) {
      const bins = binsOf(figure, unit)
      if (bins.length === 0) continue
      const column = (title: string, width: number, of: (bin: Bin) => string | number | null) => ({
        title,
        width,
        // As many decimals as a number has.
        decimals: 4,
        value: (row: SheetRow) => ('bin' in row ? of(row.bin) : null),
      })
      const hasBins = bins.some(({ from }) => from !== null)
      const before = [
        column(texts.columns.bin, 20, ({ label }) => label),
        ...(hasBins
          ? [
              column(`${texts.columns.from} [${unit}]`, 12, ({ from }) => from),
              column(`${texts.columns.to} [${unit}]`, 12, ({ to }) => to),
            ]
          : []),
      ]
      yield {
        name: texts.figures[figure],
        title: texts.figures[figure],
        subtitle: range,
        native: {
          kind,
          title: hasBins ? `${texts.figures[figure]} [${unit}]` : texts.figures[figure],
          categories: 0,
          series: stations.map((_, index) => ({
            column: before.length + index,
            color: themes.light.series[index % themes.light.series.length] ?? themes.light.accent,
          })),
        },
        columns: [
          ...before,
          ...stations.map(([id, shortName]) => column(shortName, 14, ({ values }) => values.get(id) ?? null)),
        ],
        frozen: 1,
        rows: bins.map((bin) => ({ bin })),
      }
    }
  }
  return xlsxCharts(about, sheets())
}

const comparePart = (a: Row['part'], b: Row['part']): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))
