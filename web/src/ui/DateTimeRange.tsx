import { useTranslation } from 'react-i18next'
import { DateTimeField } from './DateTimeField.tsx'
import css from './DateTimeRange.module.css'
import { type DateRange, withEnd, withStart } from './dateRange.ts'

type Props = {
  /** For screen readers. */
  label: string
  range: DateRange
  onChange: (range: DateRange) => void
  /** Ends that cannot be changed. With a locked start, an end that is not after it moves to one day later; neither can be cleared. */
  locked?: { start: boolean; end: boolean }
}

/** From and to in Polish time. Keeps start before end; clearing one clears both. */
export function DateTimeRange({ label, range, onChange, locked = { start: false, end: false } }: Props) {
  const { t } = useTranslation('ui')
  const clearLabel = locked.start || locked.end ? undefined : t('clear-range')
  const setEnd = (end: string | null) =>
    onChange(locked.start ? withStart({ ...range, end }, range.start) : withEnd(range, end))
  return (
    <fieldset className={css.range} aria-label={label}>
      <DateTimeField
        label={t('from')}
        value={range.start}
        onChange={(start) => onChange(withStart(range, start))}
        disabled={locked.start}
        clearLabel={clearLabel}
      />
      <DateTimeField
        label={t('to')}
        value={range.end}
        onChange={setEnd}
        disabled={locked.end}
        clearLabel={clearLabel}
      />
    </fieldset>
  )
}
