import { expect, test } from 'vitest'
import { readTicketsSearch } from './search.ts'

test('reads a complete month from the address', () => {
  expect(readTicketsSearch({ year: '2026', month: '10' })).toEqual({ year: 2026, month: 10 })
  expect(readTicketsSearch({ year: '2026' })).toEqual({})
  expect(readTicketsSearch({ year: '2026', month: '13' })).toEqual({})
  expect(readTicketsSearch({ year: 'x', month: '1' })).toEqual({})
})
