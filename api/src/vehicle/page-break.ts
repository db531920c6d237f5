import { MARGIN, type PdfDocument } from '../reports/public-api.ts'

/** The y of the next block, on a new page if it does not fit. */
export function startBlock(pdf: PdfDocument, height: number, y: number): number {
  if (y + height <= pdf.bottom) return y
  pdf.newPage()
  return MARGIN
}
