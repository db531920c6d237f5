import type { Language } from '@rogatka/contract/languages.ts'
import { themes } from '@rogatka/domain/core/chart/theme.ts'
import { type DifferenceChart, differenceOption } from '@rogatka/domain/inspections/differenceChart.ts'
import type { Drawing } from '../core/chart-image.ts'
import { axisFormat } from '../core/text.ts'

/** Input of the chart of differences, with its size in px; `scale` multiplies it, for print. */
export type ChartInput = { chart: DifferenceChart; language: Language; width: number; height: number; scale: number }

/** The chart of differences in light colours. */
export function draw({ chart, language, width, height, scale }: ChartInput): Drawing {
  const format = axisFormat(language)
  const option = differenceOption(chart, { theme: themes.light, width, height, format, interactive: false })
  return { option, width, height, scale }
}
