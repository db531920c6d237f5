import type { Column } from './table.ts'
import { type About, aboutSheet, bodyRow, headerRow, textCell } from './xlsx.ts'
import { type NativeChart, nativeChart } from './xlsx-native-chart.ts'
import { columnName, properties, rootRelations, STYLE, sheetStart, styles } from './xlsx-parts.ts'
import { escapeXml } from './xml.ts'
import { createYielder } from './yielding.ts'
import { type ZipEntry, zip } from './zip.ts'

/** A sheet with a table under a frozen header, and a chart to its right. */
export type ChartSheet<Row> = {
  /** Tab name, truncated if too long. */
  name: string
  title: string
  subtitle: string
  /** A PNG, and its size on the sheet in px. */
  chart: { bytes: Buffer; width: number; height: number }
  /** Below it the same as a chart of the spreadsheet program. */
  native?: NativeChart
  columns: readonly Column<Row>[]
  /** Number of frozen columns. */
  frozen: number
  rows: readonly Row[]
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
const BATCH_SIZE = 500

/**
 * A workbook with a sheet per chart, and the criteria on the last one. Sheets are requested one by one, so that only
 * one chart is in memory.
 */
export function xlsxCharts<Row>(about: About, sheets: AsyncIterable<ChartSheet<Row>>): AsyncGenerator<Buffer> {
  async function* entries(): AsyncGenerator<ZipEntry> {
    const names: string[] = []
    const filters: string[] = []
    /** Numbers of the sheets with a native chart. */
    const native: number[] = []
    for await (const sheet of sheets) {
      names.push(tabName(sheet.name, names))
      filters.push(filterOf(sheet))
      const number = names.length
      yield { name: `xl/media/image${number}.png`, content: [sheet.chart.bytes], isCompressed: true }
      yield { name: `xl/drawings/drawing${number}.xml`, content: text(drawing(sheet)) }
      yield {
        name: `xl/drawings/_rels/drawing${number}.xml.rels`,
        content: text(
          relations([
            ['image', `../media/image${number}.png`],
            ...(sheet.native ? [['chart', `../charts/chart${number}.xml`] as [string, string]] : []),
          ]),
        ),
      }
      if (sheet.native) {
        native.push(number)
        const rows = { header: HEADER_ROW, first: HEADER_ROW + 1, last: HEADER_ROW + sheet.rows.length }
        yield {
          name: `xl/charts/chart${number}.xml`,
          content: text(nativeChart(names.at(-1) ?? '', sheet.native, rows)),
        }
      }
      yield {
        name: `xl/worksheets/_rels/sheet${number}.xml.rels`,
        content: text(relations([['drawing', `../drawings/drawing${number}.xml`]])),
      }
      yield { name: `xl/worksheets/sheet${number}.xml`, content: sheetOf(sheet, number === 1) }
    }
    names.push(tabName(about.sheet, names))
    yield { name: `xl/worksheets/sheet${names.length}.xml`, content: text(aboutSheet(about)) }
    yield { name: 'xl/styles.xml', content: text(styles()) }
    yield { name: 'xl/workbook.xml', content: text(workbook(names, filters)) }
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
    yield { name: '[Content_Types].xml', content: text(contentTypes(names.length, native)) }
  }
  return zip(entries(), about.at)
}

const text = (xml: string) => [Buffer.from(xml)]

/** A valid tab name: at most 31 characters, none forbidden, unique case-insensitively. */
function tabName(name: string, existing: readonly string[]): string {
  const cleaned =
    name
      .replace(/[[\]:*?/\\]/g, ' ')
      .replace(/^'|'$/g, ' ')
      .trim() || '–'
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` (${number})`
    const candidate = cleaned.slice(0, 31 - suffix.length) + suffix
    if (!existing.some((other) => other.toLowerCase() === candidate.toLowerCase())) return candidate
  }
}

/** Header and all rows, without the totals. */
const filterOf = <Row>({ columns, rows }: ChartSheet<Row>) =>
  `$A$${HEADER_ROW}:$${columnName(columns.length - 1)}$${HEADER_ROW + rows.length}`

