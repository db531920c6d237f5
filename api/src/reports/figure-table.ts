import { INK, MARGIN, type PdfDocument, type TextStyle } from './pdf-document.ts'

/** Points between two columns, and between two lines of a title. */
const COLUMN_GAP = 6
const TITLE_LINE_HEIGHT = 8.5
const TITLE_STYLE = { face: 'strong', size: 7, color: INK.secondary } as const

type Layout = {
  /** Points. */
  firstWidth: number
  headerHeight: number
  rowHeight: number
}

/**
 * A table of figures: a first column of names or times, and the others of equal width, right-aligned. Call `end` after its
 * last row.
 */
export function createFigureTable(pdf: PdfDocument, titles: readonly string[], layout: Layout) {
  const { firstWidth, headerHeight, rowHeight } = layout
  const tags = pdf.createTable()
  const step = (pdf.width - 2 * MARGIN - firstWidth) / Math.max(1, titles.length - 1)
  let hasHeader = false
  const draw = (text: string, column: number, base: number, style: TextStyle) =>
    column === 0
      ? pdf.text(text, MARGIN, base, style)
      : pdf.text(text, MARGIN + firstWidth + step * column, base, { ...style, align: 'right' })

  const drawTitles = (y: number) => (cell: (draw: () => void) => void) => {
    for (const [column, title] of titles.entries()) {
      const width = column === 0 ? firstWidth : step - COLUMN_GAP
      const lines = pdf
        .wrap(title, width, TITLE_STYLE.face, TITLE_STYLE.size)
        .slice(0, Math.floor(headerHeight / TITLE_LINE_HEIGHT))
      cell(() => {
        for (const [at, line] of lines.entries()) {
          const base = y + headerHeight / 2 + 2.5 + (at - (lines.length - 1) / 2) * TITLE_LINE_HEIGHT
          draw(pdf.fit(line, width, TITLE_STYLE.face, TITLE_STYLE.size), column, base, TITLE_STYLE)
        }
      })
    }
  }

  /** Returns the y below the header, as `row` does below the row. */
  function header(y: number): number {
    pdf.fill(MARGIN - 4, y, pdf.width - 2 * MARGIN + 8, headerHeight, INK.ground)
    if (hasHeader) drawTitles(y)((draw) => draw())
    else tags.header(drawTitles(y))
    hasHeader = true
    return y + headerHeight
  }

  function row(texts: readonly string[], y: number, styleOf: (column: number) => TextStyle): number {
    tags.row((cell) => {
      for (const [column, text] of texts.entries())
        cell(
          () => draw(text, column, y + rowHeight / 2 + 3, { size: 8, ...styleOf(column) }),
          column === 0 ? 'Row' : undefined,
        )
    })
    pdf.line(MARGIN, y + rowHeight, pdf.width - MARGIN, y + rowHeight)
    return y + rowHeight
  }

  /** Begins or continues the table on a new page; only the first heading and header are tagged. */
  function onNewPage(heading: string): number {
    pdf.newPage()
    const draw = () => pdf.text(heading, MARGIN, MARGIN + 6, { size: 8, color: INK.secondary })
    if (!hasHeader) {
      draw()
      return header(MARGIN + 14)
    }
    let y = 0
    pdf.artifact(() => {
      draw()
      y = header(MARGIN + 14)
    })
    return y
  }

  return { header, row, onNewPage, end: tags.end }
}
