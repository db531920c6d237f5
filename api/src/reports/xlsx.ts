import { warsawClock } from '../core/warsaw.ts'
import type { ReportImage } from './report-image.ts'
import type { Cell, Column, RowBatches } from './table.ts'
import {
  anchor,
  columnName,
  contentTypes,
  drawing,
  drawingRelations,
  escaped,
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
import { createYielder } from './yielding.ts'
import { type ZipEntry, zip } from './zip.ts'

/** What stands on the second sheet: of what the first one is, and from whom. */
export type About = { title: string; sheet: string; lines: readonly [string, string][]; by: string; at: Date }

type Workbook<Row> = {
  about: About
  /** Its name; at most 31 characters. */
  sheet: string
  columns: readonly Column<Row>[]
  /** So many of them stay where they are while one scrolls to the right. */
  frozen?: number
  /** So many of them are printed, so that one page is wide enough; all, unless it is said. */
  printed?: number
  rows: RowBatches<Row>
  /** A column of pictures before the others. */
  pictures?: { title: string; of: (row: Row) => (ReportImage & { name: string }) | null }
}

/** What a cell of Excel holds at most. */
const MAX_TEXT = 32_767
/** px; a row of pictures is so high, its column so wide. */
const PICTURE = { width: 107, height: 60 }

/** A workbook with typed cells, a frozen head, a filter and widths, written as the rows come. */
export const xlsx = <Row>(book: Workbook<Row>): AsyncGenerator<Buffer> =>
  zip(book.pictures ? withPictures(book, book.pictures) : plain(book), book.about.at)

async function* plain<Row>({
  about,
  sheet,
  columns,
  frozen = 0,
  printed,
  rows,
}: Workbook<Row>): AsyncGenerator<ZipEntry> {
  let last = 'A1'
  async function* content() {
    const pace = createYielder()
    let row = 1
    yield Buffer.from(sheetStart(widthsOf(columns), frozen) + headerRow(columns.map(({ title }) => title)))
    for await (const batch of rows) {
      let text = ''
      for (const one of batch) text += bodyRow(columns, one, ++row, 0)
      yield Buffer.from(text)
      await pace()
    }
    last = `${columnName(columns.length - 1)}${row}`
    yield Buffer.from(sheetEnd(last, false))
  }
  yield { name: 'xl/worksheets/sheet1.xml', content: content() }
  yield* rest({ about, sheet, last, anchors: null, printed })
}

/** The pictures go as they come, so the rows wait: they are few and small beside them. */
async function* withPictures<Row>(
  { about, sheet, columns, frozen = 0, printed, rows }: Workbook<Row>,
  { title, of }: NonNullable<Workbook<Row>['pictures']>,
): AsyncGenerator<ZipEntry> {
  const parts = [
    sheetStart([16, ...widthsOf(columns)], frozen > 0 ? frozen + 1 : 0),
    headerRow([title, ...columns.map((one) => one.title)]),
  ]
  const anchors: string[] = []
  let row = 1
  for await (const batch of rows) {
    for (const one of batch) {
      row++
      parts.push(bodyRow(columns, one, row, 1))
      const picture = of(one)
      if (!picture) continue
      const scale = Math.min(PICTURE.width / picture.width, PICTURE.height / picture.height)
      const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
      anchors.push(anchor({ row: row - 1, width, height, name: picture.name }, anchors.length + 1))
      yield { name: `xl/media/image${anchors.length}.jpeg`, content: [picture.bytes], packed: true }
    }
  }
  const last = `${columnName(columns.length)}${row}`
  parts.push(sheetEnd(last, anchors.length > 0))
  yield { name: 'xl/worksheets/sheet1.xml', content: parts.map((part) => Buffer.from(part)) }
  yield* rest({ about, sheet, last, anchors, printed: printed && printed + 1 })
}

type Rest = {
  about: About
  sheet: string
  last: string
  anchors: string[] | null
  /** How many columns, with that of the pictures. */
  printed: number | undefined
}

function* rest({ about, sheet, last, anchors, printed }: Rest): Generator<ZipEntry> {
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

/** Cell formats of texts, and of numbers by their decimals. */
type CellStyle = { text: number; number: readonly number[] }

const names: string[] = Array.from({ length: 64 }, (_, index) => columnName(index))

export function bodyRow<Row>(
  columns: readonly Column<Row>[],
  row: Row,
  number: number,
  before: number,
  look: CellStyle = STYLE,
): string {
  const cells = columns.map(({ value, decimals = 0, isRed }, i) =>
    cellOf(
      `${names[i + before] ?? columnName(i + before)}${number}`,
      value(row),
      decimals,
      isRed?.(row) ? STYLE.red : look,
    ),
  )
  // In points: three quarters of the px.
  const height = before ? ` ht="${((PICTURE.height + 6) * 3) / 4}" customHeight="1"` : ''
  return `<row r="${number}"${height}>${cells.join('')}</row>`
}

function cellOf(place: string, cell: Cell, decimals: number, style: CellStyle): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return textCell(place, cell, style.text)
  if (typeof cell === 'number')
    return `<c r="${place}" s="${style.number[decimals] ?? style.number[0]}"><v>${cell}</v></c>`
  return `<c r="${place}" s="${STYLE.time}"><v>${serial(cell)}</v></c>`
}

export const textCell = (place: string, text: string, style: number) =>
  `<c r="${place}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${escaped(text.slice(0, MAX_TEXT))}</t></is></c>`

/** Days since 30.12.1899, which is how a spreadsheet counts, by the clock of Warsaw. */
const serial = (at: Date) => warsawClock(at).getTime() / 86_400_000 + 25_569

export function aboutSheet({ title, lines }: About): string {
  const rows = lines.map(
    ([label, text], i) =>
      `<row r="${i + 3}">${textCell(`A${i + 3}`, label, STYLE.wrapped)}${textCell(`B${i + 3}`, text, STYLE.wrapped)}</row>`,
  )
  return `${sheetStart([32, 90], null)}<row r="1" ht="24" customHeight="1">${textCell('A1', title, STYLE.title)}</row>${rows.join('')}${sheetEnd(null, false)}`
}
