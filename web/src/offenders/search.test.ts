import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { archiveSearchOf, changeSearch, lowerMinimum, orderAfterClick, readOffenderSearch } from './search.ts'

test('restores filters from a shared link, and ignores defaults and malformed values', () => {
  const shared = {
    locations: [3, 7],
    dateTimeStart: '2026-10-01T00:00:00.000Z',
    minOverloads: 5,
    all: true as const,
    groupBy: 'carrier',
    orderBy: 'share',
    orderDirection: 'asc',
    page: 2,
    carrier: 'trans-pol',
  }
  expect(readOffenderSearch(parseSearch(stringifySearch(shared)))).toEqual(shared)
  expect(readOffenderSearch({ groupBy: 'carrier', id: 9 })).toEqual({ groupBy: 'carrier' })
  expect(readOffenderSearch({ carrier: 'trans-pol', id: 9 })).toEqual({ id: 9 })
  const wrong =
    '?locations=x&dateTimeEnd=soon&minOverloads=3&all=no&groupBy=plate&orderBy=plate&orderDirection=desc&page=1&id=-1'
  expect(Object.values(readOffenderSearch(parseSearch(wrong))).filter((value) => value !== undefined)).toEqual([])
  expect(readOffenderSearch({ minOverloads: 1_001 }).minOverloads).toBeUndefined()
})

test('a changed filter starts at page 1 without a chosen vehicle, another page keeps it', () => {
  const search = { page: 3, id: 9, carrier: 'trans-pol', minOverloads: 5 }
  expect(changeSearch(search, { minOverloads: 4 })).toEqual({ minOverloads: 4 })
  expect(changeSearch(search, { page: 4, id: 9 })).toEqual({ page: 4, id: 9, minOverloads: 5 })
})

test('a column header sorts descending first', () => {
  expect(orderAfterClick({}, 'overloads')).toEqual({ orderBy: 'overloads', orderDirection: 'asc' })
  expect(orderAfterClick({}, 'share')).toEqual({ orderBy: 'share', orderDirection: 'desc' })
  expect(orderAfterClick({ orderBy: 'share' }, 'share')).toEqual({ orderBy: 'share', orderDirection: 'asc' })
  expect(readOffenderSearch(orderAfterClick({ orderBy: 'share', orderDirection: 'asc' }, 'share'))).toEqual(
    readOffenderSearch({}),
  )
})

test('offers a lower number down to 1', () => {
  expect([9, 3, 2, 1].map(lowerMinimum)).toEqual([4, 1, 1, null])
})

test('the archive finds all readings, from the first day through the last minute', () => {
  const spellings = [{ readings: ['WGM4K281:PL', 'WGM-4K281:PL'] }, { readings: ['WGM4K28I:PL', 'WGM4K281:'] }]
  const offender = { firstSeen: '2026-10-24', lastSeen: '2026-11-02T10:15:00.000Z', spellings }
  expect(archiveSearchOf(offender, [3, 7])).toEqual({
    step: 4,
    locations: [3, 7],
    dateTimeStart: '2026-10-23T22:00:00.000Z',
    dateTimeEnd: '2026-11-02T10:16:00.000Z',
    plates: ['WGM4K281:PL', 'WGM-4K281:PL', 'WGM4K28I:PL', 'WGM4K281:'],
  })
})
