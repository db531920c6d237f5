import { INK, MARGIN, type PdfDocument } from './pdf-document.ts'

/** Height of a row in points. */
export const ALIGNED_ROW = 13

/**
 * Draws the heading and the header of a small table with names of rows, whose columns end at the given x. Returns the tags
 * of the table and the baseline of its first row.
 */
export function startAlignedTable(
  pdf: PdfDocument,
  heading: string,
  titles: readonly (readonly [title: string, x: number])[],
  top: number,
) {
  pdf.element('H2', () => pdf.text(heading, MARGIN, top + 9, { face: 'strong', size: 10 }))
  const table = pdf.createTable()
  const y = top + 24
  pdf.fill(MARGIN - 4, y - 10, pdf.width - 2 * MARGIN + 8, ALIGNED_ROW, INK.ground)
  table.header((cell) => {
    // The names of the rows have no title.
    cell(() => {})
    for (const [title, x] of titles)
      cell(() => pdf.text(title, x, y, { face: 'strong', size: 7, color: INK.secondary, align: 'right' }))
  })
  return { table, y: y + ALIGNED_ROW }
}
