import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import { escapeXml } from '@rogatka/domain/core/xml.ts'
import { type Column, inOneBatch, type RowBatches } from './table.ts'
import { aboutSheet, bodyRow, type CriteriaSheet, headerRow, textCell } from './xlsx.ts'
import { type NativeChart, nativeChart } from './xlsx-native-chart.ts'
import { columnName, properties, rootRelations, STYLE, sheetStart, styles } from './xlsx-parts.ts'
import { createYielder, inChunks } from './yielding.ts'
import { type ZipEntry, zip } from './zip.ts'

/** A sheet with a table under a frozen header, and its charts to the right: first the native one, then the image. */
export type ChartSheet<Row> = {
  /** Tab name, truncated if too long; or one of at most so many characters, to shorten another part of it. */
  name: string | ((length: number) => string)
  title: string
  subtitle: string
  /** A PNG as on the page, and its size on the sheet in px. */
  chart?: { bytes: Buffer; width: number; height: number }
  /** A chart of the spreadsheet program. */
  native?: NativeChart
  columns: readonly Column<Row>[]
  /** Number of frozen columns. */
  frozen: number
  /** Many of them as a stream. */
  rows: readonly Row[] | RowBatches<Row>
  /** Totals below all rows, excluded from sorting and filtering. */
  footer?: Row
}

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006'
const SHEET_ML = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** 1 px is 9,525 English metric units. */
const EMU = 9_525
/** Row of the headers, below title and subtitle; all three are frozen. */
const HEADER_ROW = 3

/**
 * A workbook with a sheet per chart, and the criteria on the last one. Sheets are requested one by one, so that only
 * one chart is in memory.
 */
export function xlsxCharts<Row>(about: CriteriaSheet, sheets: AsyncIterable<ChartSheet<Row>>): AsyncGenerator<Buffer> {
  async function* entries(): AsyncGenerator<ZipEntry> {
    const names: string[] = []
    const ranges: SheetRanges[] = []
    /** Numbers of the sheets with charts, and of those with a native one. */
    const drawn: number[] = []
    const native: number[] = []
    for await (const sheet of sheets) {
      names.push(tabName(sheet.name, names))
      const number = names.length
      const written = { rows: 0 }
      yield { name: `xl/worksheets/sheet${number}.xml`, content: sheetOf(sheet, number === 1, written) }
      ranges.push({ filter: filterOf(sheet, written.rows), printed: printedRange(sheet, written.rows) })
      if (sheet.chart) yield { name: `xl/media/image${number}.png`, content: [sheet.chart.bytes], isCompressed: true }
      if (hasDrawing(sheet)) {
        drawn.push(number)
        yield { name: `xl/drawings/drawing${number}.xml`, content: text(drawing(sheet)) }
        const targets: [string, string][] = [
          ...(sheet.native ? [['chart', `../charts/chart${number}.xml`] as [string, string]] : []),
          ...(sheet.chart ? [['image', `../media/image${number}.png`] as [string, string]] : []),
        ]
        yield { name: `xl/drawings/_rels/drawing${number}.xml.rels`, content: text(relations(targets)) }
        yield {
          name: `xl/worksheets/_rels/sheet${number}.xml.rels`,
          content: text(relations([['drawing', `../drawings/drawing${number}.xml`]])),
        }
      }
      if (sheet.native) {
        native.push(number)
        const rows = { header: HEADER_ROW, first: HEADER_ROW + 1, last: HEADER_ROW + written.rows }
        yield {
          name: `xl/charts/chart${number}.xml`,
          content: text(nativeChart(names.at(-1) ?? '', sheet.native, rows)),
        }
      }
    }
    names.push(tabName(about.sheet, names))
    yield { name: `xl/worksheets/sheet${names.length}.xml`, content: text(aboutSheet(about)) }
    yield { name: 'xl/styles.xml', content: text(styles()) }
    yield { name: 'xl/workbook.xml', content: text(workbook(names, ranges)) }
    yield {
      name: 'xl/_rels/workbook.xml.rels',
      content: text(
        relations([
          ...names.map((_, i): [string, string] => ['worksheet', `worksheets/sheet${i + 1}.xml`]),
          ['styles', 'styles.xml'],
        ]),
      ),
    }
    yield { name: 'docProps/core.xml', content: text(properties(about.title, about.by, about.at)) }
    yield { name: '_rels/.rels', content: text(rootRelations()) }
    yield { name: '[Content_Types].xml', content: text(contentTypes(names.length, { drawn, native })) }
  }
  return zip(entries(), about.at)
}

