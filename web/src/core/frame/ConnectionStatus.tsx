import { formatCountdown } from '@rogatka/domain/current/countdown.ts'
import { useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ConnectionIcon } from '../../ui/icons.tsx'
import { useTicking } from '../clock.ts'
import { connection } from '../connection.ts'
import { useStore } from '../store.ts'
import { useIsOlderThan } from '../useIsOlderThan.ts'
import css from './ConnectionStatus.module.css'

const { documentElement: root } = document

/** Older data is an estimate. */
const ESTIMATE_MS = 60_000

/**
 * Connection state: the time since the last response if lost; for 5 s that it was restored. Marks countdowns as estimated
 * after a minute.
 */
export function ConnectionStatus() {
  const { t } = useTranslation('core')
  const { state, lastResponseAt } = useStore(connection)
  const age = useTicking(useCallback(() => formatCountdown((Date.now() - lastResponseAt) / 1_000), [lastResponseAt]))
  const isEstimate = useIsOlderThan(lastResponseAt, ESTIMATE_MS) && state === 'lost'
  useEffect(() => {
    if (isEstimate) {
      root.dataset.estimate = ''
      root.style.setProperty('--estimated', JSON.stringify(t('countdown-estimated')))
    }
    return () => {
      delete root.dataset.estimate
    }
  }, [isEstimate, t])
  return (
    <div className={css.slot} role="status">
      {state === 'lost' && (
        <span className={css.lost} data-connection>
          <ConnectionIcon />
          <span className={css.label}>{t('connection-lost')}</span>
          {/* Hidden from screen readers, as it changes every second. */}
          <b ref={age} aria-hidden="true" />
        </span>
      )}
      {state === 'restored' && (
        <span className={css.restored} data-connection>
          {t('connection-restored')}
        </span>
      )}
    </div>
  )
}
