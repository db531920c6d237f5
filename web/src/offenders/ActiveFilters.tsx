import { useTranslation } from 'react-i18next'
import { formatDate } from '../core/format.ts'
import { FilterPanel } from '../core/frame/FilterPanel.tsx'
import { useStations } from '../locations/publicApi.ts'
import { PurposeInForce } from '../trail/publicApi.ts'
import { daysOf } from '../ui/dayRange.ts'
import { FilterLine, FilterLines, FilterSection } from '../ui/FilterSection.tsx'
import { ActiveStations } from '../ui/vehicle/ActiveStations.tsx'
import { DEFAULT_MIN, type OffenderSearch } from './search.ts'
import { WeekLegend } from './WeekBars.tsx'

type Props = { search: OffenderSearch; onChange: (changes: Partial<OffenderSearch>) => void }

/** Active filters with remove buttons, and the legend of the bars. */
export function ActiveFilters({ search, onChange }: Props) {
  const { t } = useTranslation('offenders')
  const { stations } = useStations()
  const { from, until } = daysOf(search)
  const { minOverloads = DEFAULT_MIN } = search
  const removeMinimum = minOverloads !== DEFAULT_MIN && { onRemove: () => onChange({ minOverloads: undefined }) }
  return (
    <FilterPanel legend={<WeekLegend />}>
      <ActiveStations stations={stations} selected={search.locations} onChange={onChange} figureOf={() => null} />
      {(from || until) && (
        <FilterSection
          title={t('ui:range')}
          onRemove={() => onChange({ dateTimeStart: undefined, dateTimeEnd: undefined })}
        >
          <FilterLines>
            {from && <FilterLine figure={formatDate(`${from}T12:00Z`)}>{t('from-day')}</FilterLine>}
            {until && <FilterLine figure={formatDate(`${until}T12:00Z`)}>{t('until-day')}</FilterLine>}
          </FilterLines>
        </FilterSection>
      )}
      <FilterSection title={t('overloaded-passages')} {...removeMinimum}>
        <FilterLines>
          <FilterLine figure={minOverloads}>{t('minimum')}</FilterLine>
        </FilterLines>
      </FilterSection>
      <PurposeInForce />
    </FilterPanel>
  )
}
