import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterSection } from '../ui/FilterSection.tsx'
import { CostClassChoice, HourChoice, NationalityField, WeekdayChoice } from './TimeClassCountryChoices.tsx'
import css from './TimeClassCountryFilter.module.css'
import type { TimeClassCountryFilters } from './timeClassCountry.ts'

type Props = {
  search: TimeClassCountryFilters
  onChange: (changes: Partial<TimeClassCountryFilters>) => void
  /** Below the filters. */
  note?: ReactNode
}

/** Filters by weekday, hour, COST 323 class and country, in a filter panel. */
export function TimeClassCountryFilter({ search, onChange, note }: Props) {
  const { t } = useTranslation('vehicle')
  const choices = { search, onChange, isNarrow: true }
  const section = (title: string, key: keyof TimeClassCountryFilters, content: ReactNode, below?: ReactNode) => (
    <FilterSection title={title} {...(search[key] && { onRemove: () => onChange({ [key]: undefined }) })}>
      <div className={css.choice}>
        {content}
        {below && <p className={css.note}>{below}</p>}
      </div>
    </FilterSection>
  )
  return (
    <>
      {section(t('weekdays'), 'weekdays', <WeekdayChoice {...choices} />)}
      {section(t('hours-of-day'), 'hours', <HourChoice {...choices} />)}
      {section(t('cost-classes'), 'ctg323', <CostClassChoice {...choices} />)}
      {section(t('nationalities'), 'nationalities', <NationalityField {...choices} />, note)}
    </>
  )
}
