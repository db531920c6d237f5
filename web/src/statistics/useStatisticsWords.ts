import type { StatName, WireStatistic } from '@rogatka/contract/statistics.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import type { StatisticsSearch } from './address.ts'
import { shownBy } from './search.ts'

/** Means have decimals, and so has a density; a mean load is told in whole kg. */
const DECIMALS: Partial<Record<StatName, number>> = { trafficDensity: 2, avgSpeed: 1 }

/** What is shown, in words and figures. */
export function useStatisticsWords(search: StatisticsSearch) {
  const { t } = useTranslation('statistics')
  const { number } = useFormat()
  const { statName } = shownBy(search)
  const { statResolutionUnit: unit = 'hour', statResolutionValue: count = 1 } = search
  const decimals = DECIMALS[statName] ?? 0
  return {
    /** In a column, where commas stand below each other. */
    figure: (value: number | null) => number(value, decimals),
    /** On an axis, where whole numbers stay whole. */
    tick: (value: number) => number(value, Number.isInteger(value) ? 0 : Math.max(1, decimals)),
    resolution: t(`every-${unit}`, { count }),
    what: t(`stat-${statName}`),
    /** What the column at the right holds: sums of what adds up, else the same figure of all vehicles together. */
    sum: statName === 'traffic' ? t('sum') : t('together'),
    place: ({ shortName, chainage }: WireStatistic['location']) => `${shortName}, km ${chainage}`,
  }
}
