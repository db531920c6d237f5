import { expect, test } from 'vitest'
import { levelIntervals } from './levels.ts'
import { periodsOf, type Resolution } from './periods.ts'

const parts = (from: string, to: string, unit: Resolution['unit'], value = 1) => {
  const end = new Date(to)
  return levelIntervals(periodsOf(new Date(from), end, { unit, value }), end).map(
    ({ level, from, to }) => `${level} ${from.toISOString().slice(0, 16)} ${to.toISOString().slice(0, 16)}`,
  )
}

test('minutes read vehicles, except in steps of whole hours', () => {
  expect(parts('2026-10-20T06:00Z', '2026-10-20T10:00Z', 'minute')).toEqual([
    'vehicle 2026-10-20T06:00 2026-10-20T10:00',
  ])
  expect(parts('2026-10-20T06:00Z', '2026-10-20T10:00Z', 'minute', 120)).toEqual([
    'hour 2026-10-20T06:00 2026-10-20T10:00',
  ])
})

test('finer levels cover the ends that a level cannot', () => {
  expect(parts('2026-08-30T10:20Z', '2026-12-02T17:45Z', 'month')).toEqual([
    'vehicle 2026-08-30T10:20 2026-08-30T11:00',
    'hour 2026-08-30T11:00 2026-08-30T22:00',
    'day 2026-08-30T22:00 2026-08-31T22:00',
    'month 2026-08-31T22:00 2026-11-30T23:00',
    'day 2026-11-30T23:00 2026-12-01T23:00',
    'hour 2026-12-01T23:00 2026-12-02T17:00',
    'vehicle 2026-12-02T17:00 2026-12-02T17:45',
  ])
})

test('daily periods read days, even if the range has whole months', () => {
  expect(parts('2026-09-30T22:00Z', '2026-11-30T23:00Z', 'day')).toEqual(['day 2026-09-30T22:00 2026-11-30T23:00'])
  expect(parts('2026-09-30T22:00Z', '2026-11-30T23:00Z', 'hour')).toEqual(['hour 2026-09-30T22:00 2026-11-30T23:00'])
  expect(parts('2026-09-30T22:00Z', '2026-11-30T23:00Z', 'year')).toEqual(['month 2026-09-30T22:00 2026-11-30T23:00'])
})

test('a range within one minute, hour or day reads no coarser level', () => {
  expect(parts('2026-10-20T06:10Z', '2026-10-20T06:20Z', 'year')).toEqual(['vehicle 2026-10-20T06:10 2026-10-20T06:20'])
  expect(parts('2026-10-20T06:00Z', '2026-10-20T08:00Z', 'year')).toEqual(['hour 2026-10-20T06:00 2026-10-20T08:00'])
  expect(parts('2026-10-20T06:30Z', '2026-10-20T07:30Z', 'year')).toEqual(['vehicle 2026-10-20T06:30 2026-10-20T07:30'])
  expect(parts('2026-10-20T06:00Z', '2026-10-20T06:00Z', 'day')).toEqual([])
})