const text = (xml: string) => [Buffer.from(xml)]

const MAX_TAB_NAME = 31

/** A valid tab name: at most 31 characters, none forbidden, no apostrophe at its ends, unique case-insensitively. */
function tabName(name: ChartSheet<never>['name'], existing: readonly string[]): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` (${number})`
    const room = MAX_TAB_NAME - suffix.length
    const truncated = (typeof name === 'string' ? name : name(room)).trim().slice(0, room)
    const candidate = (truncated.replace(/[[\]:*?/\\]/g, ' ').replace(/^[' ]+|[' ]+$/g, '') || '–') + suffix
    if (!existing.some((other) => other.toLowerCase() === candidate.toLowerCase())) return candidate
  }
}

/** Header and all rows, without the totals. */
const filterOf = <Row>({ columns }: ChartSheet<Row>, rows: number) =>
  `$A$${HEADER_ROW}:$${columnName(columns.length - 1)}$${HEADER_ROW + rows}`

const hasDrawing = <Row>({ chart, native }: ChartSheet<Row>) => chart !== undefined || native !== undefined

/** Width of a column without a width of its own, and height of such a row, in px. */
const COLUMN_WIDTH = 64
const ROW_HEIGHT = 20

/** Rows that a chart covers, with an empty one below it. */
const rowsOfChart = (height: number) => Math.ceil(height / ROW_HEIGHT) + 1

/** Columns that a chart covers, with an empty one before it. */
const columnsOfChart = (width: number) => 1 + Math.ceil(width / COLUMN_WIDTH)

/** The table, and the first chart beside it; the image beside a native chart shows the same, and would be on another page. */
function printedRange<Row>(sheet: ChartSheet<Row>, rows: number): string {
  const { columns, footer } = sheet
  const { width, height } = chartSize(sheet)
  const chartColumns = hasDrawing(sheet) ? columnsOfChart(width) : 0
  const lastRow = HEADER_ROW + Math.max(rows + (footer === undefined ? 0 : 1), chartColumns && rowsOfChart(height))
  return `$A$1:$${columnName(columns.length + chartColumns - 1)}$${lastRow}`
}

/** The XML of a sheet; counts its rows in `written`. */
async function* sheetOf<Row>(
  sheet: ChartSheet<Row>,
  isFirst: boolean,
  written: { rows: number },
): AsyncGenerator<Buffer> {
  const { columns, frozen, footer } = sheet
  const maybeYield = createYielder()
  const widths = columns.map(({ width }) => width)
  const head = headerRow(
    columns.map(({ title }) => title),
    HEADER_ROW,
  )
  yield Buffer.from(
    `${sheetStart(widths, frozen, { rows: HEADER_ROW, isSelected: isFirst })}<row r="1" ht="24" customHeight="1">${textCell('A1', sheet.title, STYLE.title)}</row><row r="2">${textCell('A2', sheet.subtitle, STYLE.text)}</row>${head}`,
  )
  const format = (row: Row) => bodyRow(columns, row, HEADER_ROW + ++written.rows, 0)
  const batches = Symbol.asyncIterator in sheet.rows ? sheet.rows : inOneBatch(sheet.rows)
  for await (const batch of batches) yield* inChunks(batch, format, maybeYield)
  yield Buffer.from(
    `${footer === undefined ? '' : bodyRow(columns, footer, HEADER_ROW + 1 + written.rows, 0, STYLE.bold)}</sheetData><autoFilter ref="${filterOf(sheet, written.rows).replaceAll('$', '')}"/><pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>${hasDrawing(sheet) ? '<drawing r:id="rId1"/>' : ''}</worksheet>`,
  )
}

