import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { readActivitySearch } from './search.ts'

test('restores tab, filters and page from a shared link', () => {
  const search = {
    tab: 'audit',
    userId: 7,
    eventType: 3,
    dateTimeStart: '2026-10-19T06:00:00.000Z',
    dateTimeEnd: '2026-10-20T06:00:00.000Z',
    page: 2,
  } as const
  expect(readActivitySearch(parseSearch(stringifySearch(search)))).toEqual(search)
})

test('ignores malformed values', () => {
  const malformed = '?tab=none&userId=x&eventType=9&dateTimeStart=yesterday&page=0'
  expect(stringifySearch(readActivitySearch(parseSearch(malformed)))).toBe('')
})
