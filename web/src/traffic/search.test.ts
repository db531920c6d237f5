import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { earlierPeriod, hasOtherLength, isOver, perDay, periodOf, rangeParams, readTrafficSearch } from './search.ts'

test('restores a shared link, and omits defaults and malformed values', () => {
  const shared = {
    dateTimeStart: '2026-10-11T22:00:00.000Z',
    dateTimeEnd: '2026-10-18T22:00:00.000Z',
    locations: [3, 7],
    compare: 'year',
    station: 7,
    lanes: [1],
    ctg8p1: ['9'],
    axle: 'tandem',
    unit: 'kN',
  }
  expect(readTrafficSearch(parseSearch(stringifySearch(shared)))).toEqual(shared)
  const wrong = readTrafficSearch(
    parseSearch('?locations=x&dateTimeStart=now&compare=before&axle=single&unit=t&station=-1&ctg8p1=99'),
  )
  expect(Object.values(wrong).filter((value) => value !== undefined)).toEqual([])
})

test('the default period ends the day before today', () => {
  expect(periodOf({}, '2026-10-20')).toEqual({ from: '2026-10-13', until: '2026-10-19' })
})

test('an earlier period begins on the same weekday and does not overlap', () => {
  const week = { from: '2026-10-12', until: '2026-10-18' }
  expect(earlierPeriod(week, 'before')).toEqual({ from: '2026-10-05', until: '2026-10-11', days: 7 })
  expect(earlierPeriod({ from: '2026-10-02', until: '2026-10-31' }, 'before')).toMatchObject({ from: '2026-08-28' })
  expect(earlierPeriod(week, 'year')).toEqual({ from: '2025-10-13', until: '2025-10-19', days: 364 })
  expect(earlierPeriod(week, 'none')).toBeNull()
})

test('whole months are compared with as many whole months', () => {
  const compared = (from: string, until: string, compare: 'before' | 'year') =>
    Object.values(earlierPeriod({ from, until }, compare) ?? {})
  expect(compared('2026-10-01', '2026-10-31', 'before')).toEqual(['2026-09-01', '2026-09-30', 1])
  expect(compared('2026-01-01', '2026-12-31', 'year')).toEqual(['2025-01-01', '2025-12-31', 12])
  expect(compared('2026-01-01', '2026-12-31', 'before')).toEqual(['2025-01-01', '2025-12-31', 12])
  // A leap year, and more than a year.
  expect(compared('2028-02-01', '2028-02-29', 'year')).toEqual(['2027-02-01', '2027-02-28', 12])
  expect(compared('2025-12-01', '2026-12-31', 'year')).toEqual(['2023-12-01', '2024-12-31', 24])
})

test('a period in Poland is a range of instants, also over a clock change', () => {
  expect(rangeParams({ from: '2026-10-25', until: '2026-10-25' })).toEqual({
    dateTimeStart: '2026-10-24T22:00:00.000Z',
    dateTimeEnd: '2026-10-25T23:00:00.000Z',
  })
})

test('a period with today, or later days, is not over', () => {
  const [from, today] = ['2026-10-12', '2026-10-20']
  expect(['2026-10-19', '2026-10-20', '2026-10-21'].map((until) => isOver({ from, until }, today))).toEqual([
    true,
    false,
    false,
  ])
})

test('counts of months of other length are compared per day', () => {
  const [february, march] = [
    { from: '2026-02-01', until: '2026-02-28' },
    { from: '2026-03-01', until: '2026-03-31' },
  ]
  expect([perDay(28_000, february), perDay(31_000, march)]).toEqual([1_000, 1_000])
  expect(hasOtherLength(march, february)).toBe(true)
  const july = { from: '2026-07-01', until: '2026-07-31' }
  expect(hasOtherLength(march, july)).toBe(false)
  // March has five Mondays, February and July have four.
  expect([perDay(4_000, february, [0]), perDay(5_000, march, [0])]).toEqual([1_000, 1_000])
  expect([hasOtherLength(march, july, [0]), hasOtherLength(february, july, [0])]).toEqual([true, false])
})
