import { MARGIN, type PdfDocument } from '../reports/pdf-document.ts'

/** Where the next block may begin: here, or on a new page when it would not fit. */
export function roomFor(paper: PdfDocument, height: number, y: number): number {
  if (y + height <= paper.bottom) return y
  paper.newPage()
  return MARGIN
}
