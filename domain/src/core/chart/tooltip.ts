import { textWidth } from './textWidth.ts'

/** A tooltip row: marker, name, raw and formatted value. */
export type TooltipRow = { mark: string; name: string; value: number | null; text: string }

const SIZE = 13
const ROW = 20
const TITLE = 24
/** Horizontal padding and border of the tooltip, and its margin in ECharts. */
const AROUND = 24
const MARK = 18
const BETWEEN = 16
const COLUMN_GAP = 20

const widthOf = (rows: readonly TooltipRow[]) =>
  MARK + BETWEEN + Math.max(0, ...rows.map(({ name, text }) => textWidth(name, SIZE) + 1.1 * textWidth(text, SIZE)))

/**
 * Rows that fit a chart of this size, in columns of equal height: all, or those with the highest values. `left` is the
 * number of omitted rows.
 */
export function tooltipRows(rows: readonly TooltipRow[], width: number, height: number) {
  const perColumn = Math.max(1, Math.floor((height - AROUND - TITLE) / ROW))
  const most = Math.max(1, Math.floor((width - AROUND + COLUMN_GAP) / (widthOf(rows) + COLUMN_GAP)))
  if (rows.length <= perColumn * most) {
    const columns = Math.ceil(rows.length / perColumn)
    return { shown: rows, perColumn: Math.ceil(rows.length / Math.max(1, columns)), left: 0 }
  }
  // One row for the number of omitted rows.
  const room = perColumn * most - 1
  const highest = new Set(rows.toSorted((a, b) => (b.value ?? -1) - (a.value ?? -1)).slice(0, room))
  return { shown: rows.filter((row) => highest.has(row)), perColumn, left: rows.length - room }
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)

/** Tooltip of a chart of this size: the period, then all series that fit. `mark` is HTML. */
export function tooltipHtml(title: string, rows: readonly TooltipRow[], width: number, height: number): string {
  const { shown, perColumn, left } = tooltipRows(rows, width, height)
  const row = (mark: string, name: string, text: string) =>
    `<div style="display:flex;align-items:center">${mark}<span>${escaped(name)}</span>` +
    `<b style="margin-left:auto;padding-left:${BETWEEN}px;font-weight:600">${escaped(text)}</b></div>`
  const cells = shown.map(({ mark, name, text }) => row(mark, name, text)).join('')
  const rest = left > 0 ? row('', `+ ${left} …`, '') : ''
  const grid = `display:grid;grid-auto-flow:column;grid-template-rows:repeat(${perColumn},${ROW}px);column-gap:${COLUMN_GAP}px`
  return `<div style="line-height:${TITLE}px">${escaped(title)}</div><div style="${grid}">${cells}${rest}</div>`
}
