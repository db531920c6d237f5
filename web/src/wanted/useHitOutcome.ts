import type { WireListedHit } from '@rogatka/contract/wanted.ts'
import { useTranslation } from 'react-i18next'

/** Text of what became of a hit, with the user who did it. */
export function useHitOutcome(): (hit: WireListedHit) => string {
  const { t } = useTranslation('wanted')
  return ({ outcome, by, reason }) => {
    const user = by?.username ?? ''
    if (outcome === 'taken') return t('step-taken', { user })
    if (outcome === 'closed') return t('step-closed', { user })
    if (outcome === 'false') return [t('false-hit'), reason && t(`reason-${reason}`)].filter(Boolean).join(': ')
    if (outcome === 'late') return t('was-late')
    return t(outcome === 'open' ? 'outcome-open' : 'nobody-took')
  }
}
