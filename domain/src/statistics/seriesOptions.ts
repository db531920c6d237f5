import type { BarSeriesOption, LineSeriesOption } from 'echarts'
import type { ChartTheme } from '../core/chart/theme.ts'
import type { Chart, ChartOptions } from './chartData.ts'
import { colourOf } from './colours.ts'
import { isIsolated } from './figures.ts'

/** Up to this many series are distinguished by colour alone (docs/domain.md, Charts). */
const SERIES_COLOURS = 9
/** With more segments per bar, gaps would take the whole bar. */
const MAX_WITH_GAPS = 12
/** px: smaller bars and segments have no gap, denser points no marker. */
const MIN_GAP_PX = 4
const MIN_BAR_GAP_PX = 6
/** Share of a period's width. */
const GROUP_GAP_SHARE = 0.16
const MIN_MARKER_PX = 12
/** From this number of points ECharts uses its fast rendering. */
const LARGE_THRESHOLD = 2_000

const DASHES = ['solid', [6, 3], [2, 3], [10, 3, 2, 3], [10, 3, 2, 3, 2, 3]] as const
const MARKERS = ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'arrow']

/** Steps of the graded colours for plain bars and lines. */
const PLAIN_BAR = 2
const PLAIN_LINE = 4

/** Minimum bar width, px. */
const MIN_BAR_PX = 4

type Size = { width: number; height: number }

/**
 * Groupings whose series add up are stacked. Vehicles with two violations would count twice, and speeds do not add up.
 */
export const isStacked = ({ statName, groupBy }: Pick<Chart, 'statName' | 'groupBy'>): boolean =>
  (statName === 'traffic' || statName === 'trafficDensity') && groupBy !== 'violation'

/** Ordered ranges keep their order instead of being sorted by size. */
const isOrdered = ({ groupBy }: Pick<Chart, 'groupBy'>): boolean => groupBy === 'speedRange' || groupBy === 'overSpeed'

/** Number of periods that an axis shows as bars of at least the minimum width. */
export function barsInView(chart: Pick<Chart, 'statName' | 'groupBy' | 'series'>, width: number): number {
  const periodWidth = isStacked(chart)
    ? MIN_BAR_PX
    : (MIN_BAR_PX * Math.max(1, chart.series.length)) / (1 - GROUP_GAP_SHARE)
  return Math.max(1, Math.floor(width / periodWidth))
}

const CHEQUERED = [
  [6, 6],
  [0, 6, 6, 0],
]

/** Pattern in the background colour. A new object each time, because ECharts modifies it. */
function decalOf(index: number, { surface: color }: ChartTheme) {
  const stripes = { color, dashArrayX: [1, 0], dashArrayY: [2, 5] }
  const decals = [
    { ...stripes, rotation: Math.PI / 4 },
    { color, symbol: 'circle', dashArrayX: CHEQUERED, dashArrayY: [5, 0], symbolSize: 0.7 },
    { ...stripes, rotation: -Math.PI / 4 },
    stripes,
    { color, dashArrayX: CHEQUERED, dashArrayY: [6, 0] },
    { ...stripes, rotation: Math.PI / 2 },
    { color, symbol: 'triangle', dashArrayX: CHEQUERED, dashArrayY: [6, 2], symbolSize: 0.8 },
  ]
  return decals[index % decals.length]
}

/** More bars of one chart would be hairlines, so that they are drawn as lines. */
export const MAX_BARS = 120

/** Number of bars of a chart: parts of a whole share one. */
export const countBars = (chart: Pick<Chart, 'statName' | 'groupBy'>, series: number, periods: number): number =>
  isStacked(chart) ? periods : periods * series

/** Highest bar of the data, in raw units. */
function highest({ series, starts }: Chart, stacked: boolean): number {
  const columns = starts.map((_, i) => series.map(({ figures }) => figures[i] ?? 0))
  const height = (column: number[]) =>
    stacked ? column.reduce((sum, figure) => sum + figure, 0) : Math.max(0, ...column)
  return columns.reduce((max, column) => Math.max(max, height(column)), 0)
}

/**
 * Series as bars: grouped, or stacked if they add up. The largest is at the base, where bars can be compared; colour
 * and pattern follow the series order.
 */
export function barsOf(
  chart: Chart,
  { theme, patterns, plain, interactive }: ChartOptions,
  plot: Size,
): BarSeriesOption[] {
  const stacked = isStacked(chart)
  const barWidth = plot.width / Math.max(1, chart.starts.length) / (stacked ? 1 : Math.max(1, chart.series.length))
  const gaps = barWidth >= MIN_BAR_GAP_PX && chart.series.length <= MAX_WITH_GAPS
  const minWithGap = (MIN_GAP_PX * highest(chart, stacked)) / plot.height
  const bars = chart.series.map(
    ({ value, label, figures }, index): BarSeriesOption => ({
      type: 'bar',
      name: label,
      ...(stacked && { stack: 'all' }),
      barMaxWidth: 72,
      barCategoryGap: barWidth >= MIN_BAR_GAP_PX || !stacked ? `${100 * GROUP_GAP_SHARE}%` : '0%',
      barGap: '0%',
      ...(interactive && { large: chart.starts.length > LARGE_THRESHOLD, largeThreshold: LARGE_THRESHOLD }),
      itemStyle: {
        color: (plain ? theme.steps[PLAIN_BAR] : undefined) ?? colourOf(chart.groupBy, value, index, theme),
        ...(gaps && { borderColor: theme.surface, borderWidth: 1 }),
        ...((patterns || index >= SERIES_COLOURS) && { decal: decalOf(index, theme) }),
      },
      data: figures.map((figure) =>
        gaps && figure !== null && figure < minWithGap ? { value: figure, itemStyle: { borderWidth: 0 } } : figure,
      ),
    }),
  )
  if (!stacked || isOrdered(chart)) return bars
  const sums = chart.series.map(({ figures }) => figures.reduce<number>((sum, figure) => sum + (figure ?? 0), 0))
  return bars
    .map((bar, index) => ({ bar, sum: sums[index] ?? 0 }))
    .toSorted((a, b) => b.sum - a.sum)
    .map(({ bar }) => bar)
}

