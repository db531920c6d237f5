import type { WireDelivery } from '@rogatka/contract/webhooks.ts'
import { useTranslation } from 'react-i18next'
import css from './Webhooks.module.css'

/** Why the latest attempt failed; nothing if it did not. */
export function DeliveryReason({ lastError, lastStatus }: Pick<WireDelivery, 'lastError' | 'lastStatus'>) {
  const { t } = useTranslation('webhooks')
  if (lastError === null) return null
  // The form says the same of an address that is not saved.
  const text =
    lastError === 'address-refused'
      ? t('errors:webhook-address-refused')
      : t(`error-${lastError}`, { status: lastStatus })
  return <span className={css.error}>{text}</span>
}
