import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from './search.ts'

test('an address is short and reads like a call', () => {
  expect(stringifySearch({ locations: [1, 2], plateLpr: 'WÓ 1', step: 3, overload: true })).toBe(
    '?locations=1,2&plateLpr=W%C3%93%201&step=3&overload=true',
  )
})

test('omits empty values', () => {
  expect(stringifySearch({ locations: [], plateLpr: '', step: undefined, lastId: null })).toBe('')
})

test('round-trips the address', () => {
  expect(parseSearch('?locations=1,2&plateLpr=W%C3%93%201')).toEqual({ locations: '1,2', plateLpr: 'WÓ 1' })
  expect(parseSearch('')).toEqual({})
})
