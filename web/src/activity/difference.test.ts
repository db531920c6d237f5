import { expect, test } from 'vitest'
import { difference } from './difference.ts'

test('shows only changes, with values before and after', () => {
  const before = { username: 'anna', lastName: 'Nowak', enabled: true, company: null }
  const after = { username: 'anna', lastName: 'Kowalska', enabled: false, company: '' }
  expect(difference(before, after)).toEqual([
    { field: 'lastName', before: 'Nowak', after: 'Kowalska' },
    { field: 'enabled', before: true, after: false },
  ])
})

test('shows list additions and removals', () => {
  expect(difference({ permissions: ['ROLE_1', 'ROLE_2'] }, { permissions: ['ROLE_2', 'ROLE_4'] })).toEqual([
    { field: 'permissions', added: ['ROLE_4'], removed: ['ROLE_1'] },
  ])
})

test('names list items', () => {
  expect(difference({ roles: [{ id: 1, name: 'Operator' }] }, { roles: [{ id: 2, name: 'Analityk' }] })).toEqual([
    { field: 'roles', added: ['Analityk'], removed: ['Operator'] },
  ])
})

test('shows added and removed objects without empty fields', () => {
  const role = { name: 'Gość', description: null, permissions: ['ROLE_2'] }
  expect(difference(null, role)).toEqual([
    { field: 'name', before: null, after: 'Gość' },
    { field: 'permissions', added: ['ROLE_2'], removed: [] },
  ])
  expect(difference(role, undefined)).toEqual([
    { field: 'name', before: 'Gość', after: null },
    { field: 'permissions', added: [], removed: ['ROLE_2'] },
  ])
})

test('fields within a field are named after both', () => {
  expect(difference({ location: { id: 1, name: 'S8' } }, { location: { id: 1, name: 'S61' } })).toEqual([
    { field: 'location.name', before: 'S8', after: 'S61' },
  ])
})

test('returns no lines without changes', () => {
  expect(difference({ a: [1], b: 2 }, { b: 2, a: [1] })).toEqual([])
  expect(difference(null, null)).toEqual([])
})
