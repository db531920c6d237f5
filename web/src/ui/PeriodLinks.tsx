import { useTranslation } from 'react-i18next'
import { type DateRange, lastDays } from './dateRange.ts'
import { LinkButton } from './LinkButton.tsx'

/** Offered ranges, in days up to now. */
const PERIOD_DAYS = [1, 7, 31]

type Props = {
  /** ms since the epoch. */
  now: () => number
  onChoose: (range: DateRange) => void
}

/** Links that select a common time range. */
export function PeriodLinks({ now, onChoose }: Props) {
  const { t } = useTranslation('ui')
  return PERIOD_DAYS.map((days) => (
    <LinkButton key={days} onClick={() => onChoose(lastDays(days, now()))}>
      {t('last-days', { count: days })}
    </LinkButton>
  ))
}
