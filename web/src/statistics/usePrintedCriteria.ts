import { violations } from '@rogatka/contract/vehicle.ts'
import { useTranslation } from 'react-i18next'
import { formatMinute } from '../core/format.ts'
import { useLocations } from '../locations/publicApi.ts'
import { useFilterTexts, usePrintedTimeClassCountry } from '../vehicle/publicApi.ts'
import { defaultDisplay } from './search.ts'
import type { StatisticsSearch } from './urlParams.ts'
import { useStatisticsTexts } from './useStatisticsTexts.ts'

/** The query in words, for paper. */
export function usePrintedCriteria(search: StatisticsSearch): string[] {
  const { t } = useTranslation('statistics')
  const { criteriaTexts } = useFilterTexts()
  const { statisticTitle, resolution } = useStatisticsTexts(search)
  const { data: stations = [] } = useLocations()
  const timeClassCountry = usePrintedTimeClassCountry(search)
  const { locations = [], dateTimeStart = '', dateTimeEnd = '', ctg8p1 = [], laneNumbers = [] } = search
  const { compare } = search
  const list = (title: string, values: readonly (string | number)[]) =>
    values.length > 0 ? `${title}: ${values.join(', ')}` : ''
  return [
    stations
      .filter(({ id }) => locations.includes(id))
      .map(({ shortName }) => shortName)
      .join(', '),
    `${formatMinute(dateTimeStart)} ${t('ui:to')} ${formatMinute(dateTimeEnd)}`,
    `${statisticTitle}, ${resolution}`,
    list(t('division'), [t(`division-${defaultDisplay(search).groupBy}`)]),
    list(criteriaTexts.categories, ctg8p1.map(criteriaTexts.categoryName)),
    list(criteriaTexts.lanes, laneNumbers),
    list(criteriaTexts.violations, violations.filter((name) => search[name]).map(criteriaTexts.violationName)),
    ...timeClassCountry,
    compare ? list(t('compare'), [t(`compare-${compare}`)]) : '',
  ].filter((text) => text !== '')
}
