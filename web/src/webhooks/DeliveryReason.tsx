import type { WireDelivery } from '@rogatka/contract/webhooks.ts'
import { useTranslation } from 'react-i18next'
import css from './Webhooks.module.css'

/** Why the latest attempt failed; nothing if it did not. */
export function DeliveryReason({ lastError, lastStatus }: Pick<WireDelivery, 'lastError' | 'lastStatus'>) {
  const { t } = useTranslation('webhooks')
  return lastError !== null && <span className={css.error}>{t(`error-${lastError}`, { status: lastStatus })}</span>
}