/** On its own axis, so that it does not scale the others. */
const TOTAL_AXIS = 1
/** Reserved name, not used by any series. */
const TOTAL_NAME = '\u2211'

/** Totals for the zoom slider, which draws the first series. */
export const totalOf = (totals: readonly (number | null)[]): LineSeriesOption => ({
  type: 'line',
  name: TOTAL_NAME,
  yAxisIndex: TOTAL_AXIS,
  silent: true,
  symbol: 'none',
  lineStyle: { opacity: 0 },
  data: [...totals],
})

/** Figures of a line without markers but those of isolated figures. */
const withMarkers = (figures: readonly (number | null)[]) =>
  figures.map((figure, i) => (isIsolated(figures, i) ? { value: figure, symbol: 'circle', symbolSize: 4 } : figure))

/** Series as lines, interrupted at missing values. */
export function linesOf(
  chart: Chart,
  { theme, patterns, plain, interactive }: ChartOptions,
  plot: Size,
): LineSeriesOption[] {
  const hasMarkers = plot.width / Math.max(1, chart.starts.length) >= MIN_MARKER_PX
  const sampling = chart.statName.startsWith('min') ? 'min' : chart.statName.startsWith('max') ? 'max' : 'average'
  return chart.series.map(({ value, label, figures }, index) => {
    const color = (plain ? theme.steps[PLAIN_LINE] : undefined) ?? colourOf(chart.groupBy, value, index, theme)
    const cycle = Math.floor(index / SERIES_COLOURS)
    const symbol = MARKERS[(patterns || cycle > 0 ? index + cycle : 0) % MARKERS.length] ?? 'circle'
    const dash = DASHES[(patterns ? index : cycle) % DASHES.length] ?? 'solid'
    return {
      type: 'line',
      name: label,
      connectNulls: false,
      symbol: hasMarkers ? symbol : 'none',
      symbolSize: 6,
      ...(interactive && chart.starts.length > LARGE_THRESHOLD && { sampling }),
      itemStyle: { color },
      lineStyle: { color, width: 2, type: dash === 'solid' ? dash : [...dash] },
      data: hasMarkers ? [...figures] : withMarkers(figures),
    }
  })
}

/** Reserved names, not used by any series. */
export const EARLIER_NAME = '\u2190'
const LIMIT_NAME = '\u2500'
const EXTENT_NAME = '\u2195'
/** Series that the tooltip omits. */
export const HIDDEN_NAMES: readonly string[] = [TOTAL_NAME, LIMIT_NAME, EXTENT_NAME]

/** Values that are not drawn but widen the axis. */
export const extentOf = (extent: readonly [number, number]): LineSeriesOption => ({
  type: 'line',
  name: EXTENT_NAME,
  silent: true,
  symbol: 'none',
  lineStyle: { opacity: 0 },
  data: [...extent],
})

/** Earlier values as a line in the colour of the text: of steps over bars, else dashed. */
export function earlierOf({ graphType, earlier }: Chart, { theme }: ChartOptions): LineSeriesOption[] {
  if (!earlier) return []
  const isStepped = graphType === 'barPlot'
  return [
    {
      type: 'line',
      name: EARLIER_NAME,
      ...(isStepped && { step: 'middle' as const }),
      z: 5,
      symbol: 'none',
      connectNulls: false,
      itemStyle: { color: theme.text },
      lineStyle: { color: theme.text, width: 2, ...(!isStepped && { type: [4, 4] }) },
      // A step is as wide as its period, also between gaps.
      data: isStepped ? [...earlier.figures] : withMarkers(earlier.figures),
    },
  ]
}

/** The limit as a line with words at its end. Its values, which are not drawn, widen the axis. */
export function limitOf({ limit, starts }: Chart, { theme }: ChartOptions): LineSeriesOption[] {
  if (!limit) return []
  return [
    {
      type: 'line',
      name: LIMIT_NAME,
      silent: true,
      symbol: 'none',
      lineStyle: { opacity: 0 },
      data: starts.map(() => limit.value),
      markLine: {
        silent: true,
        symbol: 'none',
        animation: false,
        lineStyle: { color: theme.text, width: 2, type: 'solid' },
        label: {
          position: 'insideEndTop',
          formatter: limit.text,
          color: theme.text,
          fontSize: 12,
          fontWeight: 600,
          textBorderColor: theme.surface,
          textBorderWidth: 3,
        },
        data: [{ yAxis: limit.value }],
      },
    },
  ]
}
