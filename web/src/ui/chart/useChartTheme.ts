import { useComputedColorScheme } from '@mantine/core'
import { type ChartTheme, themes } from '@rogatka/domain/core/chart/theme.ts'

/** The colours of charts in the theme of the screen. */
export const useChartTheme = (): ChartTheme => themes[useComputedColorScheme('light')]
