import { expect, test } from 'vitest'
import { threeWayMerge } from './rebase.ts'

const loaded = { name: 'Anna', phone: '1', roles: [1], note: '' }

test('keeps edited fields and takes stored values for untouched ones', () => {
  const input = { ...loaded, name: 'Hanna' }
  const stored = { ...loaded, phone: '2', roles: [4] }
  expect(threeWayMerge(loaded, input, stored)).toEqual({
    values: { name: 'Hanna', phone: '2', roles: [4], note: '' },
    conflicts: [],
  })
})

test('keeps the edited value of a conflicting field and reports it', () => {
  const input = { ...loaded, name: 'Hanna', roles: [2] }
  const stored = { ...loaded, name: 'Joanna', roles: [4] }
  const { values, conflicts } = threeWayMerge(loaded, input, stored)
  expect(values).toEqual(input)
  expect(conflicts).toEqual(['name', 'roles'])
})

test('equal changes are no conflict', () => {
  const both = { ...loaded, note: 'x' }
  expect(threeWayMerge(loaded, both, both)).toEqual({ values: both, conflicts: [] })
})
