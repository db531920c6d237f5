import { weekdayNames } from '@rogatka/domain/core/calendar.ts'
import { toggle } from '@rogatka/domain/vehicle/toggle.ts'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../core/language.ts'
import { Section } from '../ui/Panel.tsx'
import { ToggleRow } from '../ui/ToggleRow.tsx'
import type { TimeAndOriginFilters } from './timeAndOrigin.ts'

type Props = { search: TimeAndOriginFilters; onChange: (changes: Partial<TimeAndOriginFilters>) => void }

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: String(hour).padStart(2, '0') }))

/** Hours of the day and weekdays. */
export function TimeSections({ search, onChange }: Props) {
  const { t } = useTranslation('vehicle')
  const language = useLanguage()
  const { hours = [], weekdays = [] } = search
  return (
    <>
      <Section title={t('weekdays')}>
        <ToggleRow
          label={t('weekdays')}
          options={weekdayNames(language, 'short').map((label, value) => ({ value, label }))}
          selected={weekdays}
          onToggle={(day) => onChange({ weekdays: toggle(weekdays, day) })}
        />
      </Section>
      <Section title={t('hours-of-day')}>
        <ToggleRow
          label={t('hours-of-day')}
          options={HOURS}
          selected={hours}
          onToggle={(hour) => onChange({ hours: toggle(hours, hour) })}
        />
      </Section>
    </>
  )
}
