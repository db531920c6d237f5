import type { LegendComponentOption } from 'echarts'
import { textWidth } from './textWidth.ts'
import type { ChartTheme } from './theme.ts'

/** Series name with its total, as in the legend. */
type LegendEntry = { label: string; total: string | null }

const SIDE_MARGIN = 16
const ICON_WIDTH = 12
const LINE_ICON_WIDTH = 24
/** Gap between icon and text in ECharts. */
const ICON_GAP = 5
const ITEM_GAP = 12
const LINE_HEIGHT = 16

type LegendLayout = {
  theme: ChartTheme
  width: number
  top: number
  lines: boolean
  hideable: boolean
  /** Displayed name of a series whose name is reserved. */
  nameOf?: (name: string) => string
}

/** Legend with totals in as many rows as needed: its ECharts option and its height. */
export function legendOf(
  entries: readonly LegendEntry[],
  { theme, width, top, lines, hideable, nameOf = (name) => name }: LegendLayout,
): { option: LegendComponentOption; height: number } {
  const icon = lines ? LINE_ICON_WIDTH : ICON_WIDTH
  const available = width - 2 * SIDE_MARGIN
  let rows = entries.length === 0 ? 0 : 1
  let used = 0
  for (const { label, total } of entries) {
    const needed = icon + ICON_GAP + textWidth(`${nameOf(label)} `, 12) + textWidth(total ?? '', 13) + ITEM_GAP
    if (used > 0 && used + needed > available) {
      rows++
      used = 0
    }
    used += needed
  }
  const totals = new Map(entries.map(({ label, total }) => [label, total]))
  return {
    height: rows * (LINE_HEIGHT + ITEM_GAP),
    option: {
      data: entries.map(({ label }) => label),
      left: SIDE_MARGIN,
      top,
      width: available,
      padding: 0,
      itemWidth: icon,
      itemHeight: ICON_WIDTH,
      itemGap: ITEM_GAP,
      ...(lines ? {} : { icon: 'roundRect' }),
      selectedMode: hideable,
      formatter: (name) => {
        const total = totals.get(name)
        return total ? `${nameOf(name)} {total|${total}}` : nameOf(name)
      },
      textStyle: {
        color: theme.text2,
        fontSize: 12,
        lineHeight: LINE_HEIGHT,
        rich: { total: { color: theme.text, fontSize: 13, fontWeight: 600, lineHeight: LINE_HEIGHT } },
      },
    },
  }
}
