import type { Division, GraphType, ResolutionUnit, StatName } from '@rogatka/contract/options.ts'
import type { ChartTheme } from '../core/chart/theme.ts'
import type { Title } from '../core/chart/titles.ts'

/** Data of a chart. Texts are formatted; numbers are in wire units. */
export type Chart = {
  statName: StatName
  groupBy: Division
  graphType: GraphType
  unit: ResolutionUnit
  starts: readonly Date[]
  /** Full names of the periods, all distinct. */
  labels: readonly string[]
  series: readonly { value: string; label: string; total: string | null; figures: readonly (number | null)[] }[]
  /** Totals of the periods, for the zoom slider; not needed for images. */
  totals?: readonly (number | null)[]
  /** Figures of the earlier periods, drawn as a line; absent: no comparison. */
  earlier?: { label: string; total: string | null; figures: readonly (number | null)[] } | undefined
  /** A value that is drawn as a line with words; absent: none. */
  limit?: { value: number; text: string } | undefined
  title: Title | null
  /** Text of an empty chart. */
  empty: string
}

/** Display options. Without `interactive` it is an image: no zoom, no tooltip. */
export type ChartOptions = {
  theme: ChartTheme
  /** px */
  width: number
  height: number
  /** Smallest and largest value of several charts with one scale; absent: those of the chart. */
  extent?: readonly [number, number] | undefined
  /** Formats a value for the axis, and in full for the tooltip. */
  tick: (figure: number) => string
  figure: (figure: number | null) => string
  legend: boolean
  /** One colour for all series, if they are no kinds: charts of stations. */
  plain?: boolean
  /** Patterns or dashes besides colours. */
  patterns: boolean
  interactive: boolean
  /** Whether the range can be zoomed; default: if it is interactive. */
  zoomable?: boolean
}
