import { useComputedColorScheme } from '@mantine/core'
import { type ChartTheme, themes } from '@rogatka/domain/core/chart/theme.ts'

/** Chart colours of the current colour scheme. */
export const useChartTheme = (): ChartTheme => themes[useComputedColorScheme('light')]
