import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DateTimeRange } from './DateTimeRange.tsx'
import type { DateRange } from './dateRange.ts'
import { Section } from './Panel.tsx'

/** The range as URL parameters: ISO 8601 in UTC. */
type RangeParams = { dateTimeStart?: string | undefined; dateTimeEnd?: string | undefined }

type Props = {
  search: RangeParams
  onChange: (range: RangeParams) => void
  /** Whether the required range is missing. */
  missing: { range: boolean }
  /** Beside the title, unless the range is missing. */
  hint?: ReactNode
  locked?: { start: boolean; end: boolean }
  /** Below the fields. */
  children?: ReactNode
}

export const toRangeParams = ({ start, end }: DateRange): RangeParams => ({
  dateTimeStart: start ?? undefined,
  dateTimeEnd: end ?? undefined,
})

/** Wizard section for the time range. */
export function RangeSection({ search, onChange, missing, hint, children, ...locked }: Props) {
  const { t } = useTranslation('ui')
  const { dateTimeStart = null, dateTimeEnd = null } = search
  return (
    <Section title={t('range')} invalid={missing.range} hint={missing.range ? t('range-missing') : hint}>
      <DateTimeRange
        label={t('range')}
        range={{ start: dateTimeStart, end: dateTimeEnd }}
        onChange={(selected) => onChange(toRangeParams(selected))}
        {...locked}
      />
      {children}
    </Section>
  )
}
