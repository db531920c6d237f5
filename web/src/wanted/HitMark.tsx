import { useTranslation } from 'react-i18next'
import { HitCountdown } from './HitCountdown.tsx'
import css from './HitMark.module.css'
import { isApproaching, needsAttention, openHitSheet, useOpenHits } from './openHits.ts'

/** Mark of open hits in the header, with the countdown of the soonest; opens it. */
export function HitMark() {
  const { t } = useTranslation('wanted')
  const hits = useOpenHits().filter(needsAttention)
  const [soonest] = hits
  if (!soonest) return null
  const approaching = isApproaching(soonest)
  const state = !approaching ? css.passed : soonest.taken ? css.taken : ''
  return (
    <button
      type="button"
      className={`${css.mark} ${state}`}
      data-hit
      title={`${t('open-hit')} (H)`}
      onClick={() => openHitSheet(soonest)}
    >
      {hits.length > 1 ? t('mark-several', { count: hits.length }) : t('mark-one')}{' '}
      {approaching ? <HitCountdown hit={soonest} /> : <b>{t('mark-passed')}</b>}
    </button>
  )
}
