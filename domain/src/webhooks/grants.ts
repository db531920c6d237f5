import { hasRight, type Right } from '@rogatka/contract/access.ts'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import type { WebhookEventType } from '@rogatka/contract/webhooks.ts'

/** Rights to what events show. Hits are those of all users, so they need the right to the entries of others. */
const RIGHTS: Record<WebhookEventType, readonly Right[]> = {
  'vehicle.overloaded': ['ArchiveMeasurements'],
  'wanted.hit': ['BlackList', 'UserManagement'],
  'inspection.closed': ['InspectionReview'],
  'sign.changed': ['Vms'],
  'station.health': ['UsersAdmin'],
  'certificate.ending': ['ScaleCertificates'],
}

/** What a subscription is sent. */
type WebhookContent = { events: readonly WebhookEventType[]; plates: boolean }

/** Whether a user with `own` permissions may read an event. */
export const canReadEvent = (own: readonly string[], event: WebhookEventType): boolean =>
  RIGHTS[event].every((right) => hasRight(own, right) || (right === 'BlackList' && hasRight(own, 'WantedList')))

/** Error code if a user with `own` permissions may not have a subscription to this; null if allowed. */
export function webhookError(own: readonly string[], { events, plates }: WebhookContent): ErrorCode | null {
  if (plates && hasRight(own, 'Anonymization')) return 'anonymization-stays'
  return events.every((event) => canReadEvent(own, event)) ? null : 'right-not-held'
}
