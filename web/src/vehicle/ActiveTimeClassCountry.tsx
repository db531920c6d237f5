import { formatHours, weekdayNames } from '@rogatka/domain/core/calendar.ts'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../core/language.ts'
import { FilterLine, FilterLines, FilterSection } from '../ui/FilterSection.tsx'
import type { TimeClassCountryFilters } from './timeClassCountry.ts'

type Props = {
  filters: TimeClassCountryFilters
  onChange: (changes: TimeClassCountryFilters) => void
}

/** Active filters by weekday, hour, COST class and country, each with a remove button. */
export function ActiveTimeClassCountry({ filters, onChange }: Props) {
  const { t } = useTranslation('vehicle')
  const dayNames = weekdayNames(useLanguage(), 'short')
  return (
    <>
      <ListSection
        title={t('weekdays')}
        list={filters.weekdays}
        text={(weekdays) => weekdays.map((day) => dayNames[day]).join(', ')}
        onRemove={() => onChange({ weekdays: undefined })}
      />
      <ListSection
        title={t('hours-of-day')}
        list={filters.hours}
        text={formatHours}
        onRemove={() => onChange({ hours: undefined })}
      />
      <ListSection
        title={t('cost-classes')}
        list={filters.ctg323}
        text={(classes) => classes.map((one) => (one === 0 ? t('cost-class-none') : one)).join(', ')}
        onRemove={() => onChange({ ctg323: undefined })}
      />
      <ListSection
        title={t('nationalities')}
        list={filters.nationalities}
        text={(codes) => codes.map((code) => (code === '-' ? t('no-nationality') : code)).join(', ')}
        onRemove={() => onChange({ nationalities: undefined })}
      />
    </>
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
