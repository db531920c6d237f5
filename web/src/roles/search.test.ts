import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { readRolesSearch } from './search.ts'

test('page, search and open form come back from a shared link; what is malformed is left out', () => {
  for (const address of ['?page=3&name=gość', '?add=true', '?page=2&edit=17', ''])
    expect(decodeURIComponent(stringifySearch(readRolesSearch(parseSearch(address))))).toBe(address)
  expect(stringifySearch(readRolesSearch(parseSearch('?page=x&edit=0&add=1')))).toBe('')
})
