import type { Language } from '@rogatka/contract/languages.ts'
import { type CalibrationChart, calibrationOption } from '@rogatka/domain/calibration/chart.ts'
import { themes } from '@rogatka/domain/core/chart/theme.ts'
import type { Drawing } from '../core/chart-image.ts'
import { numberFormat } from '../core/text.ts'

/** What the chart of a lane is drawn from, with its size in pixels, `scale` times as large for print. */
export type GraphInput = { chart: CalibrationChart; language: Language; width: number; height: number; scale: number }

/** The chart of a lane in the light colours. */
export function draw({ chart, language, width, height, scale }: GraphInput): Drawing {
  const [whole, tenths] = [numberFormat(language), numberFormat(language, 1)]
  const option = calibrationOption(chart, {
    theme: themes.light,
    width,
    height,
    format: (figure) => (Number.isInteger(figure) ? whole : tenths).format(figure),
    interactive: false,
  })
  return { option, width, height, scale }
}
