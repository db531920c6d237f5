import type { LegendComponentOption } from 'echarts'
import { textWidth } from './textWidth.ts'
import type { ChartTheme } from './theme.ts'

/** A name with its total, as it stands above the chart. */
type LegendEntry = { label: string; total: string | null }

const SIDE = 16
const ICON = 12
const LINE_ICON = 24
/** What ECharts leaves between an icon and its text. */
const GAP = 5
const BETWEEN = 12
const LINE = 16

type LegendLayout = { theme: ChartTheme; width: number; top: number; lines: boolean; hideable: boolean }

/** The names with their totals in as many rows as they need: the legend's option, and how high it is. */
export function legendOf(
  entries: readonly LegendEntry[],
  { theme, width, top, lines, hideable }: LegendLayout,
): { option: LegendComponentOption; height: number } {
  const icon = lines ? LINE_ICON : ICON
  const room = width - 2 * SIDE
  let rows = entries.length === 0 ? 0 : 1
  let used = 0
  for (const { label, total } of entries) {
    const needs = icon + GAP + textWidth(`${label} `, 12) + textWidth(total ?? '', 13) + BETWEEN
    if (used > 0 && used + needs > room) {
      rows++
      used = 0
    }
    used += needs
  }
  const totals = new Map(entries.map(({ label, total }) => [label, total]))
  return {
    height: rows * (LINE + BETWEEN),
    option: {
      data: entries.map(({ label }) => label),
      left: SIDE,
      top,
      width: room,
      padding: 0,
      itemWidth: icon,
      itemHeight: ICON,
      itemGap: BETWEEN,
      ...(lines ? {} : { icon: 'roundRect' }),
      selectedMode: hideable,
      formatter: (name) => {
        const total = totals.get(name)
        return total ? `${name} {total|${total}}` : name
      },
      textStyle: {
        color: theme.text2,
        fontSize: 12,
        lineHeight: LINE,
        rich: { total: { color: theme.text, fontSize: 13, fontWeight: 600, lineHeight: LINE } },
      },
    },
  }
}
