import { DEVIATION_LIMIT } from '@rogatka/contract/calibration.ts'
import { useTranslation } from 'react-i18next'
import { LegendList } from '../ui/LegendList.tsx'
import css from './ChartLegend.module.css'

/** Legend of the charts. */
export function ChartLegend() {
  const { t } = useTranslation('calibration')
  return (
    <LegendList label={t('core:legend')}>
      <li>
        <svg width="22" height="12" aria-hidden="true">
          <path className={css.finish} d="M11 0v12" />
          <path className={css.diamond} d="M11 0l4 4-4 4-4-4z" />
        </svg>
        {t('legend-finish')}
      </li>
      <li>
        <svg width="22" height="12" aria-hidden="true">
          <path className={css.reference} d="M0 6h22" />
        </svg>
        {t('legend-reference')}
      </li>
      <li>
        <svg width="22" height="12" aria-hidden="true">
          <path className={css.band} d="M0 1h22v10H0z" />
        </svg>
        {t('legend-band', { limit: DEVIATION_LIMIT })}
      </li>
      <li>
        <svg width="22" height="12" aria-hidden="true">
          <path className={css.outside} d="M11 1l6 10H5z" />
        </svg>
        {t('legend-outside')}
      </li>
      <li>
        <svg width="22" height="12" aria-hidden="true">
          <path className={css.few} d="M7 6h8" />
        </svg>
        {t('legend-few')}
      </li>
    </LegendList>
  )
}
