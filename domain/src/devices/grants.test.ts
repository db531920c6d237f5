import { permissionOf, type Right } from '@rogatka/contract/access.ts'
import { expect, test } from 'vitest'
import { canManageDevice, deviceError, devicePermissions } from './grants.ts'

const permissions = (...rights: Right[]) => rights.map(permissionOf)
const LIVE = { anonymised: false, wanted: false }

test.each<[string, typeof LIVE, Right[]]>([
  ['live vehicles', LIVE, ['CurrentMeasurements']],
  ['anonymised vehicles', { ...LIVE, anonymised: true }, ['CurrentMeasurements', 'Anonymization']],
  ['hits of all users', { ...LIVE, wanted: true }, ['CurrentMeasurements', 'BlackList', 'UserManagement']],
])('a device that shows %s has exactly the permissions for it', (_, shown, rights) => {
  expect(devicePermissions(shown)).toEqual(permissions(...rights))
})

test.each<[string, Right[], typeof LIVE, string | null]>([
  ['the right to what it shows', ['CurrentMeasurements'], LIVE, null],
  ['no right to it', ['BlackList', 'UserManagement'], LIVE, 'right-not-held'],
  ['their own restriction', ['CurrentMeasurements', 'Anonymization'], { ...LIVE, anonymised: true }, null],
  ['no restriction', ['CurrentMeasurements'], { ...LIVE, anonymised: true }, null],
  ['a restriction that it does not have', ['CurrentMeasurements', 'Anonymization'], LIVE, 'anonymization-stays'],
  ['the rights to hits', ['CurrentMeasurements', 'BlackList', 'UserManagement'], { ...LIVE, wanted: true }, null],
  ['the right to any list', ['CurrentMeasurements', 'WantedList', 'UserManagement'], { ...LIVE, wanted: true }, null],
  ['no right to lists', ['CurrentMeasurements', 'UserManagement'], { ...LIVE, wanted: true }, 'right-not-held'],
  ['no right to entries of others', ['CurrentMeasurements', 'WantedList'], { ...LIVE, wanted: true }, 'right-not-held'],
  ['any list instead of vehicles', ['WantedList'], LIVE, 'right-not-held'],
])('a user with %s may or may not have a device', (_, own, shown, error) => {
  expect(deviceError(permissions(...own), shown)).toBe(error)
  expect(canManageDevice(permissions(...own), shown)).toBe(error === null)
})
