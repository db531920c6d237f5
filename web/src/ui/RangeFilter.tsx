import { useTranslation } from 'react-i18next'
import { DateTimeRange } from './DateTimeRange.tsx'
import type { DateRange } from './dateRange.ts'
import { PeriodLinks } from './PeriodLinks.tsx'
import css from './RangeFilter.module.css'

type Props = {
  range: DateRange
  onChange: (range: DateRange) => void
  /** It is required and empty: the heading says so. */
  isMissing: boolean
  /** Server time, ms. */
  now: () => number
}

/** Time range of a filter form, with links to the last days. */
export function RangeFilter({ range, onChange, isMissing, now }: Props) {
  const { t } = useTranslation('ui')
  return (
    <div className={css.range}>
      <p className={css.head} data-wrong={isMissing || undefined}>
        <b>{t('range')}</b>
        {isMissing && <span>{t('range-missing')}</span>}
        <span className={css.periods}>
          <PeriodLinks now={now} onChoose={onChange} />
        </span>
      </p>
      <DateTimeRange label={t('range')} range={range} onChange={onChange} />
    </div>
  )
}
