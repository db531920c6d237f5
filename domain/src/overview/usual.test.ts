import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../core/time.ts'
import { QUARTER_MS } from './comparable.ts'
import {
  type Counts,
  hourUntil,
  overloadedPercent,
  unusualSide,
  usualOverloadedPercent,
  usualVehicles,
  withoutOutages,
} from './usual.ts'

/** Any day; only distances count. */
const END = Date.parse('2026-10-20T08:00:00Z')
const ENDS = [1, 2, 3, 4, 5].map((back) => END - back * DAY_MS)

const counts = (vehicles: number, weighed = 0, overloaded = 0): Counts => ({ vehicles, weighed, overloaded })

/** Quarters of days, newest first, each from 06:45 to 08:15; null: none. */
const history = (days: readonly (readonly (number | null)[])[]) =>
  new Map(
    days.flatMap((quarters, day) =>
      quarters.flatMap((vehicles, place): [number, Counts][] => {
        const at = (ENDS[day] as number) - HOUR_MS + (place - 1) * QUARTER_MS
        return vehicles === null ? [] : [[at, counts(vehicles)]]
      }),
    ),
  )

const even = (vehicles: number) => Array<number>(7).fill(vehicles)
const hoursOf = (days: readonly (readonly (number | null)[])[], ends = ENDS.slice(0, days.length)) => {
  const quarters = history(days)
  return withoutOutages(ends, quarters).map((end) => hourUntil(end, quarters).vehicles)
}

describe('comparable hours', () => {
  test('are the sums of their quarters', () => {
    expect(hoursOf([even(20), [99, 1, 2, 3, 4, 99], even(30)])).toEqual([80, 10, 120])
  })

  test('have a part of the quarters at their ends in proportion', () => {
    const days = [[9, 15, 30, 45, 60, 75, 9]]
    // Until 08:05: two thirds of the first quarter, a third of the last one.
    expect(hoursOf(days, [(ENDS[0] as number) + 5 * 60_000])).toEqual([10 + 30 + 45 + 60 + 25])
  })

  test.each([
    ['all of it', [null, null, null, null, null, null, null]],
    ['a quarter in it', [20, 20, null, 20, 20, 20, 20]],
    ['the quarter before it, so that its first one may be incomplete', [null, 20, 20, 20, 20, 20, 20]],
    ['the quarter after it', [20, 20, 20, 20, 20, null, 20]],
  ])('leave out an outage of %s', (_, outage) => {
    expect(hoursOf([even(20), outage, even(21), even(22)])).toEqual([80, 84, 88])
  })

  test('keep quarters without vehicles where few are expected', () => {
    expect(hoursOf([even(2), [2, 2, null, null, 2, 2, 2], even(1)])).toEqual([8, 4, 4])
    expect(hoursOf([even(1), even(0), even(1)])).toEqual([4, 0, 4])
  })

  test('leave out a long silence in which ten vehicles are expected', () => {
    expect(hoursOf([even(4), [4, 4, null, null, 4, 4, 4], [4, 4, null, null, null, 4, 4]])).toEqual([16, 8])
  })

  test('begin with the first day with vehicles', () => {
    const nothing = even(0).map(() => null)
    expect(hoursOf([even(1), nothing, even(1), nothing, nothing])).toEqual([4, 0, 4])
  })

  test('do not exist without vehicles', () => {
    expect(hoursOf([])).toEqual([])
    expect(withoutOutages(ENDS, new Map())).toEqual([])
  })
})

describe('the usual number of vehicles', () => {
  // Percentiles as by percentile_cont of PostgreSQL.
  test.each([
    ['of five hours', [50, 10, 40, 20, 30], { median: 30, low: 14, high: 46, days: 5 }],
    ['of an even number', [10, 20, 30, 41], { median: 25, low: 13, high: 38, days: 4 }],
    ['of three hours', [7, 7, 8], { median: 7, low: 7, high: 8, days: 3 }],
    ['of two hours', [7, 8], null],
    ['of none', [], null],
  ])('%s', (_, hours, usual) => {
    expect(usualVehicles(hours)).toEqual(usual)
  })
})

describe('the share of overloaded vehicles', () => {
  test.each([
    [200, 17, 8.5],
    [20, 0, 0],
    [20, 1, 5],
    [30, 1, 3.3],
    [19, 5, null],
    [0, 0, null],
  ])('of %s weighed and %s overloaded is %s %%', (weighed, overloaded, percent) => {
    expect(overloadedPercent({ weighed, overloaded })).toBe(percent)
  })

  test('is usually the median of days with 20 weighed vehicles', () => {
    const days = [counts(90, 40, 4), counts(90, 100, 7), counts(90, 50, 4), counts(90, 19, 19)]
    expect(usualOverloadedPercent(days)).toBe(8)
    expect(usualOverloadedPercent(days.slice(1))).toBeNull()
  })
})

describe('traffic', () => {
  const usual = { median: 100, low: 90, high: 115, days: 8 }
  const usualQuarter = { median: 25, low: 20, high: 31, days: 8 }
  const quarters = (...vehicles: number[]) => vehicles.map((count) => ({ vehicles: count, usual: usualQuarter }))
  test.each([
    ['low with two low quarters', 80, [19, 10], 'low'],
    ['high with two high quarters', 120, [32, 40], 'high'],
    ['usual if the last quarter is', 70, [10, 20], null],
    ['usual if the one before is', 70, [20, 10], null],
    ['usual if its quarters are on different sides', 120, [32, 10], null],
    ['usual if the quarters are on the other side', 120, [10, 10], null],
    ['usual within its band', 115, [40, 40], null],
    ['usual with a difference of 19 vehicles', 81, [10, 10], null],
  ])('is %s', (_, hour, [before = 0, last = 0], side) => {
    expect(unusualSide({ vehicles: hour, usual }, quarters(before, last))).toBe(side)
  })

  test('is not unusual without a usual value', () => {
    expect(unusualSide({ vehicles: 0, usual: null }, quarters(0, 0))).toBeNull()
    expect(unusualSide({ vehicles: 0, usual }, [{ vehicles: 0, usual: null }])).toBeNull()
  })
})
