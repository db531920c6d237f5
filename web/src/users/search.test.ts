import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { readUsersSearch } from './search.ts'

test('restores page, search and open form from a shared link', () => {
  for (const address of ['?page=3&username=jan&order=-lastLogin', '?add=true', '?page=2&edit=17', ''])
    expect(stringifySearch(readUsersSearch(parseSearch(address)))).toBe(address)
})

test('ignores malformed values', () => {
  expect(stringifySearch(readUsersSearch(parseSearch('?page=-1&username=%20&order=colour&add=no&edit=x')))).toBe('')
  expect(stringifySearch(readUsersSearch(parseSearch('?page=1')))).toBe('')
})
