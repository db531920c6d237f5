import type { WireStatistic } from '@rogatka/contract/statistics.ts'
import { figureFormats } from '@rogatka/domain/statistics/figures.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { defaultDisplay } from './search.ts'
import type { StatisticsSearch } from './urlParams.ts'

/** Texts of the displayed statistic. */
export function useStatisticsTexts(search: StatisticsSearch) {
  const { t } = useTranslation('statistics')
  const { number } = useFormat()
  const { statName } = defaultDisplay(search)
  const { statResolutionUnit: unit = 'hour', statResolutionValue: count = 1 } = search
  return {
    ...figureFormats(statName, number),
    resolution: t(`every-${unit}`, { count }),
    statisticTitle: t(`stat-${statName}`),
    /** Header of the total column: a sum for traffic, else the figure of all vehicles together. */
    sum: statName === 'traffic' ? t('sum') : t('all-series'),
    stationTitle: ({ shortName, chainage }: WireStatistic['location']) => `${shortName}, km ${chainage}`,
  }
}
