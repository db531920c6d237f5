import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'

/*
 * Layout of the statistics PDF in points, used by the server for drawing and by the screen to predict the number of
 * pages.
 */

/** A4, landscape. */
const PAGE = { width: 841.89, margin: 34, bottom: 555.28 }

/** Heights of a row, of the table header, and of the line above it on a new page. */
export const ROW_HEIGHT = 14
export const HEADER_HEIGHT = 30
export const HEADING_HEIGHT = 14
/** A table starts below its chart only if this many rows fit. */
const MIN_ROWS = 3
/** Space below a chart. */
export const CHART_GAP = 8

export const PERIOD_WIDTH = 96
/** Width of a series column; further series continue in further parts of the table. */
const MIN_COLUMN_WIDTH = 48

/** Series columns per part; the totals are in the last part. */
export const SERIES_PER_PART = Math.floor((PAGE.width - 2 * PAGE.margin - PERIOD_WIDTH) / MIN_COLUMN_WIDTH) - 1

/** Whether a table can start at `y`. */
export const hasRoomForTable = (y: number, bottom: number): boolean =>
  y + HEADER_HEIGHT + MIN_ROWS * ROW_HEIGHT < bottom

/**
 * Number of pages for these series per station and periods. The first page holds the criteria and the first chart; very
 * long criteria may need one more page.
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
      y += chart + CHART_GAP
    }
    for (let from = 0; from === 0 || from < count; from += SERIES_PER_PART) {
      if (from === 0 && hasRoomForTable(y, bottom)) y += HEADER_HEIGHT
      else {
        pages++
        y = margin + HEADING_HEIGHT + HEADER_HEIGHT
      }
      // The last row holds the totals.
      for (let rows = periods + 1; ; ) {
        const fittingRows = Math.min(rows, Math.floor((bottom - y) / ROW_HEIGHT))
        rows -= fittingRows
        y += fittingRows * ROW_HEIGHT
        if (rows === 0) break
        pages++
        y = margin + HEADING_HEIGHT + HEADER_HEIGHT
      }
    }
    y += ROW_HEIGHT
  }
  return pages
}
