import { expect, test } from 'vitest'
import { formatNoDataTime } from './noDataTime.ts'

test('formats a time without data in minutes for a day, then in hours', () => {
  expect([0, 31, 205, 1_439, 1_440, 8_722].map((minutes) => formatNoDataTime(minutes * 60_000 + 59_999))).toEqual([
    '0 min',
    '31 min',
    '3 h 25 min',
    '23 h 59 min',
    '1 d',
    '6 d 1 h',
  ])
  expect(formatNoDataTime(-5)).toBe('0 min')
})
