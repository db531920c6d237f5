import { requiredFactors } from '@rogatka/contract/options.ts'
import { expect, test } from 'vitest'
import { emptyRole, isFixed, permissionLoss, roleErrors, roleOf, valuesOf } from './roleValues.ts'

test('a role needs a name and a permission, and no description', () => {
  expect(roleErrors({ ...emptyRole, name: '  ' })).toEqual({
    name: 'role-name-required',
    permissions: 'role-permissions-required',
  })
  expect(roleErrors({ ...emptyRole, name: 'Operator', permissions: ['ROLE_1'] })).toEqual({})
})

test('trims values and sends each permission once, by number', () => {
  const permissions = ['ROLE_11', 'ROLE_2', 'ROLE_11']
  expect(roleOf({ name: ' Operator ', description: ' ', permissions, requiredFactor: 'passkey' })).toEqual({
    name: 'Operator',
    description: null,
    permissions: ['ROLE_2', 'ROLE_11'],
    requiredFactor: 'passkey',
  })
})

test('a stored role fills the form', () => {
  const fields = { id: 1, name: 'Gość', description: null, permissions: [{ name: 'ROLE_2' }], users: 0, version: 1 }
  for (const requiredFactor of requiredFactors)
    expect(valuesOf({ ...fields, requiredFactor, requiresFactor: requiredFactor !== 'none' })).toEqual({
      name: 'Gość',
      description: '',
      permissions: ['ROLE_2'],
      requiredFactor,
    })
})

test('reports rights lost by a role change, and full data lost by a restriction', () => {
  expect(permissionLoss(['ROLE_1', 'ROLE_2'], ['ROLE_2', 'ROLE_3'])).toEqual({ lost: ['ROLE_1'], restricted: false })
  expect(permissionLoss(['ROLE_1'], ['ROLE_1', 'ROLE_37'])).toEqual({ lost: [], restricted: true })
  expect(permissionLoss(['ROLE_1', 'ROLE_37'], ['ROLE_1'])).toEqual({ lost: [], restricted: false })
})

test('only the administrator role has permissions that can be neither revoked nor added', () => {
  expect([isFixed(8, 'ROLE_3'), isFixed(8, 'ROLE_37'), isFixed(8, 'ROLE_99')]).toEqual([true, true, false])
  expect([isFixed(1, 'ROLE_3'), isFixed(undefined, 'ROLE_37')]).toEqual([false, false])
})
