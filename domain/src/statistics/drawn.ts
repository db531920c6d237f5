import type { BarSeriesOption, LineSeriesOption } from 'echarts'
import type { Chart, Look } from './chartData.ts'
import { colourOf } from './colours.ts'
import type { ChartTheme } from './theme.ts'

/** So many series are told apart by colour alone (docs/domain.md, Charts). */
const COLOURS = 9
/** With more parts than this in a bar, gaps between them would leave nothing of the bar. */
const MOST_WITH_GAPS = 12
/** Pixels: a bar, or a part of it, that is smaller has no room for a gap, and a point none for its marker. */
const ROOM_FOR_GAP = 3
const ROOM_BETWEEN_BARS = 6
const ROOM_FOR_MARKER = 12
/** From so many points on a browser draws in a faster, plainer way. */
const MANY = 2_000

const DASHES = ['solid', [6, 3], [2, 3], [10, 3, 2, 3], [10, 3, 2, 3, 2, 3]] as const
const MARKERS = ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'arrow']

type Size = { width: number; height: number }

/** Parts of a whole are stacked. A vehicle with two violations would stand in the stack twice, and speeds do not add up. */
export const isStacked = ({ statName, groupBy }: Pick<Chart, 'statName' | 'groupBy'>): boolean =>
  (statName === 'traffic' || statName === 'trafficDensity') && groupBy !== 'violation'

const chequered = [
  [6, 6],
  [0, 6, 6, 0],
]

/** A pattern in the colour of the ground. Made anew each time: ECharts writes into it. */
function decalOf(index: number, { surface: color }: ChartTheme) {
  const stripes = { color, dashArrayX: [1, 0], dashArrayY: [2, 5] }
  const decals = [
    { ...stripes, rotation: Math.PI / 4 },
    { color, symbol: 'circle', dashArrayX: chequered, dashArrayY: [5, 0], symbolSize: 0.7 },
    { ...stripes, rotation: -Math.PI / 4 },
    stripes,
    { color, dashArrayX: chequered, dashArrayY: [6, 0] },
    { ...stripes, rotation: Math.PI / 2 },
    { color, symbol: 'triangle', dashArrayX: chequered, dashArrayY: [6, 2], symbolSize: 0.8 },
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

/** The series as bars: stacked where they are parts of a whole, else side by side. */
export function barsOf(chart: Chart, { theme, patterns, interactive }: Look, plot: Size): BarSeriesOption[] {
  const stacked = isStacked(chart)
  const room = plot.width / Math.max(1, chart.starts.length) / (stacked ? 1 : Math.max(1, chart.series.length))
  const gaps = room >= ROOM_BETWEEN_BARS && chart.series.length <= MOST_WITH_GAPS
  const smallest = (ROOM_FOR_GAP * highest(chart, stacked)) / plot.height
  return chart.series.map(({ value, label, figures }, index) => ({
    type: 'bar',
    name: label,
    ...(stacked && { stack: 'all' }),
    barMaxWidth: 72,
    barCategoryGap: room >= ROOM_BETWEEN_BARS || !stacked ? '16%' : '0%',
    barGap: '0%',
    ...(interactive && { large: chart.starts.length > MANY, largeThreshold: MANY }),
    itemStyle: {
      color: colourOf(chart.groupBy, value, index, theme),
      ...(gaps && { borderColor: theme.surface, borderWidth: 1 }),
      ...((patterns || index >= COLOURS) && { decal: decalOf(index, theme) }),
    },
    data: figures.map((figure) =>
      gaps && figure !== null && figure < smallest ? { value: figure, itemStyle: { borderWidth: 0 } } : figure,
    ),
  }))
}

/** The series as lines, which break where there is nothing to tell. */
export function linesOf(chart: Chart, { theme, patterns, interactive }: Look, plot: Size): LineSeriesOption[] {
  const marked = plot.width / Math.max(1, chart.starts.length) >= ROOM_FOR_MARKER
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
      ...(interactive && chart.starts.length > MANY && { sampling }),
      itemStyle: { color },
      lineStyle: { color, width: 2, type: dash === 'solid' ? dash : [...dash] },
      data: figures.map((figure, i) =>
        !marked && figure !== null && alone(i) ? { value: figure, symbol: 'circle', symbolSize: 4 } : figure,
      ),
    }
  })
}
