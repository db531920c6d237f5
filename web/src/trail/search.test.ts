import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { readTrailSearch, whoIn, whoOf } from './search.ts'

test('restores filters from an address, and ignores defaults and malformed values', () => {
  const search = {
    userId: 31,
    kind: 'live',
    purpose: 'proceedings',
    dateTimeStart: '2026-10-19T06:00:00.000Z',
    dateTimeEnd: '2026-10-20T06:00:00.000Z',
    lookup: 'q83vEjRWeJCrze8SNFZ4kA',
    page: 2,
  }
  expect(readTrailSearch(parseSearch(stringifySearch(search)))).toEqual(search)
  const wrong = '?userId=x&systemId=-1&kind=nothing&purpose=curiosity&dateTimeStart=soon&page=1'
  expect(Object.values(readTrailSearch(parseSearch(wrong))).filter((value) => value !== undefined)).toEqual([])
  // A line is of one of both.
  expect(readTrailSearch({ userId: 1, systemId: 2 })).toEqual({ userId: 1 })
})

test.each([{ userId: 31 }, { systemId: 4 }, {}])('selects whom it names: %o', (who) => {
  expect(whoIn(whoOf(who))).toEqual({ userId: undefined, systemId: undefined, ...who })
})
