import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { filtersOf, queryOf, whoIn, whoOf } from './query.ts'
import { readTrailSearch } from './search.ts'

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
  const day = { start: '2026-10-19T08:00:00.000Z', end: '2026-10-20T08:00:00.000Z' }
  const { page: _, kind, lookup, ...filters } = search
  expect(filtersOf(queryOf(search, day))).toEqual({ ...filters, kinds: [kind], search: lookup })
  const wrong = '?userId=x&systemId=-1&kind=nothing&purpose=curiosity&dateTimeStart=soon&page=1'
  const query = queryOf(readTrailSearch(parseSearch(wrong)), day)
  expect(JSON.parse(JSON.stringify(query))).toEqual({ dateTimeStart: day.start, dateTimeEnd: day.end })
  // A line is of one of both.
  expect(readTrailSearch({ userId: 1, systemId: 2 })).toEqual({ userId: 1 })
})

test.each([{ userId: 31 }, { systemId: 4 }, {}])('selects whom it names: %o', (who) => {
  expect(whoIn(whoOf(who))).toEqual({ userId: undefined, systemId: undefined, ...who })
})
