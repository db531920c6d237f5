import { useTranslation } from 'react-i18next'
import { useApproachingWanted, useArrivalCount } from '../arrivals.ts'
import css from './ArrivalCount.module.css'

/** Number of vehicles that arrived since the live list was left; `className` sets position and size. */
export function ArrivalCount({ className }: { className: string | undefined }) {
  const { t } = useTranslation()
  const arrivals = useArrivalCount()
  const isWanted = useApproachingWanted() > 0
  if (arrivals === 0) return null
  return (
    <b
      className={[css.count, isWanted && css.wanted, className].filter(Boolean).join(' ')}
      title={t('new-vehicles', { count: arrivals })}
    >
      {arrivals > 999 ? '999+' : arrivals}
    </b>
  )
}
