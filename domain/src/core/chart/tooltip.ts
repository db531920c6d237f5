import { textWidth } from './textWidth.ts'

/** A tooltip row: marker, name, raw and formatted value. */
export type TooltipRow = { marker: string; name: string; value: number | null; text: string }

const FONT_SIZE = 13
const ROW_HEIGHT = 20
const TITLE_LINE_HEIGHT = 24
/** Horizontal padding and border of the tooltip, and its margin in ECharts. */
const PADDING = 24
const MARKER_WIDTH = 18
const NAME_GAP = 16
const COLUMN_GAP = 20

const widthOf = (rows: readonly TooltipRow[]) =>
  MARKER_WIDTH +
  NAME_GAP +
  Math.max(0, ...rows.map(({ name, text }) => textWidth(name, FONT_SIZE) + 1.1 * textWidth(text, FONT_SIZE)))

/**
 * Rows that fit a chart of this size, in columns of equal height: all, or those with the highest values. `omitted` counts
 * the others.
 */
export function tooltipRows(rows: readonly TooltipRow[], width: number, height: number) {
  const perColumn = Math.max(1, Math.floor((height - PADDING - TITLE_LINE_HEIGHT) / ROW_HEIGHT))
  const maxColumns = Math.max(1, Math.floor((width - PADDING + COLUMN_GAP) / (widthOf(rows) + COLUMN_GAP)))
  if (rows.length <= perColumn * maxColumns) {
    const columns = Math.ceil(rows.length / perColumn)
    return { visible: rows, perColumn: Math.ceil(rows.length / Math.max(1, columns)), omitted: 0 }
  }
  // One row for the number of omitted rows.
  const capacity = perColumn * maxColumns - 1
  const highest = new Set(rows.toSorted((a, b) => (b.value ?? -1) - (a.value ?? -1)).slice(0, capacity))
  return { visible: rows.filter((row) => highest.has(row)), perColumn, omitted: rows.length - capacity }
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)

/** Tooltip of a chart of this size: the period, then all series that fit. `marker` is HTML. */
export function tooltipHtml(title: string, rows: readonly TooltipRow[], width: number, height: number): string {
  const { visible, perColumn, omitted } = tooltipRows(rows, width, height)
  const row = (marker: string, name: string, text: string) =>
    `<div style="display:flex;align-items:center">${marker}<span>${escapeHtml(name)}</span>` +
    `<b style="margin-left:auto;padding-left:${NAME_GAP}px;font-weight:600">${escapeHtml(text)}</b></div>`
  const cells = visible.map(({ marker, name, text }) => row(marker, name, text)).join('')
  const omittedRow = omitted > 0 ? row('', `+ ${omitted} …`, '') : ''
  const grid = `display:grid;grid-auto-flow:column;grid-template-rows:repeat(${perColumn},${ROW_HEIGHT}px);column-gap:${COLUMN_GAP}px`
  return `<div style="line-height:${TITLE_LINE_HEIGHT}px">${escapeHtml(title)}</div><div style="${grid}">${cells}${omittedRow}</div>`
}