const relations = (list: readonly [kind: string, target: string][]): string =>
  `${XML_DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${list
    .map(([kind, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** Absolute ranges of a sheet. */
type SheetRanges = { filter: string; printed: string }

/** Sheets with their filter and print ranges; headers are repeated on every printed page. */
const workbook = (names: readonly string[], ranges: readonly SheetRanges[]): string =>
  `${XML_DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${names
    .map((name, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
    .join(
      '',
    )}</sheets>${ranges.length === 0 ? '' : `<definedNames>${definedNames(names, ranges)}</definedNames>`}</workbook>`

function definedNames(names: readonly string[], ranges: readonly SheetRanges[]): string {
  const quoted = (i: number) => escapeXml(`'${(names[i] ?? '').replaceAll("'", "''")}'`)
  const defined = (name: string, i: number, range: string, hidden = '') =>
    `<definedName name="_xlnm.${name}" localSheetId="${i}"${hidden}>${quoted(i)}!${range}</definedName>`
  return [
    ...ranges.map(({ filter }, i) => defined('_FilterDatabase', i, filter, ' hidden="1"')),
    ...ranges.map(({ printed }, i) => defined('Print_Area', i, printed)),
    ...ranges.map((_, i) => defined('Print_Titles', i, `$1:$${HEADER_ROW}`)),
  ].join('')
}

/** Numbers of the sheets with charts, and with native ones. */
type Charts = { drawn: readonly number[]; native: readonly number[] }

function contentTypes(sheets: number, { drawn, native }: Charts): string {
  const parts = Array.from({ length: sheets }, (_, i) => i + 1)
  const override = (name: string, type: string) => `<Override PartName="/xl/${name}" ContentType="${type}"/>`
  return `${XML_DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>${override('workbook.xml', `${SHEET_ML}.sheet.main+xml`)}${parts
    .map((number) => override(`worksheets/sheet${number}.xml`, `${SHEET_ML}.worksheet+xml`))
    .join('')}${drawn
    .map((number) =>
      override(`drawings/drawing${number}.xml`, 'application/vnd.openxmlformats-officedocument.drawing+xml'),
    )
    .join('')}${native
    .map((number) =>
      override(`charts/chart${number}.xml`, 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml'),
    )
    .join(
      '',
    )}${override('styles.xml', `${SHEET_ML}.styles+xml`)}<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`
}

/** px; of a sheet without an image that of the page. */
const chartSize = <Row>({ chart }: ChartSheet<Row>) => chart ?? { width: GRAPH_WIDTH, height: GRAPH_HEIGHT }

/** The charts to the right of the table, after an empty column, below the frozen rows. */
function drawing<Row>(sheet: ChartSheet<Row>): string {
  const { chart, title, columns, native } = sheet
  const { width, height } = chartSize(sheet)
  const name = escapeXml(title)
  const size = `cx="${width * EMU}" cy="${height * EMU}"`
  const frame = `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="${name}" descr="${escapeXml(native?.title ?? '')}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame>`
  const picture = `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="3" name="${name} (2)" descr="${name}"/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="${native ? 'rId2' : 'rId1'}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>`
  const anchors = [...(native ? [frame] : []), ...(chart ? [picture] : [])].map(
    (content, index) =>
      `<xdr:oneCellAnchor><xdr:from><xdr:col>${columns.length + 1 + index * columnsOfChart(width)}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${HEADER_ROW}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext ${size}/>${content}<xdr:clientData/></xdr:oneCellAnchor>`,
  )
  return `${XML_DECLARATION}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}">${anchors.join('')}</xdr:wsDr>`
}
