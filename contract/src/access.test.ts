import { expect, test } from 'vitest'
import { equivalentOf, hasRight, permissionNumber, rightOf } from './access.ts'

test.each([
  ['ROLE_4', 'Stat'],
  ['ROLE_7', 'UsersAdmin'],
  ['ROLE_8', 'Admin'],
  ['ROLE_10', 'SelfPersonal'],
  ['ROLE_11', 'PasswordChange'],
  ['ROLE_19', 'Roles'],
  ['ROLE_20', 'UserManagement'],
  ['ROLE_34', 'Admin'],
  ['ROLE_41', 'Inspections'],
  ['ROLE_42', 'InspectionReview'],
  ['ROLE_43', 'ScaleCertificates'],
  ['ROLE_44', 'PlateAccess'],
  ['ROLE_45', 'Exchange'],
  ['ROLE_46', 'Offenders'],
  ['ROLE_47', 'AlarmShelving'],
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

test('the rights to supervise, certify, audit and exchange open the management menu', () => {
  const opens = (number: number) => hasRight([`ROLE_${number}`], 'Admin')
  expect([41, 42, 43, 44, 45, 46, 47].filter(opens)).toEqual([42, 43, 44, 45])
})
