import type { WebhookEventType } from '@rogatka/contract/webhooks.ts'
import { useTranslation } from 'react-i18next'

/** Names of types of events; of unknown ones of a later version, the type itself. */
export function useEventName(): (type: string) => string {
  const { t } = useTranslation('webhooks')
  const names: Record<WebhookEventType | 'webhook.test', string> = {
    'vehicle.overloaded': t('event-vehicle-overloaded'),
    'wanted.hit': t('event-wanted-hit'),
    'inspection.closed': t('event-inspection-closed'),
    'sign.changed': t('event-sign-changed'),
    'station.health': t('event-station-health'),
    'certificate.ending': t('event-certificate-ending'),
    'webhook.test': t('event-webhook-test'),
  }
  return (type) => names[type as keyof typeof names] ?? type
}
