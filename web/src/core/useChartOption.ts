import type { ChartTheme } from '@rogatka/domain/core/chart/theme.ts'
import type { EChartsOption } from 'echarts'
import { useCallback } from 'react'
import { useChartTheme } from '../ui/chart/useChartTheme.ts'
import { formatNumber } from './format.ts'
import { useLanguage } from './language.ts'

type Options = {
  theme: ChartTheme
  /** px */
  width: number
  height: number
  format: (figure: number) => string
  interactive: boolean
}

/**
 * The option of a chart for a width, in the colours and number format of the page. Stable as long as chart, theme and
 * language are.
 */
export function useChartOption<C>(build: (chart: C, options: Options) => EChartsOption, chart: C, height: number) {
  const language = useLanguage()
  const theme = useChartTheme()
  return useCallback(
    (width: number) =>
      build(chart, {
        theme,
        width,
        height,
        format: (figure) => formatNumber(language, figure, Number.isInteger(figure) ? 0 : 1),
        interactive: true,
      }),
    [build, chart, theme, language, height],
  )
}
