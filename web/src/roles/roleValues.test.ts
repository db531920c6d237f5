import { expect, test } from 'vitest'
import { noRole, roleFaults, roleOf, valuesOf } from './roleValues.ts'

test('a role needs a name and a permission, and no description', () => {
  expect(roleFaults({ ...noRole, name: '  ' })).toEqual({
    name: 'role-name-required',
    permissions: 'role-permissions-required',
  })
  expect(roleFaults({ name: 'Operator', description: '', permissions: ['ROLE_1'] })).toEqual({})
})

test('what is sent is trimmed, each permission once, by number', () => {
  expect(roleOf({ name: ' Operator ', description: ' ', permissions: ['ROLE_11', 'ROLE_2', 'ROLE_11'] })).toEqual({
    name: 'Operator',
    description: null,
    permissions: ['ROLE_2', 'ROLE_11'],
  })
})

test('a stored role fills the form', () => {
  const stored = { id: 1, name: 'Gość', description: null, permissions: [{ name: 'ROLE_2' }], users: 0, version: 1 }
  expect(valuesOf(stored)).toEqual({ name: 'Gość', description: '', permissions: ['ROLE_2'] })
})
