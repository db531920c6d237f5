import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import css from './Offenders.module.css'

const HEIGHT = 22
const BAR = 6
const STEP = 8
/** The last weeks are stronger. */
const RECENT_WEEKS = 4

/** Overloads by week as bars, scaled to the largest. */
export function WeekBars({ weeks }: { weeks: readonly number[] }) {
  const { t } = useTranslation('offenders')
  const largest = Math.max(1, ...weeks)
  return (
    <>
      <svg className={css.bars} viewBox={`0 0 ${weeks.length * STEP} ${HEIGHT}`} aria-hidden="true">
        <path className={css.axis} d={`M0 ${HEIGHT - 0.5}H${weeks.length * STEP}`} />
        {weeks.map((overloads, week) => {
          const height = Math.max(overloads > 0 ? 2 : 0, ((HEIGHT - 3) * overloads) / largest)
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a week is its position
              key={week}
              className={week < weeks.length - RECENT_WEEKS ? css.week : css.recentWeek}
              x={week * STEP}
              y={HEIGHT - 1 - height}
              width={BAR}
              height={height}
            />
          )
        })}
      </svg>
      <VisuallyHidden>{t('weeks-list', { weeks: weeks.join(', ') })}</VisuallyHidden>
    </>
  )
}

/** Explains the two shades of the bars. */
export function WeekLegend() {
  const { t } = useTranslation('offenders')
  return (
    <ul className={css.legend}>
      <li>
        <Swatch className={css.week} />
        {t('legend-week')}
      </li>
      <li>
        <Swatch className={css.recentWeek} />
        {t('legend-recent', { count: RECENT_WEEKS })}
      </li>
    </ul>
  )
}

const Swatch = ({ className }: { className: string | undefined }) => (
  <svg className={className} width="18" height="14" viewBox="0 0 18 14" aria-hidden="true">
    <path d="M0 13V6h7v7zM10 13V2h7v11z" />
  </svg>
)
