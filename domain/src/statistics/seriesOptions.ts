import type { BarSeriesOption, LineSeriesOption } from 'echarts'
import type { ChartTheme } from '../core/chart/theme.ts'
import type { Chart, ChartOptions } from './chartData.ts'
import { colourOf } from './colours.ts'

/** So many series are told apart by colour alone (docs/domain.md, Charts). */
const COLOURS = 9
/** With more parts than this in a bar, gaps between them would leave nothing of the bar. */
const MAX_WITH_GAPS = 12
/** Pixels: a bar, or a part of it, that is smaller has no room for a gap, and a point none for its marker. */
const MIN_GAP_PX = 4
const MIN_BAR_GAP_PX = 6
/** Of the width that a period has. */
const GROUP_GAP_SHARE = 0.16
const MIN_MARKER_PX = 12
/** From so many points on a browser draws in a faster, plainer way. */
const LARGE_THRESHOLD = 2_000

const DASHES = ['solid', [6, 3], [2, 3], [10, 3, 2, 3], [10, 3, 2, 3, 2, 3]] as const
const MARKERS = ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'arrow']

/** Pixels; a bar that is narrower is a hairline. */
const MIN_BAR = 4

type Size = { width: number; height: number }

/** Parts of a whole are stacked. A vehicle with two violations would stand in the stack twice, and speeds do not add up. */
export const isStacked = ({ statName, groupBy }: Pick<Chart, 'statName' | 'groupBy'>): boolean =>
  (statName === 'traffic' || statName === 'trafficDensity') && groupBy !== 'violation'

/** Where ranges go from low to high their order tells more than their size. */
const isOrdered = ({ groupBy }: Pick<Chart, 'groupBy'>): boolean => groupBy === 'speedRange' || groupBy === 'overSpeed'

/** How many periods an axis shows side by side as bars that are no hairlines. */
export function barsInView(chart: Pick<Chart, 'statName' | 'groupBy' | 'series'>, width: number): number {
  const each = isStacked(chart) ? MIN_BAR : (MIN_BAR * Math.max(1, chart.series.length)) / (1 - GROUP_GAP_SHARE)
  return Math.max(1, Math.floor(width / each))
}

const CHEQUERED = [
  [6, 6],
  [0, 6, 6, 0],
]

/** A pattern in the colour of the ground. Made anew each time: ECharts writes into it. */
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

/** The highest bar that these figures make, in their own unit. */
function highest({ series, starts }: Chart, stacked: boolean): number {
  const columns = starts.map((_, i) => series.map(({ figures }) => figures[i] ?? 0))
  const height = (column: number[]) =>
    stacked ? column.reduce((sum, figure) => sum + figure, 0) : Math.max(0, ...column)
  return columns.reduce((most, column) => Math.max(most, height(column)), 0)
}

/**
 * The series as bars: side by side, or stacked where they are parts of a whole. The largest is at the base, where its
 * bars can be compared; colour and pattern are those of its place among the series.
 */
export function barsOf(chart: Chart, { theme, patterns, interactive }: ChartOptions, plot: Size): BarSeriesOption[] {
  const stacked = isStacked(chart)
  const room = plot.width / Math.max(1, chart.starts.length) / (stacked ? 1 : Math.max(1, chart.series.length))
  const gaps = room >= MIN_BAR_GAP_PX && chart.series.length <= MAX_WITH_GAPS
  const smallest = (MIN_GAP_PX * highest(chart, stacked)) / plot.height
  const bars = chart.series.map(
    ({ value, label, figures }, index): BarSeriesOption => ({
      type: 'bar',
      name: label,
      ...(stacked && { stack: 'all' }),
      barMaxWidth: 72,
      barCategoryGap: room >= MIN_BAR_GAP_PX || !stacked ? `${100 * GROUP_GAP_SHARE}%` : '0%',
      barGap: '0%',
      ...(interactive && { large: chart.starts.length > LARGE_THRESHOLD, largeThreshold: LARGE_THRESHOLD }),
      itemStyle: {
        color: colourOf(chart.groupBy, value, index, theme),
        ...(gaps && { borderColor: theme.surface, borderWidth: 1 }),
        ...((patterns || index >= COLOURS) && { decal: decalOf(index, theme) }),
      },
      data: figures.map((figure) =>
        gaps && figure !== null && figure < smallest ? { value: figure, itemStyle: { borderWidth: 0 } } : figure,
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

/** Its series is on an axis of its own, so that it stretches nothing. */
const TOTAL_AXIS = 1
/** No series of a chart is called so. */
export const TOTAL_NAME = '\u2211'

/** All series together, which only the strip that zooms shows: it draws the first series that it finds. */
export const totalOf = (totals: readonly (number | null)[]): LineSeriesOption => ({
  type: 'line',
  name: TOTAL_NAME,
  yAxisIndex: TOTAL_AXIS,
  silent: true,
  symbol: 'none',
  lineStyle: { opacity: 0 },
  data: [...totals],
})

/** The series as lines, which break where there is nothing to tell. */
export function linesOf(chart: Chart, { theme, patterns, interactive }: ChartOptions, plot: Size): LineSeriesOption[] {
  const marked = plot.width / Math.max(1, chart.starts.length) >= MIN_MARKER_PX
  const sampling = chart.statName.startsWith('min') ? 'min' : chart.statName.startsWith('max') ? 'max' : 'average'
  return chart.series.map(({ value, label, figures }, index) => {
    const color = colourOf(chart.groupBy, value, index, theme)
    const round = Math.floor(index / COLOURS)
    const symbol = MARKERS[(patterns || round > 0 ? index + round : 0) % MARKERS.length] ?? 'circle'
    const dash = DASHES[(patterns ? index : round) % DASHES.length] ?? 'solid'
    // Between two gaps a line has no length: such a point is marked, else it would not be seen.
    const alone = (i: number) => (figures[i - 1] ?? null) === null && (figures[i + 1] ?? null) === null
    return {
      type: 'line',
      name: label,
      connectNulls: false,
      symbol: marked ? symbol : 'none',
      symbolSize: 6,
      ...(interactive && chart.starts.length > LARGE_THRESHOLD && { sampling }),
      itemStyle: { color },
      lineStyle: { color, width: 2, type: dash === 'solid' ? dash : [...dash] },
      data: figures.map((figure, i) =>
        !marked && figure !== null && alone(i) ? { value: figure, symbol: 'circle', symbolSize: 4 } : figure,
      ),
    }
  })
}
