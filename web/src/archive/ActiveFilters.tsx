import { splitReading } from '@rogatka/domain/vehicle/reading.ts'
import { useTranslation } from 'react-i18next'
import { ActiveRange } from '../core/frame/ActiveRange.tsx'
import { FilterPanel } from '../core/frame/FilterPanel.tsx'
import { useStations } from '../locations/publicApi.ts'
import { PurposeInForce } from '../trail/publicApi.ts'
import { FilterLine, FilterLines, FilterSection } from '../ui/FilterSection.tsx'
import { ActiveCriteria } from '../ui/vehicle/ActiveCriteria.tsx'
import { ActiveStations } from '../ui/vehicle/ActiveStations.tsx'
import { ActiveTimeClassCountry, useFilterTexts } from '../vehicle/publicApi.ts'
import { type ArchiveSearch, levelsIn, orderFrom, sortLevels } from './search.ts'

type Props = {
  search: ArchiveSearch
  onChange: (changes: Partial<ArchiveSearch>) => void
}

export function ActiveFilters({ search, onChange }: Props) {
  const { t } = useTranslation('archive')
  const { activeData, columnName, criteriaTexts, directionName } = useFilterTexts()
  const { stations } = useStations()
  const levels = sortLevels(search)
  const ordered = levelsIn(search).length > 0

  return (
    <FilterPanel>
      <ActiveStations stations={stations} selected={search.locations} onChange={onChange} />
      <ActiveCriteria filters={search} data={activeData(search)} onChange={onChange} texts={criteriaTexts} />
      {search.plates && (
        <FilterSection title={t('plates')} onRemove={() => onChange({ plates: undefined })}>
          <FilterLines>
            {search.plates.map((reading) => {
              const [plate, nationality] = splitReading(reading)
              return (
                <FilterLine
                  key={reading}
                  figure={nationality === '' ? t('vehicle:no-nationality') : nationality}
                  onRemove={{
                    name: nationality ? `${plate} ${nationality}` : plate,
                    run: () => onChange({ plates: search.plates?.filter((other) => other !== reading) }),
                  }}
                >
                  {plate}
                </FilterLine>
              )
            })}
          </FilterLines>
        </FilterSection>
      )}
      <ActiveTimeClassCountry filters={search} onChange={onChange} />
      {search.taggedOnly && (
        <FilterSection title={t('tag')} onRemove={() => onChange({ taggedOnly: undefined })}>
          <FilterLines>
            <FilterLine>{t('tagged-only')}</FilterLine>
          </FilterLines>
        </FilterSection>
      )}
      <ActiveRange range={search} onChange={onChange} />
      <FilterSection title={t('order')} {...(ordered && { onRemove: () => onChange(orderFrom([])) })}>
        <FilterLines>
          {levels.map(({ column, direction }, at) => (
            <FilterLine key={column}>
              {levels.length > 1 && `${at + 1}. `}
              {columnName(column)}, {directionName(direction)}
            </FilterLine>
          ))}
        </FilterLines>
      </FilterSection>
      <PurposeInForce />
    </FilterPanel>
  )
}
