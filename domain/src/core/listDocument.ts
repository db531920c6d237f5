/*
 * Layout of a PDF list in points, to predict the number of its pages before it is made (A4, landscape; drawn by
 * api/src/reports/pdf-table.ts).
 */

const PAGE_BOTTOM = 555.28
const NOTE_HEIGHT = 9
/** Baseline of the first criterion, and height of a line. */
const CRITERIA_TOP = 69
const LINE_HEIGHT = 11.5
/** Space and header between criteria and the first row. */
const HEADER_HEIGHT = 34
/** Top of the rows on the following pages. */
const CONTINUED_TOP = 74
/** Above a heading, and between it and its first line. */
const BLOCK_SPACE = 26
const BLOCK_HEADING = 16
const BLOCK_TOP = 46
/** The second block is closer to the first. */
const BLOCK_OVERLAP = 8
/** Of the lines for signatures, which stay together. */
export const SIGNATURES_HEIGHT = 84

type ListLayout = {
  rowHeight?: number
  /** Lines of criteria, with issuer and report number. */
  criteria: number
  /** Lines of the summary, and of the legend if there is one. */
  blocks: readonly number[]
  /** A note below the footer of each page. */
  hasNote?: boolean
}

/** Number of pages of a PDF list; approximate if criteria or rows wrap. */
export function listPages(rows: number, { rowHeight = 18, criteria, blocks, hasNote = false }: ListLayout): number {
  const bottom = PAGE_BOTTOM - (hasNote ? NOTE_HEIGHT : 0)
  const top = CRITERIA_TOP + criteria * LINE_HEIGHT + HEADER_HEIGHT
  const onFirst = Math.min(rows, Math.floor((bottom - top) / rowHeight))
  const perPage = Math.floor((bottom - CONTINUED_TOP) / rowHeight)
  const others = rows - onFirst
  const pages = 1 + Math.ceil(others / perPage)
  const onLast = others - (pages - 2) * perPage
  const y = others === 0 ? top + onFirst * rowHeight : CONTINUED_TOP + onLast * rowHeight
  return addBlocks({ pages, y }, blocks, bottom).pages
}

/** The page, and the y on it, at which something ends. */
type End = { pages: number; y: number }

/** Where blocks below a table end. */
function addBlocks({ pages, y }: End, blocks: readonly number[], bottom = PAGE_BOTTOM): End {
  return blocks.reduce<End>(
    (end, lines, index) => {
      const height = BLOCK_HEADING + lines * LINE_HEIGHT
      const top = end.y + BLOCK_SPACE - (index > 0 ? BLOCK_OVERLAP : 0)
      return top + height > bottom
        ? { pages: end.pages + 1, y: BLOCK_TOP + height }
        : { pages: end.pages, y: top + height }
    },
    { pages, y },
  )
}

/** Rows of different heights from `top` on, then blocks, then signatures. */
type RowsLayout = { top: number; blocks: readonly number[]; hasSignatures?: boolean }

/** Number of pages of a PDF list with rows of these heights. */
export function pagesOfRows(heights: readonly number[], { top, blocks, hasSignatures = false }: RowsLayout): number {
  const rows = heights.reduce<End>(
    ({ pages, y }, height) =>
      y + height > PAGE_BOTTOM ? { pages: pages + 1, y: CONTINUED_TOP + height } : { pages, y: y + height },
    { pages: 1, y: top },
  )
  const end = addBlocks(rows, blocks)
  return hasSignatures && end.y + SIGNATURES_HEIGHT > PAGE_BOTTOM ? end.pages + 1 : end.pages
}
