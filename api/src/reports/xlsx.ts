import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { escapeXml } from '@rogatka/domain/core/xml.ts'
import { warsawClock } from '../core/warsaw.ts'
import type { ReportContext } from './report.ts'
import type { ReportImage } from './report-image.ts'
import type { Cell, Column, RowBatches } from './table.ts'
import { reportTexts } from './texts.ts'
import {
  anchor,
  columnName,
  contentTypes,
  drawing,
  drawingRelations,
  properties,
  rootRelations,
  STYLE,
  sheetEnd,
  sheetRelations,
  sheetStart,
  styles,
  workbook,
  workbookRelations,
} from './xlsx-parts.ts'
import { createYielder, inChunks } from './yielding.ts'
import { type ZipEntry, zip } from './zip.ts'

/** The second sheet: title, criteria, author and time. */
export type CriteriaSheet = { title: string; sheet: string; lines: readonly [string, string][]; by: string; at: Date }

/** The sheet with the criteria of a report. */
export const criteriaSheet = (
  { language, printedBy, now }: Pick<ReportContext, 'language' | 'printedBy' | 'now'>,
  title: string,
  lines: readonly [string, string][],
): CriteriaSheet => ({ title, sheet: reportTexts(language).criteria, lines, by: printedBy, at: now })

type Workbook<Row> = {
  about: CriteriaSheet
  /** Tab name; at most 31 characters. */
  sheet: string
  columns: readonly Column<Row>[]
  /** Number of frozen columns. */
  frozen?: number
  /** Number of printed columns, to fit the page width; all by default. */
  printedColumns?: number
  rows: RowBatches<Row>
  /** A column of images before the others. */
  images?: { title: string; of: (row: Row) => (ReportImage & { name: string }) | null }
}

/** Maximum text length of an Excel cell. */
const MAX_TEXT = 32_767
/** Maximum image size in px, which sets row height and column width. */
const IMAGE = { width: 107, height: 60 }

/** A workbook with typed cells, frozen header, filter and widths, streamed row by row. */
export const xlsx = <Row>(book: Workbook<Row>): AsyncGenerator<Buffer> =>
  zip(book.images ? withImages(book, book.images) : withoutImages(book), book.about.at)

async function* withoutImages<Row>({
  about,
  sheet,
  columns,
  frozen = 0,
  printedColumns: printed,
  rows,
}: Workbook<Row>): AsyncGenerator<ZipEntry> {
  let last = 'A1'
  async function* content() {
    const maybeYield = createYielder()
    let row = 1
    yield Buffer.from(sheetStart(widthsOf(columns), frozen) + headerRow(columns.map(({ title }) => title)))
    for await (const batch of rows) yield* inChunks(batch, (item) => bodyRow(columns, item, ++row, 0), maybeYield)
    last = `${columnName(columns.length - 1)}${row}`
    yield Buffer.from(sheetEnd(last, false))
  }
  yield { name: 'xl/worksheets/sheet1.xml', content: content() }
  yield* otherParts({ about, sheet, last, anchors: null, printed })
}

/** Images are streamed; rows are buffered until then, as they are small. */
async function* withImages<Row>(
  { about, sheet, columns, frozen = 0, printedColumns: printed, rows }: Workbook<Row>,
  { title, of }: NonNullable<Workbook<Row>['images']>,
): AsyncGenerator<ZipEntry> {
  const parts = [
    sheetStart([16, ...widthsOf(columns)], frozen > 0 ? frozen + 1 : 0),
    headerRow([title, ...columns.map((item) => item.title)]),
  ]
  const anchors: string[] = []
  let row = 1
  for await (const batch of rows) {
    for (const item of batch) {
      row++
      parts.push(bodyRow(columns, item, row, 1))
      const image = of(item)
      if (!image) continue
      const scale = Math.min(IMAGE.width / image.width, IMAGE.height / image.height)
      const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)]
      anchors.push(anchor({ row: row - 1, width, height, name: image.name }, anchors.length + 1))
      yield { name: `xl/media/image${anchors.length}.jpeg`, content: [image.bytes], isCompressed: true }
    }
  }
  const last = `${columnName(columns.length)}${row}`
  parts.push(sheetEnd(last, anchors.length > 0))
  yield { name: 'xl/worksheets/sheet1.xml', content: parts.map((part) => Buffer.from(part)) }
  yield* otherParts({ about, sheet, last, anchors, printed: printed && printed + 1 })
}

