import { useTranslation } from 'react-i18next'
import { type DateRange, lastDays } from './dateRange.ts'
import { LinkButton } from './LinkButton.tsx'

/** Offered ranges, in days up to now. */
const PERIOD_DAYS = [1, 7, 31]

type Props = {
  /** ms since the epoch. */
  now: () => number
  onChoose: (range: DateRange) => void
  /** Default: a day, a week, a month. */
  days?: readonly number[]
}

/** Links that select a common time range. */
export function PeriodLinks({ now, onChoose, days = PERIOD_DAYS }: Props) {
  const { t } = useTranslation('ui')
  return days.map((count) => (
    <LinkButton key={count} onClick={() => onChoose(lastDays(count, now()))}>
      {t('last-days', { count })}
    </LinkButton>
  ))
}
