import { MARGIN, type PdfDocument } from '../reports/public-api.ts'

/** Where the next block may begin: here, or on a new page when it would not fit. */
export function roomFor(pdf: PdfDocument, height: number, y: number): number {
  if (y + height <= pdf.bottom) return y
  pdf.newPage()
  return MARGIN
}
