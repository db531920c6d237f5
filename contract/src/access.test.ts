import { expect, test } from 'vitest'
import { equivalentOf, permissionNumber, rightOf } from './access.ts'

test.each([
  ['ROLE_4', 'Stat'],
  ['ROLE_7', 'UsersAdmin'],
  ['ROLE_8', 'Admin'],
  ['ROLE_10', 'SelfPersonal'],
  ['ROLE_11', 'PasswordChange'],
  ['ROLE_19', 'Roles'],
  ['ROLE_20', 'UserManagement'],
  ['ROLE_34', 'Admin'],
  ['ROLE_99', null],
])('rightOf(%s) is %s', (permission, right) => {
  expect(rightOf(permission)).toBe(right)
})

test('parses the number of a permission', () => {
  expect(permissionNumber('ROLE_37')).toBe(37)
})

test('the six permissions that only open the management menu are equivalent', () => {
  for (const number of [8, 17, 22, 27, 33, 34]) expect(equivalentOf(`ROLE_${number}`)).toBe('ROLE_8')
  for (const number of [1, 7, 10, 11, 19, 20, 37, 99]) expect(equivalentOf(`ROLE_${number}`)).toBe(`ROLE_${number}`)
})
