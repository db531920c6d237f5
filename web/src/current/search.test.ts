import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { type CurrentSearch, canStartLive, entryRedirect, filtersOf, orderOf, readCurrentSearch } from './search.ts'

test('restores step, filters and order from a shared link', () => {
  const search = { step: 3, locations: [1, 7], minTotalLoad: 3_500, overspeed: true, orderDirection: 'asc' } as const
  const address = stringifySearch(search)

  expect(address).toBe('?step=3&locations=1,7&minTotalLoad=3500&overspeed=true&orderDirection=asc')
  expect(readCurrentSearch(parseSearch(address))).toEqual(search)
})

test('a bare address is step 1, newest first, without filters', () => {
  const search = readCurrentSearch({})

  expect(stringifySearch(search)).toBe('')
  expect(orderOf(search)).toEqual({ orderByColumnName: 'createdAt', orderDirection: 'desc' })
  expect(filtersOf(search)).toEqual({})
})

test('replaces an unknown step, column or direction by the default', () => {
  expect(readCurrentSearch(parseSearch('?step=9&orderByColumnName=colour&orderDirection=up'))).toEqual({})
})

test('the live list needs a station', () => {
  expect(canStartLive({})).toBe(false)
  expect(canStartLive({ locations: [] })).toBe(false)
  expect(canStartLive({ locations: [7] })).toBe(true)
})

test('a bare address restores the last search, any other is kept', () => {
  const lastSearch: CurrentSearch = { step: 3, locations: [7], overspeed: true }

  expect(entryRedirect({}, lastSearch)).toEqual(lastSearch)
  expect(entryRedirect({ locations: [8] }, lastSearch)).toBeNull()
  expect(entryRedirect({}, {})).toBeNull()
})

test('without a list to come back to, a bare address that names a station leads to its list', () => {
  expect(entryRedirect({}, {}, 7)).toEqual({ step: 3, locations: [7] })
  expect(entryRedirect({}, { locations: [8] }, 7)).toEqual({ locations: [8] })
})
