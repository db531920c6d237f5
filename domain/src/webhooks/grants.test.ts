import { permissionOf, type Right } from '@rogatka/contract/access.ts'
import type { WebhookEventType } from '@rogatka/contract/webhooks.ts'
import { expect, test } from 'vitest'
import { canReadEvent, webhookError } from './grants.ts'

const permissions = (...rights: Right[]) => rights.map(permissionOf)

test.each<[WebhookEventType, Right[]]>([
  ['vehicle.overloaded', ['ArchiveMeasurements']],
  ['wanted.hit', ['BlackList', 'UserManagement']],
  ['wanted.hit', ['WantedList', 'UserManagement']],
  ['inspection.closed', ['InspectionReview']],
  ['sign.changed', ['Vms']],
  ['station.health', ['UsersAdmin']],
  ['certificate.ending', ['ScaleCertificates']],
])('%s is read with the rights %j, and with none fewer', (event, rights) => {
  expect(canReadEvent(permissions(...rights), event)).toBe(true)
  for (const right of rights)
    expect(canReadEvent(permissions(...rights.filter((it) => it !== right)), event), right).toBe(false)
})

test('the right to any list stands for that to black lists alone', () => {
  expect(canReadEvent(permissions('WantedList'), 'vehicle.overloaded')).toBe(false)
})

test.each<[string, Right[], boolean, string | null]>([
  ['rights to all events', ['Vms', 'ArchiveMeasurements'], true, null],
  ['rights to some events', ['Vms'], true, 'right-not-held'],
  ['a restriction', ['Vms', 'ArchiveMeasurements', 'Anonymization'], true, 'anonymization-stays'],
  ['a restriction, without plates', ['Vms', 'ArchiveMeasurements', 'Anonymization'], false, null],
])('a user with %s may or may not have a subscription', (_, own, plates, error) => {
  const content = { events: ['sign.changed', 'vehicle.overloaded'] as const, plates }
  expect(webhookError(permissions(...own), content)).toBe(error)
})
