import { useTranslation } from 'react-i18next'
import { OneTimeSecret } from '../core/frame/OneTimeSecret.tsx'
import type { NewKey } from './useSystems.ts'

/** The exchange key of a system, shown once. */
export function SystemKey({ made, onClose }: { made: NewKey; onClose: () => void }) {
  const { t } = useTranslation('systems')
  const copy = { action: t('copy'), done: t('copied'), failed: t('copy-failed') }
  return (
    <OneTimeSecret
      title={t('key-of', { name: made.system.name })}
      once={t('key-once')}
      use={t('key-use')}
      label={t('key')}
      value={made.key}
      copy={copy}
      onClose={onClose}
    />
  )
}
