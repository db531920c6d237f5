import { expect, test } from 'vitest'
import { archiveSearch } from './archiveSearch.ts'
import { sparkPath } from './sparkline.ts'
import type { StatisticsSearch } from './urlParams.ts'

const search: StatisticsSearch = { locations: [7, 8], laneNumbers: [1, 2], overload: true, hours: [8], weekdays: [0] }
const scope = { location: 7, start: '2026-10-20T04:00:00.000Z', end: '2026-10-20T05:00:00.000Z', series: null }
const present = (found: object | null) =>
  found && Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))

test('finds the vehicles of a period with all filters of the statistics', () => {
  const range = { dateTimeStart: scope.start, dateTimeEnd: scope.end, locations: [7] }
  const filters = { laneNumbers: [1, 2], overload: true, hours: [8], weekdays: [0] }
  expect(present(archiveSearch(search, scope))).toEqual({ ...range, ...filters })
  expect(present(archiveSearch(search, { ...scope, series: '2' }))).toEqual({ ...range, ...filters, laneNumbers: [2] })
})

test.each([
  [{ groupBy: 'category' }, 'lack', { ctg8p1: ['lack'] }],
  [{ groupBy: 'violation' }, 'overlane', { overlane: true }],
  [{ groupBy: 'speedRange' }, '1', { minSpeed: 1, maxSpeed: 49 }],
  [{ groupBy: 'speedRange' }, '5', { minSpeed: 80, maxSpeed: 89 }],
  [{ groupBy: 'speedRange' }, '11', { minSpeed: 140 }],
  [{ groupBy: 'speedRange' }, 'unknown', null],
  [{ groupBy: 'overSpeed' }, '2', null],
] as const)('a series by %o finds its own vehicles', (display, series, expected) => {
  const {
    dateTimeStart: _,
    dateTimeEnd: __,
    locations: ___,
    ...filters
  } = present(archiveSearch(display, { ...scope, series })) ?? {}
  expect(archiveSearch(display, { ...scope, series }) === null ? null : filters).toEqual(expected)
})

test('grouped by violation, only vehicles with one are found', () => {
  const found = archiveSearch({ groupBy: 'violation' }, scope)
  expect(found).toMatchObject({
    overload: true,
    overheight: true,
    overspeed: true,
    overlane: true,
    wrongDirection: true,
  })
})

test('a line has gaps at missing values and keeps the largest of many', () => {
  expect(sparkPath([0, 10, null, 5], 10, 4, 10)).toBe('M0.5 10.0L1.5 0.0M3.5 5.0h0.5')
  expect(sparkPath([1, 9, 2, 3], 10, 2, 10)).toBe('M0.5 1.0L1.5 7.0')
  expect(sparkPath([0, 0], 0, 2, 10)).toBe('M0.5 10.0L1.5 10.0')
})
