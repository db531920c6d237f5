import { formatCountdown } from '@rogatka/domain/current/countdown.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { ConnectionIcon } from '../../ui/icons.tsx'
import { useTicking } from '../clock.ts'
import { connection } from '../connection.ts'
import { useStore } from '../store.ts'
import css from './ConnectionStatus.module.css'

/** Connection state: the time since the last response if lost; for 5 s that it was restored. */
export function ConnectionStatus() {
  const { t } = useTranslation('core')
  const { state, lastResponseAt } = useStore(connection)
  const age = useTicking(useCallback(() => formatCountdown((Date.now() - lastResponseAt) / 1_000), [lastResponseAt]))
  return (
    <div className={css.slot} role="status">
      {state === 'lost' && (
        <span className={css.lost}>
          <ConnectionIcon />
          <span className={css.label}>{t('connection-lost')}</span>
          {/* Hidden from screen readers, as it changes every second. */}
          <b ref={age} aria-hidden="true" />
        </span>
      )}
      {state === 'restored' && <span className={css.restored}>{t('connection-restored')}</span>}
    </div>
  )
}
