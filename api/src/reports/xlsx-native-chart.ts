import { escapeXml } from '@rogatka/domain/core/xml.ts'
import { columnName } from './xlsx-parts.ts'

const CHART = 'http://schemas.openxmlformats.org/drawingml/2006/chart'
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main'

/** A chart that the spreadsheet program draws of the table beside it: redrawn when a cell changes. */
export type NativeChart = {
  /** Stacked bars add up. */
  kind: 'bar' | 'stackedBar' | 'line'
  title: string
  /** Index of the column with the names of the rows. */
  categories: number
  /** Columns with figures, by index, with their colours as #RRGGBB. */
  series: readonly { column: number; color: string }[]
  /** The last row is on the left, as the newest is first in the table. */
  isReversed?: boolean
}

/** Rows of the table, from 1: of the titles, and the first and last of the figures. */
type TableRows = { header: number; first: number; last: number }

const LINE_WIDTH = 19_050
const HAIRLINE = 6_350
const GRID = '#d3d9db'
const EDGE = '#717e83'
const TEXT = '#434d52'

const fill = (color: string) => `<a:solidFill><a:srgbClr val="${color.slice(1).toUpperCase()}"/></a:solidFill>`
const stroke = (color: string, width: number) => `<a:ln w="${width}">${fill(color)}</a:ln>`
const shape = (content: string) => `<c:spPr>${content}</c:spPr>`
/** `size` in hundredths of a point. */
const fontOf = (tag: string, size: number, extra = '') => `<a:${tag} sz="${size}"${extra}>${fill(TEXT)}</a:${tag}>`
const textStyle = `<c:txPr><a:bodyPr/><a:p><a:pPr>${fontOf('defRPr', 900)}</a:pPr><a:endParaRPr/></a:p></c:txPr>`

/**
 * The part of a chart of columns of this sheet (ECMA-376, DrawingML charts). All colours are given: without a theme in the
 * workbook, LibreOffice draws those by default without lines.
 */
export function nativeChart(sheet: string, chart: NativeChart, rows: TableRows): string {
  const { kind, title, categories, series, isReversed = false } = chart
  const quoted = escapeXml(`'${sheet.replaceAll("'", "''")}'`)
  const cell = (column: number, row: number) => `$${columnName(column)}$${row}`
  const range = (column: number) => `${quoted}!${cell(column, rows.first)}:${cell(column, rows.last)}`
  const isLine = kind === 'line'
  const look = (color: string) =>
    isLine
      ? `${shape(stroke(color, LINE_WIDTH))}<c:marker><c:symbol val="circle"/><c:size val="4"/>${shape(fill(color) + stroke(color, HAIRLINE))}</c:marker>`
      : `${shape(fill(color))}<c:invertIfNegative val="0"/>`
  const items = series.map(
    ({ column, color }, index) =>
      `<c:ser><c:idx val="${index}"/><c:order val="${index}"/><c:tx><c:strRef><c:f>${quoted}!${cell(column, rows.header)}</c:f></c:strRef></c:tx>${look(color)}<c:cat><c:strRef><c:f>${range(categories)}</c:f></c:strRef></c:cat><c:val><c:numRef><c:f>${range(column)}</c:f></c:numRef></c:val>${isLine ? '<c:smooth val="0"/>' : ''}</c:ser>`,
  )
  const axes = '<c:axId val="1"/><c:axId val="2"/>'
  const isStacked = kind === 'stackedBar'
  const plot = isLine
    ? `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${items.join('')}<c:marker val="1"/>${axes}</c:lineChart>`
    : `<c:barChart><c:barDir val="col"/><c:grouping val="${isStacked ? 'stacked' : 'clustered'}"/><c:varyColors val="0"/>${items.join('')}<c:gapWidth val="30"/>${isStacked ? '<c:overlap val="100"/>' : ''}${axes}</c:barChart>`
  const axis = (
    id: number,
    crossed: number,
    position: string,
    { before = '', orientation = 'minMax', labels = 'low' } = {},
  ) =>
    `<c:axId val="${id}"/><c:scaling><c:orientation val="${orientation}"/></c:scaling><c:delete val="0"/><c:axPos val="${position}"/>${before}<c:numFmt formatCode="General" sourceLinked="1"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="${labels}"/>${shape(stroke(EDGE, HAIRLINE))}${textStyle}<c:crossAx val="${crossed}"/>`
  const grid = `<c:majorGridlines>${shape(stroke(GRID, HAIRLINE))}</c:majorGridlines>`
  const heading = `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr>${fontOf('defRPr', 1200, ' b="1"')}</a:pPr><a:r>${fontOf('rPr', 1200, ' b="1"')}<a:t>${escapeXml(title)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`
  // A reversed axis begins on the right: the values stay on the left by crossing at its end.
  const categoryAxis = axis(1, 2, 'b', { orientation: isReversed ? 'maxMin' : 'minMax' })
  const valueAxis = `${axis(2, 1, 'l', { before: grid, labels: 'nextTo' })}<c:crosses val="${isReversed ? 'max' : 'autoZero'}"/><c:crossBetween val="between"/>`
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<c:chartSpace xmlns:c="${CHART}" xmlns:a="${DRAWING}"><c:roundedCorners val="0"/><c:chart>${heading}<c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>${plot}<c:catAx>${categoryAxis}</c:catAx><c:valAx>${valueAxis}</c:valAx></c:plotArea><c:legend><c:legendPos val="b"/><c:overlay val="0"/>${textStyle}</c:legend><c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>${shape(fill('#ffffff') + stroke(GRID, HAIRLINE))}</c:chartSpace>`
}
