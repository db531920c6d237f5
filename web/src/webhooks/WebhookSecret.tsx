import { useTranslation } from 'react-i18next'
import { OneTimeSecret } from '../core/frame/OneTimeSecret.tsx'
import type { NewSecret } from './useWebhooks.ts'

/** The secret of a subscription, shown once. */
export function WebhookSecret({ newSecret, onClose }: { newSecret: NewSecret; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const { webhook, secret } = newSecret
  return (
    <OneTimeSecret
      title={t('secret-of', { name: webhook.name })}
      once={t('secret-once')}
      use={t('secret-use')}
      label={t('secret')}
      copy={{ action: t('copy'), done: t('copied'), failed: t('copy-failed') }}
      value={secret}
      onClose={onClose}
    />
  )
}
