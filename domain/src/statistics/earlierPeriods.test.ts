import { expect, test } from 'vitest'
import { countedLengths, earlierPeriods } from './earlierPeriods.ts'
import { periodsOf, type Resolution } from './periods.ts'

const HOUR = 3_600_000

/** `period: start` of each, a gap without a number; then the end. */
function compared(from: string, to: string, resolution: Resolution, comparison: 'before' | 'year', now = to) {
  const [start, end] = [new Date(from), new Date(to)]
  const earlier = earlierPeriods(periodsOf(start, end, resolution), end, resolution, comparison, new Date(now))
  const time = (at: Date) => at.toISOString().slice(0, 16)
  return [...earlier.starts.map((at, i) => `${earlier.periods[i] ?? '-'}: ${time(at)}`), time(earlier.end)]
}

test('days are those of the same weekdays, whole weeks before, or 52 weeks', () => {
  const day = { unit: 'day', value: 1 } as const
  expect(compared('2026-06-08T22:00Z', '2026-06-10T22:00Z', day, 'before')).toEqual([
    '0: 2026-06-01T22:00',
    '1: 2026-06-02T22:00',
    '2026-06-03T22:00',
  ])
  // Over a year later the clock is the same; 52 weeks before a Tuesday is a Tuesday.
  expect(compared('2026-06-08T22:00Z', '2026-06-09T22:00Z', day, 'year')).toEqual([
    '0: 2025-06-09T22:00',
    '2025-06-10T22:00',
  ])
  // Eight days overlap with a shift of one week.
  expect(compared('2026-06-01T22:00Z', '2026-06-09T22:00Z', day, 'before')[0]).toBe('0: 2026-05-18T22:00')
})

test('months are those as many months before, or a year', () => {
  const month = { unit: 'month', value: 1 } as const
  expect(compared('2026-02-28T23:00Z', '2026-04-30T22:00Z', month, 'before')).toEqual([
    '0: 2025-12-31T23:00',
    '1: 2026-01-31T23:00',
    '2026-02-28T23:00',
  ])
  expect(compared('2026-02-28T23:00Z', '2026-03-31T22:00Z', month, 'year')).toEqual([
    '0: 2025-02-28T23:00',
    '2025-03-31T22:00',
  ])
})

test('a range that is not over is compared with the same part of the earlier one', () => {
  const month = { unit: 'month', value: 1 } as const
  const november = ['2026-10-31T23:00Z', '2026-11-30T23:00Z'] as const
  const at = '2026-11-15T11:20Z'
  // 12:20 in Poland, of both.
  expect(compared(...november, month, 'before', at)).toEqual(['0: 2026-09-30T22:00', '2026-10-15T10:20'])
  const days = compared(...november, { unit: 'day', value: 1 }, 'before', at)
  // Five weeks before, as of the whole range.
  expect([days[0], ...days.slice(-2)]).toEqual(['0: 2026-09-26T22:00', '14: 2026-10-10T22:00', '2026-10-11T10:20'])
  expect(compared(...november, month, 'year', '2026-10-31T23:00Z')).toEqual(['2026-11-30T23:00'])
})

test('an hour that a change of the clock removed or repeated is a gap', () => {
  const hour = { unit: 'hour', value: 1 } as const
  // A week after 29 March 2026, when 02:00 did not exist.
  expect(compared('2026-04-04T23:00Z', '2026-04-05T02:00Z', hour, 'before')).toEqual([
    '0: 2026-03-29T00:00',
    '2: 2026-03-29T01:00',
    '2026-03-29T02:00',
  ])
  // A week after 25 October 2026, when 02:00 came twice: compared with the first one.
  expect(compared('2026-11-01T00:00Z', '2026-11-01T03:00Z', hour, 'before')).toEqual([
    '0: 2026-10-24T23:00',
    '1: 2026-10-25T00:00',
    '-: 2026-10-25T01:00',
    '2: 2026-10-25T02:00',
    '2026-10-25T03:00',
  ])
})

test('counts the hours of a filter in local time, also on a day of 25 hours', () => {
  const [start, end] = [new Date('2026-10-24T22:00Z'), new Date('2026-10-25T23:00Z')]
  const lengthOf = (hours: number[], weekdays: number[]) => countedLengths([start], end, { hours, weekdays })[0]
  expect(lengthOf([], [])).toBe(25 * HOUR)
  expect(lengthOf([2], [])).toBe(2 * HOUR)
  expect(lengthOf([2, 12], [6])).toBe(3 * HOUR)
  expect(lengthOf([], [0, 5])).toBe(0)
  expect(
    countedLengths([new Date('2026-10-20T06:30Z')], new Date('2026-10-20T07:15Z'), { hours: [9], weekdays: [] }),
  ).toEqual([HOUR / 4])
})
