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
  expect(monthFactors.map(({ month, mean, factor }) => [month, mean.toFixed(1), factor?.toFixed(4)])).toEqual([
    [Date.parse('2026-09-01'), '10071.4', '1.0348'],
    [Date.parse('2026-10-01'), '10771.4', '0.9675'],
  ])
})

test('a weekday that was counted more often weighs no more in AADT, but in ADT', () => {
  const days = [...SEPTEMBER, ...week('2026-09-14', [20_400])]
  expect(annualTraffic(days).aadt).toBeCloseTo(10_071.43 + 10_200 / 2 / 7, 1)
  expect(averageDailyTraffic(days)).toBeCloseTo((70_500 + 20_400) / 8, 5)
})

/** Complete days of a range, both ends included, with vehicles by date. */
const range = (from: string, until: string, vehicles: (date: string) => number): DayTraffic[] =>
  Array.from({ length: (Date.parse(until) - Date.parse(from)) / DAY_MS + 1 }, (_, index) => {
    const day = Date.parse(from) + index * DAY_MS
    return { day, vehicles: vehicles(new Date(day).toISOString().slice(0, 10)), isCovered: true }
  })

test('a year from the middle of a month has 12 months of one weight', () => {
  // 1,300 in each day of January, 100 else: (1,300 + 11 · 100) / 12
  const days = range('2026-01-15', '2027-01-14', (date) => (date.slice(5, 7) === '01' ? 1_300 : 100))
  const { aadt, months, monthFactors } = annualTraffic(days)
  expect([aadt, months]).toEqual([200, 12])
  // Of both parts of January, each with all weekdays.
  expect(monthFactors.map(({ mean, factor }) => [mean, factor?.toFixed(4)])).toEqual([
    [1_300, '0.1538'],
    ...Array(11).fill([100, '2.0000']),
    [1_300, '0.1538'],
  ])
})

test('a month that lacks a weekday counts neither in AADT nor in its factors', () => {
  // Saturday, the 28th of February, to Friday, the 6th of March: neither month has all weekdays.
  const turn = range('2026-02-28', '2026-03-06', (date) => (date < '2026-03-01' ? 700 : 1_400))
  const { aadt, months, monthFactors, weekdayFactors } = annualTraffic(turn)
  expect({ aadt, months, monthFactors }).toEqual({ aadt: null, months: 0, monthFactors: [] })
  expect(weekdayFactors.map(({ mean, factor }) => [mean, factor])).toEqual([
    ...Array(5).fill([1_400, null]),
    [700, null],
    [1_400, null],
  ])
  // With all of March, February still does not.
  const march = annualTraffic(range('2026-02-28', '2026-03-31', (date) => (date < '2026-03-01' ? 700 : 1_400)))
  expect([march.aadt, march.months, march.monthFactors.length]).toEqual([1_400, 1, 1])
  expect(march.weekdayFactors).toEqual(Array.from({ length: 7 }, (_, weekday) => ({ weekday, mean: 1_400, factor: 1 })))
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