type OtherParts = {
  about: CriteriaSheet
  sheet: string
  last: string
  anchors: string[] | null
  /** Number of columns, including that of the images. */
  printed: number | undefined
}

function* otherParts({ about, sheet, last, anchors, printed }: OtherParts): Generator<ZipEntry> {
  const hasDrawing = anchors !== null && anchors.length > 0
  const parts: Record<string, string> = {
    'xl/worksheets/sheet2.xml': aboutSheet(about),
    'xl/styles.xml': styles(),
    'xl/workbook.xml': workbook([sheet, about.sheet], last, printed ? columnName(printed - 1) : undefined),
    'xl/_rels/workbook.xml.rels': workbookRelations(),
    'docProps/core.xml': properties(about.title, about.by, about.at),
    '_rels/.rels': rootRelations(),
    '[Content_Types].xml': contentTypes(hasDrawing),
    ...(hasDrawing && {
      'xl/worksheets/_rels/sheet1.xml.rels': sheetRelations(),
      'xl/drawings/drawing1.xml': drawing(anchors),
      'xl/drawings/_rels/drawing1.xml.rels': drawingRelations(anchors.length),
    }),
  }
  for (const [name, text] of Object.entries(parts)) yield { name, content: [Buffer.from(text)] }
}

const widthsOf = (columns: readonly { width: number }[]) => columns.map(({ width }) => width)

export const headerRow = (titles: readonly string[], row = 1): string =>
  `<row r="${row}" ht="32" customHeight="1">${titles.map((title, i) => textCell(`${columnName(i)}${row}`, title, STYLE.head)).join('')}</row>`

/** Cell formats of text, and of numbers by decimals; of more decimals as many as a number has. */
type CellStyle = { text: number; number: readonly number[] }

const columnNames: string[] = Array.from({ length: 64 }, (_, index) => columnName(index))

export function bodyRow<Row>(
  columns: readonly Column<Row>[],
  row: Row,
  number: number,
  before: number,
  style: CellStyle = STYLE,
): string {
  const cells = columns.map(({ value, decimals = 0, isRed }, i) =>
    cellOf(
      `${columnNames[i + before] ?? columnName(i + before)}${number}`,
      value(row),
      decimals,
      isRed?.(row) ? STYLE.red : style,
    ),
  )
  // In points: 3/4 of px.
  const height = before ? ` ht="${((IMAGE.height + 6) * 3) / 4}" customHeight="1"` : ''
  return `<row r="${number}"${height}>${cells.join('')}</row>`
}

function cellOf(reference: string, cell: Cell, decimals: number, style: CellStyle): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return textCell(reference, cell, style.text)
  if (typeof cell === 'number')
    return `<c r="${reference}" s="${style.number[decimals] ?? style.text}"><v>${cell}</v></c>`
  return `<c r="${reference}" s="${STYLE.time}"><v>${serialDate(cell)}</v></c>`
}

export const textCell = (reference: string, text: string, style: number) =>
  `<c r="${reference}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeXml(text.slice(0, MAX_TEXT))}</t></is></c>`

/** Excel serial date: days since 30.12.1899, in Warsaw time. */
const serialDate = (at: Date) => warsawClock(at).getTime() / DAY_MS + 25_569

/** Characters of a line of the criteria, and its height in points. */
const ABOUT_WIDTH = 90
const ABOUT_LINE = 15

export function aboutSheet({ title, lines }: CriteriaSheet): string {
  const rows = lines.map(
    ([label, text], i) =>
      // Programs that do not fit the height of wrapped rows would draw them over each other.
      `<row r="${i + 3}" ht="${wrappedLines(text) * ABOUT_LINE}" customHeight="1">${textCell(`A${i + 3}`, label, STYLE.wrapped)}${textCell(`B${i + 3}`, text, STYLE.wrapped)}</row>`,
  )
  return `${sheetStart([32, ABOUT_WIDTH], null)}<row r="1" ht="24" customHeight="1">${textCell('A1', title, STYLE.title)}</row>${rows.join('')}${sheetEnd(null, false)}`
}

/** Lines of a text in the column of the criteria, at least; letters are wider than digits. */
const wrappedLines = (text: string): number =>
  text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil((line.length * 1.1) / ABOUT_WIDTH)), 0)
