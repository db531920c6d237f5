/** Rows of a table below its chart, and on a page of its own, in the calibration PDF (A4, landscape). */
const ROWS_BELOW_CHART = 6
const ROWS_PER_PAGE = 34

/**
 * Number of pages of the calibration PDF: a chart and a table for each lane. Criteria and the first chart fill the first
 * page; very long criteria make it one more.
 */
export function calibrationPages(lanes: number, periods: number): number {
  if (lanes === 0) return 1
  const first = 1 + Math.ceil(periods / ROWS_PER_PAGE)
  const other = 1 + Math.ceil(Math.max(0, periods - ROWS_BELOW_CHART) / ROWS_PER_PAGE)
  return first + (lanes - 1) * other
}
