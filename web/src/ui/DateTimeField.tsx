import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/de'
import 'dayjs/locale/lt'
import 'dayjs/locale/pl'
import 'dayjs/locale/ro'
import { DatesProvider, DateTimePicker } from '@mantine/dates'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { instantAt, wallOf } from './dateRange.ts'

type Props = {
  label: string
  /** An instant, ISO 8601 in UTC. */
  value: string | null
  onChange: (instant: string | null) => void
  required?: boolean
  disabled?: boolean
  /** What its button that empties it is called; absent: it has none. */
  clearLabel?: string | undefined
  error?: ReactNode
}

/** A time by the clock of Warsaw. What is picked counts once the picker is closed: half a time would be another one. */
export function DateTimeField({
  label,
  value,
  onChange,
  required = false,
  disabled = false,
  clearLabel,
  error,
}: Props) {
  const { t, i18n } = useTranslation('ui')
  // The picker is named by its field.
  const id = useId()
  const [picked, setPicked] = useState<string | null>(null)
  const close = () => {
    if (picked !== null) onChange(instantAt(picked))
    setPicked(null)
  }
  return (
    // Red is for violations: not for weekends.
    <DatesProvider settings={{ locale: i18n.language, firstDayOfWeek: 1, weekendDays: [] }}>
      <DateTimePicker
        label={label}
        placeholder={t('no-date')}
        valueFormat="DD.MM.YYYY HH:mm"
        required={required}
        withAsterisk={false}
        disabled={disabled}
        error={error}
        clearable={clearLabel !== undefined}
        clearButtonProps={{ 'aria-label': clearLabel }}
        value={picked ?? (value && wallOf(value))}
        onChange={(wall) => (wall === null ? onChange(null) : setPicked(wall))}
        onDropdownClose={close}
        hideOutsideDates
        id={id}
        popoverProps={{ id, withinPortal: false, transitionProps: { duration: 0 } }}
        ariaLabels={{
          previousMonth: t('previous-month'),
          nextMonth: t('next-month'),
          previousYear: t('previous-year'),
          nextYear: t('next-year'),
          previousDecade: t('previous-years'),
          nextDecade: t('next-years'),
        }}
        timePickerProps={{ hoursInputLabel: t('hour'), minutesInputLabel: t('minute') }}
        submitButtonProps={{ 'aria-label': t('take-date'), size: 'var(--h-control)' }}
      />
    </DatesProvider>
  )
}
