import { SIGNATURES_HEIGHT } from '@rogatka/domain/core/listDocument.ts'
import { createPdfDocument, INK, MARGIN, type PdfDocument, type PdfOptions } from './pdf-document.ts'
import { createPlatePainter, type PlatePainter } from './plate.ts'
import type { RowBatches } from './table.ts'
import { reportTexts } from './texts.ts'
import { createYielder } from './yielding.ts'

/** The box of a cell; `base` is the baseline of its text. */
export type Box = { x: number; y: number; width: number; height: number; base: number }

export type PageColumn<Row> = {
  title: string
  /** Share of the page width. */
  width: number
  align?: 'left' | 'right'
  draw: (row: Row, box: Box, tools: DrawTools, number: number) => void
}

export type DrawTools = { pdf: PdfDocument; plates: PlatePainter }

type TableContent<Row> = {
  title: string
  criteria: readonly [string, string][]
  columns: readonly PageColumn<Row>[]
  rows: RowBatches<Row>
  /** In points; a function for rows of different heights, given the column widths. */
  rowHeight?: number | ((row: Row, widths: readonly number[], tools: DrawTools) => number)
  /** y of the table on the first page, instead of below the criteria, which are left out. */
  top?: number
  /** Called before rows are drawn, such as to load flags. */
  prepare?: (rows: readonly Row[], tools: DrawTools) => Promise<void>
  /** Called after the last row. */
  summary: () => readonly [string, string][]
  /** Legend of colours and abbreviations, below the summary. */
  legend?: readonly [string, string][]
  /** Signature lines below the summary, side by side. */
  signatures?: readonly string[]
}

/** A further table of a document, on pages of its own. */
export type Annex = (tools: DrawTools, texts: TableTexts) => AsyncGenerator<Buffer>

export type PageTable<Row> = Omit<PdfOptions, 'title'> & TableContent<Row> & { annexes?: readonly Annex[] }

type TableTexts = ReturnType<typeof reportTexts>

const TITLE = { size: 17, space: 30 }
const HEADER_HEIGHT = 26
const CELL_GAP = 6
/** From the top of a multi-line row to its first baseline. */
export const FIRST_BASELINE = 12

/** A PDF with one long table: header on every page, criteria on the first, summary on the last; then its annexes. */
export async function* pdfTable<Row>(table: PageTable<Row>): AsyncGenerator<Buffer> {
  const texts = reportTexts(table.language)
  const pdf = await createPdfDocument({ ...table, landscape: true })
  const tools = { pdf, plates: createPlatePainter(pdf, texts['unreadable-plate']) }
  const origin: [string, string][] = [
    [texts.issuer, table.issuer],
    ...(table.number ? [[texts['report-number'], table.number] as [string, string]] : []),
  ]
  // A table at a fixed position has no criteria above it: issuer and number are in the footers.
  const criteria = table.top === undefined ? [...origin, ...table.criteria] : []
  yield* drawTable({ ...table, criteria }, tools, texts)
  for (const annex of table.annexes ?? []) yield* annex(tools, texts)
  yield* pdf.finish()
}

/** A table as an annex of another. */
export const pdfAnnex =
  <Row>(table: TableContent<Row>): Annex =>
  (tools, texts) =>
    drawTable(table, tools, texts)

async function* drawTable<Row>(table: TableContent<Row>, tools: DrawTools, texts: TableTexts): AsyncGenerator<Buffer> {
  const { title, columns, rows, rowHeight = 18 } = table
  const { pdf } = tools
  const maybeYield = createYielder()
  const boxes = columnBoxes(columns, pdf.width - 2 * MARGIN)
  let number = 0

  pdf.newPage()
  const below = drawTitle(pdf, title, table.criteria)
  const widths = boxes.map(({ width }) => width)
  const tags = pdf.createTable()
  let y = drawHeader(pdf, columns, boxes, table.top ?? below, tags)
  for await (const batch of rows) {
    await table.prepare?.(batch, tools)
    for (const row of batch) {
      const height = typeof rowHeight === 'number' ? rowHeight : rowHeight(row, widths, tools)
      if (y + height > pdf.bottom) {
        pdf.newPage()
        pdf.artifact(() => {
          pdf.text(title, MARGIN, MARGIN + 6, { size: 8, color: INK.secondary })
          y = drawHeader(pdf, columns, boxes, MARGIN + 14)
        })
        const finished = pdf.readOutput()
        if (finished) yield finished
        await maybeYield()
      }
      number++
      const base = typeof rowHeight === 'number' ? y + height / 2 + 2.8 : y + FIRST_BASELINE
      tags.row((cell) => {
        for (const [i, { draw }] of columns.entries())
          cell(() => draw(row, { ...(boxes[i] as ColumnBox), y, height, base }, tools, number))
      })
      y += height
      pdf.line(MARGIN, y, pdf.width - MARGIN, y)
    }
  }
  tags.end()
  if (number === 0) pdf.text(texts.nothing, MARGIN, y + 16, { size: 9, color: INK.secondary })
  y = drawSummary(pdf, y + (number === 0 ? 24 : 0), texts.summary, table.summary())
  if (table.legend) y = drawSummary(pdf, y - 8, texts.legend, table.legend)
  if (table.signatures) drawSignatures(pdf, y, table.signatures)
}

