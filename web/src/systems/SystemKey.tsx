import { useTranslation } from 'react-i18next'
import { OneTimeSecret } from '../core/frame/OneTimeSecret.tsx'
import type { NewKey } from './useSystems.ts'

/** The exchange key of a system, shown once. */
export function SystemKey({ newKey, onClose }: { newKey: NewKey; onClose: () => void }) {
  const { t } = useTranslation('systems')
  const copy = { action: t('copy'), done: t('copied'), failed: t('copy-failed') }
  return (
    <OneTimeSecret
      title={t('key-of', { name: newKey.system.name })}
      once={t('key-once')}
      use={t('key-use')}
      label={t('key')}
      value={newKey.key}
      copy={copy}
      onClose={onClose}
    />
  )
}
