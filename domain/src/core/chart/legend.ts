import type { LegendComponentOption } from 'echarts'
import { textWidth } from './textWidth.ts'
import type { ChartTheme } from './theme.ts'

/** Series name with its total, as in the legend. */
type LegendEntry = { label: string; total: string | null }

const SIDE = 16
const ICON = 12
const LINE_ICON = 24
/** Gap between icon and text in ECharts. */
const GAP = 5
const BETWEEN = 12
const LINE = 16

type LegendLayout = { theme: ChartTheme; width: number; top: number; lines: boolean; hideable: boolean }

/** Legend with totals in as many rows as needed: its ECharts option and its height. */
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
