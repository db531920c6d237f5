import { TextInput } from '@mantine/core'
import { weekdayNames } from '@rogatka/domain/core/calendar.ts'
import { toggle } from '@rogatka/domain/vehicle/toggle.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../core/language.ts'
import { ToggleRow } from '../ui/ToggleRow.tsx'
import { nationalitiesIn, type TimeClassCountryFilters } from './timeClassCountry.ts'

type Props = {
  search: TimeClassCountryFilters
  onChange: (changes: Partial<TimeClassCountryFilters>) => void
  /** In the narrow filter panel. */
  isNarrow?: boolean
}

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: String(hour).padStart(2, '0') }))
const CLASSES = [1, 2, 3, 4, 5, 6, 7, 8, 0]
const COLUMNS = { weekdays: 4, hours: 6, classes: 5 }

export function WeekdayChoice({ search: { weekdays = [] }, onChange, isNarrow = false }: Props) {
  const { t } = useTranslation('vehicle')
  const language = useLanguage()
  return (
    <ToggleRow
      label={t('weekdays')}
      options={weekdayNames(language, 'short').map((label, value) => ({ value, label }))}
      selected={weekdays}
      onToggle={(day) => onChange({ weekdays: toggle(weekdays, day) })}
      columns={isNarrow ? COLUMNS.weekdays : undefined}
    />
  )
}

export function HourChoice({ search: { hours = [] }, onChange, isNarrow = false }: Props) {
  const { t } = useTranslation('vehicle')
  return (
    <ToggleRow
      label={t('hours-of-day')}
      options={HOURS}
      selected={hours}
      onToggle={(hour) => onChange({ hours: toggle(hours, hour) })}
      columns={isNarrow ? COLUMNS.hours : undefined}
    />
  )
}

export function CostClassChoice({ search: { ctg323 = [] }, onChange, isNarrow = false }: Props) {
  const { t } = useTranslation('vehicle')
  const none = isNarrow ? '–' : t('cost-class-none')
  return (
    <ToggleRow
      label={t('cost-classes')}
      options={CLASSES.map((value) => ({
        value,
        label: value === 0 ? none : String(value),
        ...(value === 0 && { name: t('cost-class-none') }),
      }))}
      selected={ctg323}
      onToggle={(one) => onChange({ ctg323: toggle(ctg323, one) })}
      columns={isNarrow ? COLUMNS.classes : undefined}
    />
  )
}

/** Takes effect on Enter and when the field is left. */
export function NationalityField(props: Props) {
  const text = (props.search.nationalities ?? []).join(' ')
  return <NationalityInput key={text} text={text} {...props} />
}

function NationalityInput({ text, onChange }: Props & { text: string }) {
  const { t } = useTranslation('vehicle')
  const [draft, setDraft] = useState(text)
  const commit = () => {
    const nationalities = nationalitiesIn(draft)
    if (nationalities?.join(' ') !== (text || undefined)) onChange({ nationalities })
    else setDraft(text)
  }
  return (
    <TextInput
      aria-label={t('nationalities')}
      description={t('nationality-hint')}
      value={draft}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
      autoComplete="off"
      spellCheck={false}
    />
  )
}