type ColumnBox = { x: number; width: number }

function columnBoxes(columns: readonly { width: number }[], width: number): ColumnBox[] {
  const totalWidth = columns.reduce((sum, column) => sum + column.width, 0)
  let x = MARGIN
  return columns.map((column) => {
    const box = { x, width: (column.width / totalWidth) * width - CELL_GAP }
    x += box.width + CELL_GAP
    return box
  })
}

function drawTitle(pdf: PdfDocument, title: string, criteria: readonly [string, string][]): number {
  let y = MARGIN + TITLE.size
  pdf.element('H1', () => pdf.text(title, MARGIN, y, { face: 'strong', size: TITLE.size }))
  y += 18
  return drawPairs(pdf, criteria, y) + 8
}

/** Labels with the lines of their values, and the width of the column of labels. */
function wrapPairs(pdf: PdfDocument, pairs: readonly [string, string][]) {
  const labelWidth = Math.max(0, ...pairs.map(([label]) => pdf.widthOf(label, 'text', 8))) + 10
  const width = pdf.width - 2 * MARGIN - labelWidth
  return { labelWidth, rows: pairs.map(([label, value]) => [label, pdf.wrap(value, width, 'strong', 8)] as const) }
}

/** Draws labels and values in two columns; returns the y below them. */
function drawPairs(pdf: PdfDocument, pairs: readonly [string, string][], top: number): number {
  const { labelWidth, rows } = wrapPairs(pdf, pairs)
  let y = top
  for (const [label, lines] of rows) {
    pdf.element('P', () => {
      pdf.text(label, MARGIN, y, { size: 8, color: INK.secondary })
      for (const line of lines) {
        pdf.text(line, MARGIN + labelWidth, y, { face: 'strong', size: 8 })
        y += 11.5
      }
    })
  }
  return y
}

/** Draws the header row; a repeated one has no tags. */
function drawHeader<Row>(
  pdf: PdfDocument,
  columns: readonly PageColumn<Row>[],
  boxes: readonly ColumnBox[],
  y: number,
  tags?: ReturnType<PdfDocument['createTable']>,
): number {
  pdf.fill(MARGIN - 4, y, pdf.width - 2 * MARGIN + 8, HEADER_HEIGHT, INK.ground)
  const drawCells = (cell: (draw: () => void) => void) => {
    for (const [i, { title, align = 'left' }] of columns.entries()) {
      const { x, width } = boxes[i] as ColumnBox
      const lines = pdf.wrap(title, width, 'strong', 7).slice(0, 2)
      cell(() => {
        for (const [at, line] of lines.entries()) {
          const base = y + HEADER_HEIGHT / 2 + 2.5 + (at - (lines.length - 1) / 2) * 8.5
          const left = align === 'right' ? x + width : x
          pdf.text(line, left, base, { face: 'strong', size: 7, color: INK.secondary, align })
        }
      })
    }
  }
  if (tags) tags.header(drawCells)
  else drawCells((draw) => draw())
  return y + HEADER_HEIGHT
}

function drawSummary(pdf: PdfDocument, y: number, title: string, pairs: readonly [string, string][]): number {
  let top = y + 26
  const lines = wrapPairs(pdf, pairs).rows.flatMap(([, lines]) => lines)
  if (top + 16 + lines.length * 11.5 > pdf.bottom) {
    pdf.newPage()
    top = MARGIN + 12
  }
  pdf.element('H2', () => pdf.text(title, MARGIN, top, { face: 'strong', size: 11 }))
  return drawPairs(pdf, pairs, top + 16)
}

const SIGNATURE = { width: 210, space: 64, height: SIGNATURES_HEIGHT }

/** Draws a dotted signature line for each signer, with the role below. */
function drawSignatures(pdf: PdfDocument, y: number, signers: readonly string[]): void {
  let top = y
  if (top + SIGNATURE.height > pdf.bottom) {
    pdf.newPage()
    top = MARGIN
  }
  const { width, space } = SIGNATURE
  const line = top + space
  for (const [i, signer] of signers.entries()) {
    // From the left to the right margin.
    const x = MARGIN + (i * (pdf.width - 2 * MARGIN - width)) / Math.max(1, signers.length - 1)
    pdf.artifact(() => pdf.text('.'.repeat(Math.floor(width / pdf.widthOf('.'))), x, line, { color: INK.secondary }))
    pdf.text(signer, x + width / 2, line + 13, { align: 'center', color: INK.secondary })
  }
}
