import { expect, test } from 'vitest'
import {
  dateOf,
  dayOf,
  fromWarsaw,
  isAmbiguousTime,
  monthOf,
  startOfMonth,
  toWarsaw,
  warsawTime,
  zoneName,
} from './warsaw.ts'

const at = (text: string) => Date.parse(text)
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16)

test.each([
  ['2026-01-15T12:00Z', '2026-01-15T13:00'],
  ['2026-07-15T12:00Z', '2026-07-15T14:00'],
  ['2026-03-29T00:59Z', '2026-03-29T01:59'],
  ['2026-03-29T01:00Z', '2026-03-29T03:00'],
  ['2026-10-25T00:59Z', '2026-10-25T02:59'],
  ['2026-10-25T01:00Z', '2026-10-25T02:00'],
])('at %s the clock shows %s', (instant, local) => {
  expect(iso(toWarsaw(at(instant)))).toBe(local)
})

test.each([
  ['2026-01-15T13:00Z', '2026-01-15T12:00', 'in winter'],
  ['2026-07-15T14:00Z', '2026-07-15T12:00', 'in summer'],
  ['2026-10-25T02:30Z', '2026-10-25T00:30', 'the first of two'],
  ['2026-10-25T03:00Z', '2026-10-25T02:00', 'after both'],
  ['2026-03-29T02:00Z', '2026-03-29T01:00', 'left out: when it would have begun'],
  ['2026-03-29T03:00Z', '2026-03-29T01:00', 'after the gap'],
  ['2026-03-29T00:00Z', '2026-03-28T23:00', 'midnight before the change'],
])('the clock shows %s at %s (%s)', (local, instant) => {
  expect(iso(fromWarsaw(at(local)))).toBe(instant)
})

test('detects the ambiguous autumn hour and names its zone', () => {
  const twice = ['2026-10-25T00:00Z', '2026-10-25T00:59Z', '2026-10-25T01:00Z', '2026-10-25T01:59Z'].map(at)
  expect(twice.map(isAmbiguousTime)).toEqual([true, true, true, true])
  expect(twice.map(zoneName)).toEqual(['CEST', 'CEST', 'CET', 'CET'])
  expect(
    ['2026-10-24T23:59Z', '2026-10-25T02:00Z', '2026-03-29T00:30Z', '2026-03-29T01:30Z'].map(at).map(isAmbiguousTime),
  ).toEqual([false, false, false, false])
})

test('returns the Warsaw date', () => {
  expect(dateOf(new Date('2026-10-19T22:00:00Z'))).toBe('2026-10-20')
  expect(dateOf(new Date('2026-10-19T21:59:59Z'))).toBe('2026-10-19')
})

test('returns the figures of calendar and clock at an instant', () => {
  expect(warsawTime(at('2026-12-31T23:05Z'))).toEqual({ year: 2027, month: 1, day: 1, hour: 0, minute: 5 })
  expect(warsawTime(at('2026-10-20T10:59Z'))).toEqual({ year: 2026, month: 10, day: 20, hour: 12, minute: 59 })
})

test('finds the day and the month of a local time', () => {
  expect(iso(dayOf(at('2026-10-20T23:59Z')))).toBe('2026-10-20T00:00')
  expect(iso(dayOf(at('1969-12-31T23:59Z')))).toBe('1969-12-31T00:00')
  expect(monthOf(at('2026-12-31T23:59Z'))).toEqual({ year: 2026, month: 11 })
})

test('a month begins at midnight of its first, in later years too, and in the years before 100', () => {
  expect(iso(startOfMonth(2026, 9))).toBe('2026-10-01T00:00')
  expect(iso(startOfMonth(2026, 13))).toBe('2027-02-01T00:00')
  expect(new Date(startOfMonth(26, 0)).getUTCFullYear()).toBe(26)
})

test('before standard time, the clock shows Warsaw mean time', () => {
  expect(new Date(toWarsaw(at('1870-01-01T12:00Z'))).toISOString()).toBe('1870-01-01T13:24:00.000Z')
})
