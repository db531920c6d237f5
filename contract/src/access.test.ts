import { expect, test } from 'vitest'
import { permissionNumber, rightOf } from './access.ts'

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
])('%s stands for %s', (permission, right) => {
  expect(rightOf(permission)).toBe(right)
})

test('a permission is known by its number', () => {
  expect(permissionNumber('ROLE_37')).toBe(37)
})
