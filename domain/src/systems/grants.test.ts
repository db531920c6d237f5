import { permissionOf, type Right } from '@rogatka/contract/access.ts'
import { expect, test } from 'vitest'
import { canManageSystem, systemError, systemPermissions } from './grants.ts'

const permissions = (...rights: Right[]) => rights.map(permissionOf)

test('a system has exactly the permissions of its rights, and is anonymised without plates', () => {
  const rights = ['ArchiveMeasurements', 'Stat'] as const
  expect(systemPermissions({ rights, plates: true })).toEqual(permissions(...rights))
  expect(systemPermissions({ rights, plates: false })).toEqual(permissions(...rights, 'Anonymization'))
})

test.each<[string, Right[], boolean, string | null]>([
  ['all of its rights', ['Stat', 'Vms', 'Admin'], true, null],
  ['one of its rights', ['Stat'], true, 'right-not-held'],
  ['none of its rights', ['Admin'], false, 'right-not-held'],
  ['a restriction that it does not have', ['Stat', 'Vms', 'Anonymization'], true, 'anonymization-stays'],
  ['their own restriction', ['Stat', 'Vms', 'Anonymization'], false, null],
  ['no restriction', ['Stat', 'Vms'], false, null],
])('a user with %s may or may not have a system', (_, own, plates, error) => {
  const readable = { rights: ['Stat', 'Vms'] as const, plates }
  expect(systemError(permissions(...own), readable)).toBe(error)
  expect(canManageSystem(permissions(...own), readable)).toBe(error === null)
})
