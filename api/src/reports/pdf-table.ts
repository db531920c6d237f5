import { createPdfDocument, INK, MARGIN, type PaperOptions, type PdfDocument } from './pdf-document.ts'
import { type PlatePainter, platePainter } from './plate.ts'
import { HEADS_COLUMN } from './structure.ts'
import type { RowBatches } from './table.ts'
import { reportTexts } from './texts.ts'
import { createYielder } from './yielding.ts'

/** Where a cell may draw: `base` is the line that its text stands on. */
export type Box = { x: number; y: number; width: number; height: number; base: number }

export type PageColumn<Row> = {
  title: string
  /** Its part of the width of the page. */
  width: number
  align?: 'left' | 'right'
  draw: (row: Row, box: Box, tools: Tools, number: number) => void
}

export type Tools = { paper: PdfDocument; plates: PlatePainter }

export type PageTable<Row> = Omit<PaperOptions, 'title'> & {
  title: string
  criteria: readonly [string, string][]
  columns: readonly PageColumn<Row>[]
  rows: RowBatches<Row>
  /** In points; of each row where they differ, for which the widths of its columns are told. */
  rowHeight?: number | ((row: Row, widths: readonly number[], tools: Tools) => number)
  /** Points from the upper edge of the first page to the table, in place of the space that the criteria take. */
  top?: number
  /** Done with rows before they are drawn: flags to be fetched. */
  prepare?: (rows: readonly Row[], tools: Tools) => Promise<void>
  /** Asked for after the last row. */
  summary: () => readonly [string, string][]
  /** What colours and abbreviations mean, below the summary. */
  legend?: readonly [string, string][]
  /** Those who sign below the summary, side by side. */
  signatures?: readonly string[]
}

/** So many rows are tables to those who do not see the page; in longer lists each of the others is a paragraph (077). */
export const MAX_TAGGED_ROWS = 2_000

const TITLE = { size: 17, space: 30 }
const HEAD_HEIGHT = 26
const CELL_SPACE = 6
/** From the upper edge of a row of several lines to the base of its first. */
export const FIRST_BASE = 12

/** A document with one long table: its head stands on every page, the criteria on the first, the totals on the last. */
export async function* pdfTable<Row>(table: PageTable<Row>): AsyncGenerator<Buffer> {
  const { title, columns, rows, rowHeight = 18, language } = table
  const words = reportTexts(language)
  const paper = createPdfDocument({ ...table, landscape: true })
  const tools = { paper, plates: platePainter(paper, words['unreadable-plate']) }
  const pace = createYielder()
  const boxes = placed(columns, paper.width - 2 * MARGIN)
  let number = 0

  paper.newPage()
  const origin: [string, string][] = [
    [words.issuer, table.issuer],
    ...(table.number ? [[words['report-number'], table.number] as [string, string]] : []),
  ]
  const below = drawTitle(paper, title, [...origin, ...table.criteria])
  const widths = boxes.map(({ width }) => width)
  paper.beginElement('Table')
  let y = table.top ?? below
  paper.element('THead', () => {
    y = drawHead(paper, columns, boxes, y)
  })
  paper.beginElement('TBody')
  for await (const batch of rows) {
    await table.prepare?.(batch, tools)
    for (const row of batch) {
      const height = typeof rowHeight === 'number' ? rowHeight : rowHeight(row, widths, tools)
      if (y + height > paper.bottom) {
        paper.newPage()
        paper.artifact(() => {
          paper.text(title, MARGIN, MARGIN + 6, { size: 8, color: INK.quiet })
          y = drawHead(paper, columns, boxes, MARGIN + 14, true)
        })
        const finished = paper.taken()
        if (finished) yield finished
        await pace()
      }
      number++
      const base = typeof rowHeight === 'number' ? y + height / 2 + 2.8 : y + FIRST_BASE
      const byCell = number <= MAX_TAGGED_ROWS
      if (number === MAX_TAGGED_ROWS + 1) endTable(paper)
      paper.beginElement(byCell ? 'TR' : 'P')
      for (const [i, { draw }] of columns.entries()) {
        const box = boxes[i] as ColumnBox
        if (byCell) paper.beginElement('TD')
        draw(row, { ...box, y, height, base }, tools, number)
        if (byCell) paper.endElement()
      }
      paper.endElement()
      y += height
      paper.line(MARGIN, y, paper.width - MARGIN, y)
    }
  }
  if (number <= MAX_TAGGED_ROWS) endTable(paper)
  if (number === 0) paper.text(words.nothing, MARGIN, y + 16, { size: 9, color: INK.quiet })
  y = drawSummary(paper, y + (number === 0 ? 24 : 0), words.summary, table.summary())
  if (table.legend) y = drawSummary(paper, y - 8, words.legend, table.legend)
  if (table.signatures) drawSignatures(paper, y, table.signatures)
  paper.end()
  for (let rest = paper.taken(); rest; rest = paper.taken()) yield rest
}

