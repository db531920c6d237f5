import { archiveFilters, type WireArchiveFilters } from '@rogatka/contract/archive.ts'
import { expect, test } from 'vitest'
import { filterOf, isCoveredByRollUps, sortsOf } from './filter.ts'

const parsed = (given: Partial<WireArchiveFilters>) =>
  archiveFilters.parse({
    dateTimeStart: '2026-10-01T00:00:00Z',
    dateTimeEnd: '2026-10-02T00:00:00Z',
    locations: '7',
    ...given,
  })
const filter = (given: Partial<WireArchiveFilters>) => filterOf(parsed(given), 1)

test('rounds bounds inwards to stored units, and treats 0 as no bound', () => {
  const bounds = (given: Partial<WireArchiveFilters>) => filter(given).bounds.map(({ min, max }) => [min, max])
  expect(bounds({ minSpeed: 0, maxSpeed: 0 })).toEqual([])
  expect(bounds({ minSpeed: 80.2, maxSpeed: 90.8 })).toEqual([[81, 90]])
  expect(bounds({ minSpeed: -5 })).toEqual([[-5, null]])
  expect(bounds({ maxTotalLoad: '99999999999999999999' })).toEqual([[null, 2 ** 31 - 1]])
  // In tenths of a percent, without floating-point errors.
  expect(bounds({ minOverloadSA: 12.3, maxOverloadSA: 12.3 })).toEqual([[123, 123]])
  expect(bounds({ minOverloadMA: 0.05, maxOverloadMA: 0.35 })).toEqual([[1, 3]])
  expect(bounds({ minOverloadTL: 1e300 })).toEqual([[2 ** 31 - 1, null]])
  for (let tenths = 1; tenths < 2_000; tenths++)
    expect(bounds({ minOverloadTL: tenths / 10, maxOverloadTL: tenths / 10 })).toEqual([[tenths, tenths]])
})

test('selected violations match every set with at least one of them', () => {
  expect(filter({}).violationSets).toEqual([])
  expect(filter({ overload: false }).violationSets).toEqual([])
  const sets = filter({ overload: true, wrongDirection: '1' }).violationSets
  expect(sets).toHaveLength(24)
  expect(sets.every((set) => set & 0b10001)).toBe(true)
})

test('the category lack matches both codes of unclassified vehicles', () => {
  expect(filter({ ctg8p1: 'lack,11,9' }).categories).toEqual([0, 6, 9, 11])
})

test('impossible stations and lanes match nothing, unlike an absent filter', () => {
  expect(filter({ locations: [5, 3, 5] }).locations).toEqual([3, 5])
  expect(filter({ locations: '999999999999', laneNumbers: '0,70000' })).toMatchObject({ locations: [-1], lanes: [-1] })
  expect(filter({ laneNumbers: '' }).lanes).toEqual([])
})

test('roll-ups cover only filters by station, time, lane, category and violation', () => {
  expect(isCoveredByRollUps(filter({ laneNumbers: 1, ctg8p1: '7', overspeed: true }))).toBe(true)
  expect(isCoveredByRollUps(filter({ plateLpr: ' - ', minSpeed: 0 }))).toBe(true)
  for (const more of [{ minSpeed: 1 }, { plateLpr: 'W*' }, { taggedOnly: true }])
    expect(isCoveredByRollUps(filter(more))).toBe(false)
})

test('uses each sort column once, closes gaps, and defaults to time', () => {
  const sorts = (given: Partial<WireArchiveFilters>) =>
    sortsOf(parsed(given)).map(({ column, direction }) => `${column} ${direction}`)
  expect(sorts({})).toEqual(['createdAt desc'])
  expect(sorts({ orderDirection1: 'asc' })).toEqual(['createdAt asc'])
  expect(sorts({ orderByColumnName2: 'speed', orderDirection1: 'asc', orderByColumnName3: 'plateLpr' })).toEqual([
    'speed desc',
    'plateLpr desc',
  ])
  expect(
    sorts({
      orderByColumnName1: 'speed',
      orderDirection1: 'asc',
      orderByColumnName2: 'speed',
      orderByColumnName3: 'ctg8p1',
    }),
  ).toEqual(['speed asc', 'ctg8p1 desc'])
})
