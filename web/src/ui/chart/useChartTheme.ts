import { useComputedColorScheme } from '@mantine/core'
import { type ChartTheme, themes } from '@rogatka/domain/core/chart/theme.ts'
import { usePrinting } from '../usePrinting.ts'

/** Chart colours of the current colour scheme, which is light in print. */
export function useChartTheme(): ChartTheme {
  const scheme = useComputedColorScheme('light')
  return themes[usePrinting() ? 'light' : scheme]
}
