import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { readRolesSearch } from './search.ts'

test('restores page, search and open form from a shared link, without malformed values', () => {
  for (const address of ['?page=3&name=gość', '?add=true', '?page=2&edit=17', ''])
    expect(decodeURIComponent(stringifySearch(readRolesSearch(parseSearch(address))))).toBe(address)
  expect(stringifySearch(readRolesSearch(parseSearch('?page=x&edit=0&add=1')))).toBe('')
})
