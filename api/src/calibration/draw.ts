import type { Language } from '@rogatka/contract/languages.ts'
import { type CalibrationChart, calibrationOption } from '@rogatka/domain/calibration/chart.ts'
import { themes } from '@rogatka/domain/core/chart/theme.ts'
import type { Drawing } from '../core/chart-image.ts'
import { axisFormat } from '../core/text.ts'

/** Input of the chart of a lane, with its size in px; `scale` multiplies it, for print. */
export type ChartInput = { chart: CalibrationChart; language: Language; width: number; height: number; scale: number }

/** The chart of a lane in light colours. */
export function draw({ chart, language, width, height, scale }: ChartInput): Drawing {
  const option = calibrationOption(chart, {
    theme: themes.light,
    width,
    height,
    format: axisFormat(language),
    interactive: false,
  })
  return { option, width, height, scale }
}
