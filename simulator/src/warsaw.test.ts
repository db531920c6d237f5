import { expect, test } from 'vitest'
import { dayOf, hourOf, instantOf, isNight, stampOf, weekdayOf } from './warsaw.ts'

test.each([
  ['2026-01-15T22:59:59Z', '2026-01-15'],
  ['2026-01-15T23:00:00Z', '2026-01-16'],
  ['2026-07-15T21:59:59Z', '2026-07-15'],
  ['2026-07-15T22:00:00Z', '2026-07-16'],
])('%s belongs to the Warsaw day %s', (instant, day) => {
  expect(new Date(dayOf(new Date(instant)) * 86_400_000).toISOString().slice(0, 10)).toBe(day)
})

test.each([
  ['2026-10-24', 24],
  ['2026-10-25', 25],
  ['2026-03-29', 23],
])('the day %s has %i hours', (date, hours) => {
  const day = Date.parse(`${date}T00:00:00Z`) / 86_400_000

  expect((instantOf(day + 1, 0) - instantOf(day, 0)) / 3_600_000).toBe(hours)
  expect(dayOf(new Date(instantOf(day, 0)))).toBe(day)
  expect(dayOf(new Date(instantOf(day + 1, 0) - 1))).toBe(day)
})

test('hours, weekdays and stamps are local', () => {
  const at = new Date('2026-10-20T06:15:24.318Z')

  expect(hourOf(at)).toBeCloseTo(8.2567, 3)
  expect(weekdayOf(dayOf(at))).toBe(2)
  expect(stampOf(at)).toBe('20.10.2026 08:15:24')
})

test.each([
  ['2026-06-21T03:30:00Z', false],
  ['2026-06-21T20:30:00Z', true],
  ['2026-12-21T05:30:00Z', true],
  ['2026-12-21T11:00:00Z', false],
  ['2026-12-21T15:30:00Z', true],
])('at %s it is night: %s', (instant, night) => {
  expect(isNight(new Date(instant))).toBe(night)
})
