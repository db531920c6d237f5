import { expect, test } from 'vitest'
import { idsIn } from './plateSearches.ts'
import { parseSearch, readParameters, stringifySearch } from './search.ts'

test('an address is short and reads like a call', () => {
  expect(stringifySearch({ locations: [1, 2], road: 'Ó 1', step: 3, overload: true })).toBe(
    '?locations=1,2&road=%C3%93%201&step=3&overload=true',
  )
})

test('omits empty values', () => {
  expect(stringifySearch({ locations: [], plateLpr: '', plates: [], step: undefined, lastId: null })).toBe('')
})

test('round-trips the address', () => {
  expect(parseSearch('?locations=1,2&road=%C3%93%201')).toEqual({ locations: '1,2', road: 'Ó 1' })
  expect(parseSearch('')).toEqual({})
})

test('an address has ids in place of plates, the same for the same plates', () => {
  const ids = (search: Record<string, unknown>) => idsIn(readParameters(stringifySearch(search)))
  const plates = { plateLpr: 'WÓ 1', plates: ['GR7K201:PL', 'WX90210'] }
  const address = stringifySearch({ locations: [1, 2], ...plates })
  expect(address).toMatch(/^\?locations=1,2&search=[\w-]{21}[AQgw]$/)
  expect(parseSearch(address)).toEqual({ locations: '1,2', plateLpr: 'WÓ 1', plates: 'GR7K201:PL,WX90210' })
  expect(stringifySearch({ ...plates, locations: [1, 2] })).toBe(address)
  expect(ids({ plateLpr: 'WÓ 2' })).not.toEqual(ids({ plateLpr: 'WÓ 1' }))
  // Of a plate list: the text of its search, and the plate of a new entry.
  expect(ids({ text: 'GR7', plate: 'GR7' }).map(({ parameter }) => parameter)).toEqual(['searchId', 'entry'])
  // What this tab does not know stays.
  expect(parseSearch('?search=b7FKvXQ0S0yXx1m2d3e4fA')).toEqual({ search: 'b7FKvXQ0S0yXx1m2d3e4fA' })
})