/** The body, and the table around it. */
function endTable(paper: PdfDocument): void {
  paper.endElement()
  paper.endElement()
}

type ColumnBox = { x: number; width: number }

function placed(columns: readonly { width: number }[], width: number): ColumnBox[] {
  const whole = columns.reduce((sum, column) => sum + column.width, 0)
  let x = MARGIN
  return columns.map((column) => {
    const span = { x, width: (column.width / whole) * width - CELL_SPACE }
    x += span.width + CELL_SPACE
    return span
  })
}

function drawTitle(paper: PdfDocument, title: string, criteria: readonly [string, string][]): number {
  let y = MARGIN + TITLE.size
  paper.element('H1', () => paper.text(title, MARGIN, y, { face: 'strong', size: TITLE.size }))
  y += 18
  return drawPairs(paper, criteria, y) + 8
}

/** Labels and what they say, in two columns; answers where the next thing may stand. */
function drawPairs(paper: PdfDocument, pairs: readonly [string, string][], top: number): number {
  const labels = Math.max(0, ...pairs.map(([label]) => paper.widthOf(label, 'text', 8))) + 10
  const width = paper.width - 2 * MARGIN - labels
  let y = top
  for (const [label, said] of pairs) {
    paper.element('P', () => {
      paper.text(label, MARGIN, y, { size: 8, color: INK.quiet })
      for (const line of paper.wrap(said, width, 'strong', 8)) {
        paper.text(line, MARGIN + labels, y, { face: 'strong', size: 8 })
        y += 11.5
      }
    })
  }
  return y
}

/** Repeated, it has no structure of its own. */
function drawHead<Row>(
  paper: PdfDocument,
  columns: readonly PageColumn<Row>[],
  boxes: readonly ColumnBox[],
  y: number,
  repeated = false,
): number {
  paper.fill(MARGIN - 4, y, paper.width - 2 * MARGIN + 8, HEAD_HEIGHT, INK.ground)
  const cell = (draw: () => void) => (repeated ? draw() : paper.element('TH', draw, HEADS_COLUMN))
  const row = (draw: () => void) => (repeated ? draw() : paper.element('TR', draw))
  row(() => {
    for (const [i, { title, align = 'left' }] of columns.entries()) {
      const { x, width } = boxes[i] as ColumnBox
      const lines = paper.wrap(title, width, 'strong', 7).slice(0, 2)
      cell(() => {
        for (const [at, line] of lines.entries()) {
          const base = y + HEAD_HEIGHT / 2 + 2.5 + (at - (lines.length - 1) / 2) * 8.5
          const left = align === 'right' ? x + width : x
          paper.text(line, left, base, { face: 'strong', size: 7, color: INK.quiet, align })
        }
      })
    }
  })
  return y + HEAD_HEIGHT
}

function drawSummary(paper: PdfDocument, y: number, title: string, pairs: readonly [string, string][]): number {
  let top = y + 26
  if (top + 16 + pairs.length * 11.5 > paper.bottom) {
    paper.newPage()
    top = MARGIN + 12
  }
  paper.element('H2', () => paper.text(title, MARGIN, top, { face: 'strong', size: 11 }))
  return drawPairs(paper, pairs, top + 16)
}

const SIGNATURE = { width: 210, space: 64, height: 84 }

/** A dotted line for each to sign on, with who it is below it. */
function drawSignatures(paper: PdfDocument, y: number, signers: readonly string[]): void {
  let top = y
  if (top + SIGNATURE.height > paper.bottom) {
    paper.newPage()
    top = MARGIN
  }
  const { width, space } = SIGNATURE
  const line = top + space
  for (const [i, signer] of signers.entries()) {
    // The first at the left margin, the last at the right one.
    const x = MARGIN + (i * (paper.width - 2 * MARGIN - width)) / Math.max(1, signers.length - 1)
    paper.text('.'.repeat(Math.floor(width / paper.widthOf('.'))), x, line, { color: INK.quiet })
    paper.text(signer, x + width / 2, line + 13, { align: 'center', color: INK.quiet })
  }
}
