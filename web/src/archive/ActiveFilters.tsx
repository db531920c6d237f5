import { formatHours, weekdayNames } from '@rogatka/domain/core/calendar.ts'
import { splitReading } from '@rogatka/domain/vehicle/reading.ts'
import { useTranslation } from 'react-i18next'
import { ActiveRange } from '../core/frame/ActiveRange.tsx'
import { FilterPanel } from '../core/frame/FilterPanel.tsx'
import { useLanguage } from '../core/language.ts'
import { useStations } from '../locations/publicApi.ts'
import { FilterLine, FilterLines, FilterSection } from '../ui/FilterSection.tsx'
import { ActiveCriteria } from '../ui/vehicle/ActiveCriteria.tsx'
import { ActiveStations } from '../ui/vehicle/ActiveStations.tsx'
import { useFilterTexts } from '../vehicle/publicApi.ts'
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
  const dayNames = weekdayNames(useLanguage(), 'short')

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
                  figure={nationality === '' ? t('no-nationality') : nationality}
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
      <ListSection
        title={t('weekdays')}
        list={search.weekdays}
        text={(weekdays) => weekdays.map((day) => dayNames[day]).join(', ')}
        onRemove={() => onChange({ weekdays: undefined })}
      />
      <ListSection
        title={t('hours-of-day')}
        list={search.hours}
        text={formatHours}
        onRemove={() => onChange({ hours: undefined })}
      />
      <ListSection
        title={t('cost-classes')}
        list={search.ctg323}
        text={(classes) => classes.map((one) => (one === 0 ? t('cost-class-none') : one)).join(', ')}
        onRemove={() => onChange({ ctg323: undefined })}
      />
      <ListSection
        title={t('nationalities')}
        list={search.nationalities}
        text={(codes) => codes.map((code) => (code === '-' ? t('no-nationality') : code)).join(', ')}
        onRemove={() => onChange({ nationalities: undefined })}
      />
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
    </FilterPanel>
  )
}

type ListProps<T> = {
  title: string
  list: readonly T[] | undefined
  text: (list: readonly T[]) => string
  onRemove: () => void
}

/** A filter by several values, in one line. */
const ListSection = <T,>({ title, list, text, onRemove }: ListProps<T>) =>
  list && (
    <FilterSection title={title} onRemove={onRemove}>
      <FilterLines>
        <FilterLine>{text(list)}</FilterLine>
      </FilterLines>
    </FilterSection>
  )
