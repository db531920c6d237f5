import { MARGIN, type Paper } from '../core/reports/paper.ts'

/** Where the next block may begin: here, or on a new page when it would not fit. */
export function roomFor(paper: Paper, height: number, y: number): number {
  if (y + height <= paper.bottom) return y
  paper.newPage()
  return MARGIN
}
