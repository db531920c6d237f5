import type { ResolutionUnit } from '@rogatka/contract/options.ts'
import { expect, test } from 'vitest'
import { estimatePeriods, periodLabel, periodsOf } from './periods.ts'

const periods = (from: string, to: string, unit: ResolutionUnit, value = 1) =>
  periodsOf(new Date(from), new Date(to), { unit, value }).map((start) => start.toISOString().slice(0, 16))

const day = (date: string, unit: ResolutionUnit, value = 1) => {
  const [from, to] = [new Date(`${date}T00:00:00+02:00`), new Date(`${date}T00:00:00+02:00`)]
  // Midnights in Warsaw on either side, whatever the season.
  for (const [at, days] of [
    [from, 0],
    [to, 1],
  ] as const) {
    at.setUTCDate(at.getUTCDate() + days)
    if (
      new Intl.DateTimeFormat('en', { timeZone: 'Europe/Warsaw', hour: '2-digit', hourCycle: 'h23' }).format(at) !==
      '00'
    )
      at.setUTCHours(at.getUTCHours() + 1)
  }
  return periodsOf(from, to, { unit, value }).map((start) => start.toISOString().slice(11, 16))
}

test.each([
  ['2026-10-20', 24],
  ['2026-03-29', 23],
  ['2026-10-25', 25],
])('%s has %s hours, and 60 minutes in each', (date, hours) => {
  expect(day(date, 'hour')).toHaveLength(hours)
  expect(day(date, 'minute')).toHaveLength(hours * 60)
  expect(day(date, 'minute', 10)).toHaveLength(hours * 6)
})

test('hour steps follow the wall clock: the clock change lengthens or shortens one', () => {
  expect(day('2026-10-25', 'hour', 2)).toEqual(
    ['22', '00', '03', '05', '07', '09', '11', '13', '15', '17', '19', '21'].map((hour) => `${hour}:00`),
  )
  // 02:00 is skipped, so its step starts at 03:00.
  expect(day('2026-03-29', 'hour', 2).slice(0, 4)).toEqual(['23:00', '01:00', '02:00', '04:00'])
  expect(day('2026-03-29', 'hour', 12)).toEqual(['23:00', '10:00'])
})

test('a step of the first two o’clock does not begin a period in the second', () => {
  // From 02:01 CET; 02:02 was before the clocks went back, 03:03 is the next step of 61 minutes.
  expect(periods('2026-10-25T01:01Z', '2026-10-25T03:00Z', 'minute', 61)).toEqual([
    '2026-10-25T01:01',
    '2026-10-25T02:03',
  ])
})

test('days start at midnight across both clock changes', () => {
  expect(periods('2026-10-23T22:00Z', '2026-10-26T23:00Z', 'day')).toEqual([
    '2026-10-23T22:00',
    '2026-10-24T22:00',
    '2026-10-25T23:00',
  ])
  expect(periods('2026-10-23T22:00Z', '2026-10-27T23:00Z', 'hour', 48)).toEqual([
    '2026-10-23T22:00',
    '2026-10-25T23:00',
  ])
  expect(periods('2026-03-27T23:00Z', '2026-03-30T22:00Z', 'day')).toEqual([
    '2026-03-27T23:00',
    '2026-03-28T23:00',
    '2026-03-29T22:00',
  ])
})

test('the first period starts with the range and is cut like the last', () => {
  expect(periods('2026-10-20T06:17Z', '2026-10-20T08:30Z', 'hour')).toEqual([
    '2026-10-20T06:17',
    '2026-10-20T07:00',
    '2026-10-20T08:00',
  ])
  expect(periods('2026-10-20T06:17Z', '2026-10-20T06:41Z', 'minute', 10)).toEqual([
    '2026-10-20T06:17',
    '2026-10-20T06:20',
    '2026-10-20T06:30',
    '2026-10-20T06:40',
  ])
})

test('the end is exclusive', () => {
  expect(periods('2026-10-20T06:00Z', '2026-10-20T08:00Z', 'hour')).toHaveLength(2)
  expect(periods('2026-10-20T06:00Z', '2026-10-20T06:00Z', 'hour')).toEqual([])
  expect(periods('2026-10-20T06:00Z', '2026-10-20T05:00Z', 'hour')).toEqual([])
})

test('quarters are those of the calendar, weeks are counted from the first day, decades from the first year', () => {
  expect(periods('2026-02-14T23:00Z', '2026-12-31T23:00Z', 'month', 3)).toEqual([
    '2026-02-14T23:00',
    '2026-03-31T22:00',
    '2026-06-30T22:00',
    '2026-09-30T22:00',
  ])
  expect(periods('2026-10-05T08:00Z', '2026-10-20T08:00Z', 'day', 7)).toEqual([
    '2026-10-05T08:00',
    '2026-10-11T22:00',
    '2026-10-18T22:00',
  ])
  expect(periods('2019-06-01T00:00Z', '2040-01-01T00:00Z', 'year', 10)).toEqual([
    '2019-06-01T00:00',
    '2028-12-31T23:00',
    '2038-12-31T23:00',
  ])
  expect(periods('2025-11-30T23:00Z', '2026-02-01T23:00Z', 'month')).toEqual([
    '2025-11-30T23:00',
    '2025-12-31T23:00',
    '2026-01-31T23:00',
  ])
})

test('the first centuries are as long as the others', () => {
  expect(periods('0001-01-01T00:00:00Z', '1000-01-01T00:00:00Z', 'year', 100)).toHaveLength(10)
})

test('steps that do not divide an hour count from midnight', () => {
  expect(periods('2026-10-19T22:00Z', '2026-10-19T22:20Z', 'minute', 7)).toEqual([
    '2026-10-19T22:00',
    '2026-10-19T22:07',
    '2026-10-19T22:14',
  ])
})

test('estimates thirty years by minute without creating the periods', () => {
  const count = estimatePeriods(new Date('1996-01-01'), new Date('2026-01-01'), { unit: 'minute', value: 1 })
  expect(count).toBeGreaterThan(15_000_000)
})

test.each([
  ['2026-10-20T06:05Z', 'minute', '20.10.2026 08:05'],
  ['2026-10-20T06:00Z', 'hour', '20.10.2026 08:00'],
  ['2026-10-19T22:00Z', 'day', '20.10.2026'],
  ['2026-09-30T22:00Z', 'month', '10.2026'],
  ['2025-12-31T23:00Z', 'year', '2026'],
  ['2026-10-25T00:00Z', 'hour', '25.10.2026 02:00 CEST'],
  ['2026-10-25T01:00Z', 'hour', '25.10.2026 02:00 CET'],
] as const)('%s by %s is labelled %s', (start, unit, label) => {
  expect(periodLabel(new Date(start), unit)).toBe(label)
})

test.each([
  ['2026-10-20T00:00Z', '2026-10-21T00:00Z', 'minute', 15, 96],
  ['2026-10-20T00:00Z', '2026-10-22T00:00Z', 'hour', 2, 24],
  ['2026-10-20T00:00Z', '2026-10-30T00:00Z', 'day', 5, 2],
  ['2026-10-21T00:00Z', '2026-10-20T00:00Z', 'hour', 1, 0],
  // Four years have 1,461 days.
  ['2026-01-01T00:00Z', '2030-01-01T00:00Z', 'month', 1, 48],
  ['2026-01-01T00:00Z', '2030-01-01T00:00Z', 'year', 2, 2],
] as const)('estimates the periods from %s to %s by %s of %i as %i', (first, last, unit, value, count) => {
  expect(estimatePeriods(new Date(first), new Date(last), { unit, value })).toBe(count)
})
