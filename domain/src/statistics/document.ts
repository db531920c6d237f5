import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'

/*
 * The layout of the PDF report of statistics, in points. The server draws by it, and the screen knows from it how many
 * pages will come.
 */

/** A4, landscape. */
const PAGE = { width: 841.89, margin: 34, bottom: 555.28 }

/** Heights of a row, of the heads, and of the line above heads on a new page. */
export const ROW = 14
export const HEAD = 30
export const HEADING = 14
/** A table begins below its chart only where so many rows fit there. */
const MIN_ROWS = 3
/** What stands below a chart. */
export const BELOW_CHART = 8

export const PERIOD_WIDTH = 96
/** A series needs so much room; with more of them the table goes on below in further parts. */
const MIN_WIDTH = 48

/** So many series stand side by side, the sums beside the last ones. */
export const SERIES_PER_PART = Math.floor((PAGE.width - 2 * PAGE.margin - PERIOD_WIDTH) / MIN_WIDTH) - 1

/** Whether a table may begin at `y`. */
export const hasRoomForTable = (y: number, bottom: number): boolean => y + HEAD + MIN_ROWS * ROW < bottom

/**
 * How many pages the report has: with so many series for each station, and so many periods. The first page holds the
 * criteria and the first chart, which takes what they leave; very long criteria may need one page more.
 */
export function documentPages(series: readonly number[], periods: number): number {
  const { width, margin, bottom } = PAGE
  const chart = ((width - 2 * margin) * GRAPH_HEIGHT) / GRAPH_WIDTH
  let pages = 1
  let y = bottom
  for (const [station, count] of series.entries()) {
    if (station > 0) {
      if (y + chart > bottom) {
        pages++
        y = margin
      }
      y += chart + BELOW_CHART
    }
    for (let from = 0; from === 0 || from < count; from += SERIES_PER_PART) {
      if (from === 0 && hasRoomForTable(y, bottom)) y += HEAD
      else {
        pages++
        y = margin + HEADING + HEAD
      }
      // The last row holds the sums.
      for (let rows = periods + 1; ; ) {
        const fitting = Math.min(rows, Math.floor((bottom - y) / ROW))
        rows -= fitting
        y += fitting * ROW
        if (rows === 0) break
        pages++
        y = margin + HEADING + HEAD
      }
    }
    y += ROW
  }
  return pages
}
