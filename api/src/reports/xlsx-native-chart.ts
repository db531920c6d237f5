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
  series: readonly NativeSeries[]
  /** The last row is on the left, as the newest is first in the table. */
  isReversed?: boolean
}

type NativeSeries = {
  column: number
  color: string
  /** A dashed line, also over bars: of something to compare with. */
  isReference?: boolean
  /** Indices of rows that a line does not connect with the row before, and of rows with a rhomb. */
  breaks?: readonly number[]
  marks?: readonly number[]
  /** Indices of rows that no line reaches, which have a point also where the others have none. */
  isolated?: readonly number[]
}

/** Rows of the table, from 1: of the titles, and the first and last of the figures. */
type TableRows = { header: number; first: number; last: number }

const LINE_WIDTH = 19_050
/** Lines of more rows have no points, unless more rows than this are isolated: then all have one. */
const MAX_POINTS = 120
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

const NO_POINT = '<c:marker><c:symbol val="none"/></c:marker>'
const point = (symbol: string, size: number, color: string) =>
  `<c:marker><c:symbol val="${symbol}"/><c:size val="${size}"/>${shape(fill(color) + stroke(color, HAIRLINE))}</c:marker>`

/** XML of a line, its points, and the points that differ. */
function lineMarkup(series: NativeSeries, isSparse: boolean): string {
  const { color, isReference, breaks = [], marks = [], isolated = [] } = series
  const dash = isReference ? '<a:prstDash val="dash"/>' : ''
  const line = shape(`<a:ln w="${LINE_WIDTH}">${fill(color)}${dash}</a:ln>`)
  const dot = point('circle', 4, color)
  const hasPoints = (isSparse && !isReference) || isolated.length > MAX_POINTS
  const points = hasPoints ? dot : NO_POINT
  const pointOf = (row: number) =>
    marks.includes(row) ? point('diamond', 9, color) : isolated.includes(row) ? dot : points
  const rows = new Set([...breaks, ...marks, ...(hasPoints ? [] : isolated)])
  const differ = [...rows]
    .toSorted((a, b) => a - b)
    .map(
      (row) =>
        `<c:dPt><c:idx val="${row}"/>${pointOf(row)}<c:bubble3D val="0"/>${breaks.includes(row) ? shape('<a:ln><a:noFill/></a:ln>') : line}</c:dPt>`,
    )
  return `${line}${points}${differ.join('')}`
}

/**
 * The part of a chart of columns of this sheet (ECMA-376, DrawingML charts). All colours are given: without a theme in the
 * workbook, LibreOffice draws those by default without lines.
 */
export function nativeChart(sheet: string, chart: NativeChart, rows: TableRows): string {
  const { kind, title, categories, series, isReversed = false } = chart
  const quoted = escapeXml(`'${sheet.replaceAll("'", "''")}'`)
  const cell = (column: number, row: number) => `$${columnName(column)}$${row}`
  const range = (column: number) => `${quoted}!${cell(column, rows.first)}:${cell(column, rows.last)}`
  const isSparse = rows.last - rows.first < MAX_POINTS
  const shapes = series.map((one) => ({ ...one, isLine: kind === 'line' || one.isReference === true }))
  const items = (isLine: boolean) =>
    shapes
      .map((one, index) =>
        one.isLine === isLine
          ? `<c:ser><c:idx val="${index}"/><c:order val="${index}"/><c:tx><c:strRef><c:f>${quoted}!${cell(one.column, rows.header)}</c:f></c:strRef></c:tx>${isLine ? lineMarkup(one, isSparse) : `${shape(fill(one.color))}<c:invertIfNegative val="0"/>`}<c:cat><c:strRef><c:f>${range(categories)}</c:f></c:strRef></c:cat><c:val><c:numRef><c:f>${range(one.column)}</c:f></c:numRef></c:val>${isLine ? '<c:smooth val="0"/>' : ''}</c:ser>`
          : '',
      )
      .join('')
  const axes = '<c:axId val="1"/><c:axId val="2"/>'
  const isStacked = kind === 'stackedBar'
  const bars = `<c:barChart><c:barDir val="col"/><c:grouping val="${isStacked ? 'stacked' : 'clustered'}"/><c:varyColors val="0"/>${items(false)}<c:gapWidth val="30"/>${isStacked ? '<c:overlap val="100"/>' : ''}${axes}</c:barChart>`
  const lines = `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${items(true)}<c:marker val="1"/>${axes}</c:lineChart>`
  // A plot area needs a chart, also without series.
  const hasLines = kind === 'line' || shapes.some(({ isLine }) => isLine)
  const plot = `${kind === 'line' ? '' : bars}${hasLines ? lines : ''}`
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
