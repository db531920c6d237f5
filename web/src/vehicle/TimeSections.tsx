import { useTranslation } from 'react-i18next'
import { Section } from '../ui/Panel.tsx'
import { HourChoice, WeekdayChoice } from './TimeClassCountryChoices.tsx'
import type { TimeClassCountryFilters } from './timeClassCountry.ts'

type Props = { search: TimeClassCountryFilters; onChange: (changes: Partial<TimeClassCountryFilters>) => void }

/** Hours of the day and weekdays. */
export function TimeSections(props: Props) {
  const { t } = useTranslation('vehicle')
  return (
    <>
      <Section title={t('weekdays')}>
        <WeekdayChoice {...props} />
      </Section>
      <Section title={t('hours-of-day')}>
        <HourChoice {...props} />
      </Section>
    </>
  )
}
