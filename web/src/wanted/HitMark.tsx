import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { useTranslation } from 'react-i18next'
import { HitCountdown } from './HitCountdown.tsx'
import css from './HitMark.module.css'
import { firstOf, isApproaching, needsAttention, openHitSheet, useOpenHits } from './openHits.ts'
import { useHitKeys } from './useHitKeys.ts'

/** Mark of open hits in the header, with the countdown of the first; opens it. */
export function HitMark() {
  const hits = useOpenHits().filter(needsAttention)
  const first = firstOf(hits)
  return first ? <HitButton first={first} count={hits.length} /> : null
}

function HitButton({ first, count }: { first: WireOpenHit; count: number }) {
  const { t } = useTranslation('wanted')
  useHitKeys()
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
      <span className={css.word}>{count > 1 ? t('mark-several', { count }) : t('mark-one')}</span>{' '}
      {approaching ? <HitCountdown hit={first} /> : <b>{t('mark-passed')}</b>}
    </button>
  )
}
