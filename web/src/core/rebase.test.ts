import { expect, test } from 'vitest'
import { threeWayMerge } from './rebase.ts'

const loaded = { name: 'Anna', phone: '1', roles: [1], note: '' }

test('what was typed stays, and what was not touched takes what is stored now', () => {
  const typed = { ...loaded, name: 'Hanna' }
  const stored = { ...loaded, phone: '2', roles: [4] }
  expect(threeWayMerge(loaded, typed, stored)).toEqual({
    values: { name: 'Hanna', phone: '2', roles: [4], note: '' },
    conflicts: [],
  })
})

test('a field that both changed keeps what was typed, and is named', () => {
  const typed = { ...loaded, name: 'Hanna', roles: [2] }
  const stored = { ...loaded, name: 'Joanna', roles: [4] }
  const { values, conflicts } = threeWayMerge(loaded, typed, stored)
  expect(values).toEqual(typed)
  expect(conflicts).toEqual(['name', 'roles'])
})

test('a field that both changed to the same is no contest', () => {
  const both = { ...loaded, note: 'x' }
  expect(threeWayMerge(loaded, both, both)).toEqual({ values: both, conflicts: [] })
})
