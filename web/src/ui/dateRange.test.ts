import { expect, test } from 'vitest'
import { instantAt, lastDays, NO_RANGE, toWallClock, withEnd, withStart } from './dateRange.ts'

const at = (day: number, hour = 12) => new Date(Date.UTC(2026, 5, day, hour)).toISOString()
const week = { start: at(1), end: at(8) }

test('the clock is that of Warsaw, in summer and in winter', () => {
  expect(toWallClock('2026-07-01T06:15:00.000Z')).toBe('2026-07-01 08:15:00')
  expect(toWallClock('2026-12-01T06:15:00.000Z')).toBe('2026-12-01 07:15:00')
  expect(instantAt('2026-07-01 08:15:00')).toBe('2026-07-01T06:15:00.000Z')
  expect(instantAt('2026-12-01 07:15:00')).toBe('2026-12-01T06:15:00.000Z')
})

test('a start within the range leaves the end where it is', () => {
  expect(withStart(week, at(3))).toEqual({ start: at(3), end: at(8) })
})

test.each([9, 8])('a start that is not before the end (day %i) makes the end a day after it', (day) => {
  expect(withStart(week, at(day))).toEqual({ start: at(day), end: at(day + 1) })
})

test.each([0, 1])('an end that is not after the start (day %i) makes the start a day before it', (day) => {
  expect(withEnd(week, at(day))).toEqual({ start: at(day - 1), end: at(day) })
})

test('the day of the autumn clock change has 25 hours', () => {
  const range = { start: null, end: '2026-10-20T00:00:00.000Z' }
  expect(withStart(range, '2026-10-24T12:00:00.000Z').end).toBe('2026-10-25T13:00:00.000Z')
})

test('clearing one end clears both', () => {
  expect(withStart(week, null)).toEqual(NO_RANGE)
  expect(withEnd(week, null)).toEqual(NO_RANGE)
})

test('one end alone is kept while the other is chosen', () => {
  expect(withStart(NO_RANGE, at(1))).toEqual({ start: at(1), end: null })
  expect(withEnd(NO_RANGE, at(8))).toEqual({ start: null, end: at(8) })
})

test('the last day ends with the running minute, to include the newest vehicles', () => {
  const range = lastDays(1, Date.parse('2026-06-08T12:00:20.500Z'))
  expect(range).toEqual({ start: '2026-06-07T12:01:00.000Z', end: '2026-06-08T12:01:00.000Z' })
})
