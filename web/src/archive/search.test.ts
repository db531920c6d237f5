import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import {
  type ArchiveSearch,
  changeSearch,
  levelsAfterClick,
  levelsIn,
  NEWEST_FIRST,
  orderFrom,
  readArchiveSearch,
  type SortLevel,
  sortLevels,
  stepsOf,
  toQuery,
  withLevel,
} from './search.ts'

const RANGE = { dateTimeStart: '2026-06-01T06:00:00.000Z', dateTimeEnd: '2026-06-02T06:00:00.000Z' }
const all: ArchiveSearch = {
  step: 4,
  locations: [3, 7],
  ctg8p1: ['9', 'lack'],
  plateLpr: 'WPR8K4?',
  similarity: 80,
  minTotalLoad: 3_500,
  overload: true,
  ...RANGE,
  plates: ['WGM4K281:PL', 'WGM4K28I'],
  taggedOnly: true,
  hours: [8, 9],
  weekdays: [1],
  ctg323: [0, 3],
  nationalities: ['PL', '-'],
  orderByColumnName1: 'totalLoad',
  orderDirection1: 'asc',
  orderByColumnName2: 'createdAt',
  orderDirection2: 'desc',
  page: 12,
}
const present = (search: ArchiveSearch) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))

test('restores step, filters, order and page from a shared link', () => {
  const address = stringifySearch(all)

  expect(address).toContain('locations=3,7')
  expect(present(readArchiveSearch(parseSearch(address)))).toEqual(all)
})

test('ignores malformed values and keeps the rest', () => {
  const search = parseSearch(
    '?step=9&locations=7&dateTimeStart=yesterday&taggedOnly=no&hours=24,-1&weekdays=x&ctg323=9&nationalities=P1&orderByColumnName1=colour&orderDirection2=up&page=-2',
  )

  expect(present(readArchiveSearch(search))).toEqual({ locations: [7] })
})

test('ignores a column that an earlier level sorts by', () => {
  const search = parseSearch('?orderByColumnName1=speed&orderByColumnName2=speed&orderByColumnName3=totalLoad')

  expect(levelsIn(search)).toEqual([
    { column: 'speed', direction: 'desc' },
    { column: 'totalLoad', direction: 'desc' },
  ])
})

test('sorts newest first by default', () => {
  expect(sortLevels({})).toEqual([NEWEST_FIRST])
})

const speed: SortLevel = { column: 'speed', direction: 'desc' }
const load: SortLevel = { column: 'totalLoad', direction: 'asc' }
const time: SortLevel = { column: 'createdAt', direction: 'asc' }

test('adds, changes and removes a sort level', () => {
  expect(withLevel([speed], 1, load)).toEqual([speed, load])
  expect(withLevel([speed, load], 0, time)).toEqual([time, load])
  expect(withLevel([speed, load, time], 1, null)).toEqual([speed, time])
})

test('a column moves to the level for which it is chosen', () => {
  expect(withLevel([speed, load], 0, load)).toEqual([load])
  expect(withLevel([speed, load], 2, speed)).toEqual([load, speed])
})

test('removes deleted levels from the address', () => {
  expect(stringifySearch({ ...orderFrom([speed, load]), ...orderFrom([time]) })).toBe(
    '?orderByColumnName1=createdAt&orderDirection1=asc',
  )
})

test('a changed query starts at page one', () => {
  expect(changeSearch(all, { ctg8p1: [] })).toEqual({ ...all, ctg8p1: undefined, page: undefined })
  expect(changeSearch(all, { taggedOnly: false }).taggedOnly).toBeUndefined()
})

test('the query has no step and no page, and is null if fields are missing', () => {
  const { step: _, page: __, ...query } = all

  expect(toQuery(all)).toEqual(query)
  expect(toQuery({ ...all, locations: [] })).toBeUndefined()
})

test('the SG variant skips the conditions', () => {
  expect(stepsOf(false)).toEqual([1, 2, 3, 4])
  expect(stepsOf(true)).toEqual([1, 3, 4])
})

test('a column head sorts, reverses, returns to the default on the third click, and adds a level with Shift', () => {
  const newest = [{ column: 'createdAt', direction: 'desc' }] as const
  const byWeight = levelsAfterClick(newest, 'totalLoad', false)
  expect(byWeight).toEqual([{ column: 'totalLoad', direction: 'desc' }])
  expect(levelsAfterClick(byWeight, 'totalLoad', false)).toEqual([{ column: 'totalLoad', direction: 'asc' }])
  expect(levelsAfterClick([{ column: 'totalLoad', direction: 'asc' }], 'totalLoad', false)).toEqual([])
  const both = levelsAfterClick(byWeight, 'plateLpr', true)
  expect(both).toEqual([...byWeight, { column: 'plateLpr', direction: 'asc' }])
  expect(levelsAfterClick(both, 'totalLoad', true)).toEqual([{ column: 'totalLoad', direction: 'asc' }, both[1]])
  expect(levelsAfterClick(both, 'plateLpr', false)).toEqual([{ column: 'plateLpr', direction: 'asc' }])
  const three = levelsAfterClick(both, 'speed', true)
  expect(three.map(({ column }) => column)).toEqual(['totalLoad', 'plateLpr', 'speed'])
  expect(levelsAfterClick(three, 'vehLength', true).map(({ column }) => column)).toEqual([
    'totalLoad',
    'plateLpr',
    'vehLength',
  ])
})
