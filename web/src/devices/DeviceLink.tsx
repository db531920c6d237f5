import { useTranslation } from 'react-i18next'
import { deviceLink } from '../core/device.ts'
import { OneTimeSecret } from '../core/frame/OneTimeSecret.tsx'
import type { NewLink } from './useDevices.ts'

/** The link of a wall screen, shown once. */
export function DeviceLink({ link, onClose }: { link: NewLink; onClose: () => void }) {
  const { t } = useTranslation('devices')
  return (
    <OneTimeSecret
      title={t('link-of', { name: link.device.name })}
      once={t('link-once')}
      use={t('link-open')}
      label={t('link')}
      value={deviceLink(link.token)}
      copy={{ action: t('copy'), done: t('copied'), failed: t('copy-failed') }}
      onClose={onClose}
    />
  )
}
