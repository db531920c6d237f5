import { expect, test } from 'vitest'
import { DAY_MS } from '../core/time.ts'
import { annualTraffic, averageDailyTraffic, completeDays, type DayTraffic } from './dailyTraffic.ts'

/** Days from a Monday, with these vehicles from Monday to Sunday. */
const week = (monday: string, vehicles: readonly number[]): DayTraffic[] =>
  vehicles.map((count, index) => ({ day: Date.parse(monday) + index * DAY_MS, vehicles: count, isCovered: true }))

// domain-2, section 6: the means of two months and what follows from them.
const SEPTEMBER = week('2026-09-07', [10_200, 10_600, 10_700, 10_900, 12_100, 8_600, 7_400])
const OCTOBER = week('2026-10-05', [11_000, 11_200, 11_300, 11_500, 12_800, 9_400, 8_200])

test('AADT and factors of months are those of the published example', () => {
  const { aadt, months, monthFactors } = annualTraffic([...SEPTEMBER, ...OCTOBER])
  expect(aadt).toBeCloseTo(10_421.4, 1)
  expect(months).toBe(2)
  expect(monthFactors.map(({ month, mean, factor }) => [month, mean.toFixed(1), factor.toFixed(4)])).toEqual([
    [Date.parse('2026-09-01'), '10071.4', '1.0348'],
    [Date.parse('2026-10-01'), '10771.4', '0.9675'],
  ])
})

test('a weekday that was counted more often weighs no more in AADT, but in ADT', () => {
  const days = [...SEPTEMBER, ...week('2026-09-14', [20_400])]
  expect(annualTraffic(days).aadt).toBeCloseTo(10_071.43 + 10_200 / 2 / 7, 1)
  expect(averageDailyTraffic(days)).toBeCloseTo((70_500 + 20_400) / 8, 5)
})

test('without complete days there are no averages', () => {
  expect(averageDailyTraffic([])).toBeNull()
  expect(annualTraffic([])).toEqual({ aadt: null, months: 0, monthFactors: [], weekdayFactors: [] })
})

test('a day far below the median of its weekday is incomplete, if three are known', () => {
  const mondays = (counts: readonly number[]) => counts.flatMap((count, index) => week(nthMonday(index), [count]))
  const nthMonday = (index: number) => new Date(Date.parse('2026-09-07') + index * 7 * DAY_MS).toISOString()
  const kept = (counts: readonly number[]) => completeDays(mondays(counts)).map(({ vehicles }) => vehicles)
  expect(kept([1000, 1000, 299])).toEqual([1000, 1000, 299])
  expect(kept([1000, 1100, 900, 299])).toEqual([1000, 1100, 900])
  expect(kept([1000, 1100, 900, 300])).toEqual([1000, 1100, 900, 300])
  // The median of the 8 weeks before falls to 100 when most of them have 100.
  expect(kept([...Array(5).fill(10_000), ...Array(8).fill(100), 29])).toEqual([...Array(5).fill(10_000), 100, 100, 100])
})

test('a day without a vehicle in an hour of the day is incomplete', () => {
  const [monday, ...rest] = SEPTEMBER
  expect(completeDays([{ ...(monday as DayTraffic), isCovered: false }, ...rest])).toHaveLength(6)
})
