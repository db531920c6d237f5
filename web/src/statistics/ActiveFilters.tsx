import { useTranslation } from 'react-i18next'
import { ActiveRange } from '../core/frame/ActiveRange.tsx'
import { FilterPanel } from '../core/frame/FilterPanel.tsx'
import { useStations } from '../locations/publicApi.ts'
import { FilterLine, FilterLines, FilterSection } from '../ui/FilterSection.tsx'
import { ActiveCriteria } from '../ui/vehicle/ActiveCriteria.tsx'
import { ActiveStations } from '../ui/vehicle/ActiveStations.tsx'
import { ActiveTimeClassCountry, useFilterTexts } from '../vehicle/publicApi.ts'
import { isLocked } from './presets.ts'
import { defaultDisplay } from './search.ts'
import type { StatisticsSearch } from './urlParams.ts'
import { useStatisticsTexts } from './useStatisticsTexts.ts'

type Props = { search: StatisticsSearch; onChange: (changes: Partial<StatisticsSearch>) => void }

/** Active filters with remove buttons; removing a locked one leaves the preset. */
export function ActiveFilters({ search, onChange }: Props) {
  const { t } = useTranslation('statistics')
  const { criteriaTexts } = useFilterTexts()
  const { stations } = useStations()
  const { statisticTitle, resolution } = useStatisticsTexts(search)
  const { groupBy, graphType } = defaultDisplay(search)
  const isRangeLocked = isLocked(search, 'start') || isLocked(search, 'end')

  return (
    <FilterPanel>
      <ActiveStations stations={stations} selected={search.locations} onChange={onChange} />
      <ActiveCriteria filters={search} onChange={onChange} texts={criteriaTexts} />
      <ActiveTimeClassCountry filters={search} onChange={onChange} />
      <ActiveRange range={search} {...(!isRangeLocked && { onChange })} />
      <FilterSection title={t('display')}>
        <FilterLines>
          <FilterLine figure={search.statResolutionUnit && search.statResolutionValue ? resolution : undefined}>
            {statisticTitle}
          </FilterLine>
          <FilterLine figure={t(`division-${groupBy}`)}>{t('division')}</FilterLine>
          <FilterLine figure={t(`chart-${graphType}`)}>{t('chart')}</FilterLine>
        </FilterLines>
      </FilterSection>
      {search.compare && (
        <FilterSection title={t('compare')} onRemove={() => onChange({ compare: undefined, result: search.result })}>
          <FilterLines>
            <FilterLine>{t(`compare-${search.compare}`)}</FilterLine>
          </FilterLines>
        </FilterSection>
      )}
    </FilterPanel>
  )
}
