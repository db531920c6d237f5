import type { Language } from '@rogatka/contract/languages.ts'
import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import { themes } from '@rogatka/domain/core/chart/theme.ts'
import { chartOption } from '@rogatka/domain/statistics/chart.ts'
import type { Chart } from '@rogatka/domain/statistics/chartData.ts'
import type { Drawing } from '../core/chart-image.ts'
import { formatFigures } from './texts.ts'

/** Input of the chart of a location; `scale` multiplies the pixels, for print. */
export type ChartInput = { chart: Chart; language: Language; scale: number }

/** The chart of a location in light colours. */
export function draw({ chart, language, scale }: ChartInput): Drawing {
  const { figure, tick } = formatFigures(chart.statName, language)
  const option = chartOption(chart, {
    theme: themes.light,
    width: GRAPH_WIDTH,
    height: GRAPH_HEIGHT,
    tick,
    figure,
    legend: true,
    patterns: false,
    interactive: false,
  })
  return { option, width: GRAPH_WIDTH, height: GRAPH_HEIGHT, scale }
}
