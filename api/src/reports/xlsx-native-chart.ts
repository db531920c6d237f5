import { columnName } from './xlsx-parts.ts'
import { escapeXml } from './xml.ts'

const CHART = 'http://schemas.openxmlformats.org/drawingml/2006/chart'
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main'

/** A chart that the spreadsheet program draws of the table beside it: redrawn when a cell changes. */
export type NativeChart = {
  kind: 'bar' | 'line'
  /** Index of the column with the names of the rows. */
  categories: number
  /** Indexes of the columns with figures. */
  series: readonly number[]
}

/** Rows of the table, from 1: of the titles, and the first and last of the figures. */
type TableRows = { header: number; first: number; last: number }

/** The part of a chart of columns of this sheet (ECMA-376, DrawingML charts). */
export function nativeChart(sheet: string, { kind, categories, series }: NativeChart, rows: TableRows): string {
  const quoted = escapeXml(`'${sheet.replaceAll("'", "''")}'`)
  const cell = (column: number, row: number) => `$${columnName(column)}$${row}`
  const range = (column: number) => `${quoted}!${cell(column, rows.first)}:${cell(column, rows.last)}`
  const line = kind === 'line' ? '<c:marker><c:symbol val="none"/></c:marker>' : '<c:invertIfNegative val="0"/>'
  const items = series.map(
    (column, index) =>
      `<c:ser><c:idx val="${index}"/><c:order val="${index}"/><c:tx><c:strRef><c:f>${quoted}!${cell(column, rows.header)}</c:f></c:strRef></c:tx>${line}<c:cat><c:strRef><c:f>${range(categories)}</c:f></c:strRef></c:cat><c:val><c:numRef><c:f>${range(column)}</c:f></c:numRef></c:val></c:ser>`,
  )
  const axes = '<c:axId val="1"/><c:axId val="2"/>'
  const plot =
    kind === 'line'
      ? `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${items.join('')}<c:marker val="1"/>${axes}</c:lineChart>`
      : `<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>${items.join('')}<c:gapWidth val="50"/>${axes}</c:barChart>`
  const axis = (id: number, crossed: number, position: string, extra = '') =>
    `<c:axId val="${id}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="${position}"/>${extra}<c:crossAx val="${crossed}"/>`
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<c:chartSpace xmlns:c="${CHART}" xmlns:a="${DRAWING}"><c:chart><c:autoTitleDeleted val="1"/><c:plotArea><c:layout/>${plot}<c:catAx>${axis(1, 2, 'b')}</c:catAx><c:valAx>${axis(2, 1, 'l', '<c:majorGridlines/>')}</c:valAx></c:plotArea><c:legend><c:legendPos val="b"/></c:legend><c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>`
}
