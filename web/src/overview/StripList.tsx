import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { StationJoin } from '../ui/stationJoin.ts'
import css from './StationStrip.module.css'
import { StationStrip } from './StationStrip.tsx'
import type { OverviewRow } from './useOverview.ts'
import type { Traffic } from './useTraffic.ts'

type Props = { label: string; rows: readonly OverviewRow[]; traffic: Traffic; isStale: boolean; join: StationJoin }

/** Stations as strips. */
export const StripList = ({ label, rows, ...props }: Props) => (
  <ul className={css.strips} aria-label={label} style={{ '--strips': rows.length } as CSSProperties}>
    {rows.map((row) => (
      <StationStrip key={row.id} row={row} {...props} />
    ))}
  </ul>
)

/** Heads of the columns; each strip is a sentence to screen readers. */
export function StripHead() {
  const { t } = useTranslation('overview')
  return (
    <div className={css.head} aria-hidden="true">
      <span />
      <span>{t('ui:station')}</span>
      <span className={css.wayHead}>{t('way')}</span>
      <span className={css.right}>{t('per-hour')}</span>
      <span className={css.right}>{t('overloaded')}</span>
      <span className={css.right}>{t('wanted-short')}</span>
      <span className={css.right}>{t('tickets-short')}</span>
      <span className={css.signsHead}>{t('signs')}</span>
    </div>
  )
}
