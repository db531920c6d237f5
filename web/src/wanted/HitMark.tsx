import { useTranslation } from 'react-i18next'
import { HitCountdown } from './HitCountdown.tsx'
import css from './HitMark.module.css'
import { firstOf, isApproaching, needsAttention, openHitSheet, useOpenHits } from './openHits.ts'

/** Mark of open hits in the header, with the countdown of the first; opens it. */
export function HitMark() {
  const { t } = useTranslation('wanted')
  const hits = useOpenHits().filter(needsAttention)
  const first = firstOf(hits)
  if (!first) return null
  const approaching = isApproaching(first)
  const state = !approaching ? css.passed : first.taken ? css.taken : ''
  return (
    <button
      type="button"
      className={`${css.mark} ${state}`}
      data-hit
      title={`${t('open-hit')} (H)`}
      onClick={() => openHitSheet(first)}
    >
      <span className={css.word}>{hits.length > 1 ? t('mark-several', { count: hits.length }) : t('mark-one')}</span>{' '}
      {approaching ? <HitCountdown hit={first} /> : <b>{t('mark-passed')}</b>}
    </button>
  )
}