async function* sheetOf<Row>(sheet: ChartSheet<Row>, isFirst: boolean): AsyncGenerator<Buffer> {
  const { columns, frozen, rows, footer } = sheet
  const maybeYield = createYielder()
  const widths = columns.map(({ width }) => width)
  const head = headerRow(
    columns.map(({ title }) => title),
    HEADER_ROW,
  )
  yield Buffer.from(
    `${sheetStart(widths, frozen, { rows: HEADER_ROW, isSelected: isFirst })}<row r="1" ht="24" customHeight="1">${textCell('A1', sheet.title, STYLE.title)}</row><row r="2">${textCell('A2', sheet.subtitle, STYLE.text)}</row>${head}`,
  )
  for (let at = 0; at < rows.length; at += BATCH_SIZE) {
    const batch = rows.slice(at, at + BATCH_SIZE)
    yield Buffer.from(batch.map((row, i) => bodyRow(columns, row, HEADER_ROW + 1 + at + i, 0)).join(''))
    await maybeYield()
  }
  yield Buffer.from(
    `${footer === undefined ? '' : bodyRow(columns, footer, HEADER_ROW + 1 + rows.length, 0, STYLE.bold)}</sheetData><autoFilter ref="${filterOf(sheet).replaceAll('$', '')}"/><pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/><drawing r:id="rId1"/></worksheet>`,
  )
}

const relations = (list: readonly [kind: string, target: string][]): string =>
  `${XML_DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${list
    .map(([kind, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** Sheets with their filter ranges; headers are repeated on every printed page. */
const workbook = (names: readonly string[], filters: readonly string[]): string =>
  `${XML_DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${names
    .map((name, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
    .join(
      '',
    )}</sheets>${filters.length === 0 ? '' : `<definedNames>${definedNames(names, filters)}</definedNames>`}</workbook>`

function definedNames(names: readonly string[], filters: readonly string[]): string {
  const quoted = (i: number) => escapeXml(`'${(names[i] ?? '').replaceAll("'", "''")}'`)
  const defined = (name: string, i: number, range: string, hidden = '') =>
    `<definedName name="_xlnm.${name}" localSheetId="${i}"${hidden}>${quoted(i)}!${range}</definedName>`
  return [
    ...filters.map((range, i) => defined('_FilterDatabase', i, range, ' hidden="1"')),
    ...filters.map((_, i) => defined('Print_Titles', i, `$1:$${HEADER_ROW}`)),
  ].join('')
}

/** Every sheet but the last has a drawing. */
function contentTypes(sheets: number, native: readonly number[]): string {
  const parts = Array.from({ length: sheets }, (_, i) => i + 1)
  const override = (name: string, type: string) => `<Override PartName="/xl/${name}" ContentType="${type}"/>`
  return `${XML_DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>${override('workbook.xml', `${SHEET_ML}.sheet.main+xml`)}${parts
    .map((number) => override(`worksheets/sheet${number}.xml`, `${SHEET_ML}.worksheet+xml`))
    .join('')}${parts
    .slice(0, -1)
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

/** Height of a row without a height of its own, in px. */
const ROW_HEIGHT = 20

/** The chart in full size to the right of the table, after an empty column, below the frozen rows; below it the native one. */
function drawing<Row>({ chart: { width, height }, title, columns, native }: ChartSheet<Row>): string {
  const name = escapeXml(title)
  const size = `cx="${width * EMU}" cy="${height * EMU}"`
  const anchor = (row: number, content: string) =>
    `<xdr:oneCellAnchor><xdr:from><xdr:col>${columns.length + 1}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext ${size}/>${content}<xdr:clientData/></xdr:oneCellAnchor>`
  const picture = `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="${name}" descr="${name}"/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId1"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>`
  const frame = `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="3" name="${name} (2)" descr="${name}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" r:id="rId2"/></a:graphicData></a:graphic></xdr:graphicFrame>`
  const below = HEADER_ROW + Math.ceil(height / ROW_HEIGHT) + 1
  return `${XML_DECLARATION}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}">${anchor(HEADER_ROW, picture)}${native ? anchor(below, frame) : ''}</xdr:wsDr>`
}
