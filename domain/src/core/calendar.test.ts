import { expect, test } from 'vitest'
import { formatHours, weekdayNames } from './calendar.ts'

test('weekdays are named from Monday on, without a dot', () => {
  expect(weekdayNames('pl', 'short')).toEqual(['pon', 'wt', 'śr', 'czw', 'pt', 'sob', 'niedz'])
  expect(weekdayNames('de', 'long')[6]).toBe('Sonntag')
  expect(weekdayNames('en', 'short')[0]).toBe('Mon')
})

test('adjacent hours are one interval', () => {
  expect(formatHours([14, 8, 9, 8])).toBe('08:00–10:00, 14:00–15:00')
  expect(formatHours([23, 0])).toBe('00:00–01:00, 23:00–24:00')
  expect(formatHours([])).toBe('')
})
