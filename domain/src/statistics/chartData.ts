import type { Division, GraphType, ResolutionUnit, StatName } from '@rogatka/contract/statistics.ts'
import type { ChartTheme } from '../core/chart/theme.ts'
import type { Title } from '../core/chart/titles.ts'

/** What a chart shows. Texts are ready to be read; numbers are as they travel. */
export type Chart = {
  statName: StatName
  groupBy: Division
  graphType: GraphType
  unit: ResolutionUnit
  starts: readonly Date[]
  /** The full names of the periods, each different. */
  labels: readonly string[]
  series: readonly { value: string; label: string; total: string | null; figures: readonly (number | null)[] }[]
  /** All series of each period together, for the strip that zooms; not needed in a picture. */
  totals?: readonly (number | null)[]
  title: Title | null
  /** Stands in the middle when there is nothing to draw. */
  empty: string
}

/** How it is shown. Without `interactive` it is a picture: no zoom, no values under the pointer. */
export type ChartOptions = {
  theme: ChartTheme
  /** Pixels. */
  width: number
  height: number
  /** A figure on the axis, and in full under the pointer. */
  tick: (figure: number) => string
  figure: (figure: number | null) => string
  legend: boolean
  /** Every series has a pattern or a dash of its own besides its colour. */
  patterns: boolean
  interactive: boolean
}
