import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../core/time.ts'
import { comparableEnds, quartersAround } from './comparable.ts'

const iso = (times: readonly number[]) => times.map((at) => new Date(at).toISOString().slice(0, 16))

describe('hours are comparable', () => {
  test('on working days until Thursday without holidays', () => {
    // A Tuesday; 11 November is a holiday.
    const days = iso(comparableEnds(Date.parse('2026-11-24T08:10:00+01:00')))
    expect(days.slice(0, 8)).toEqual([
      '2026-11-23T07:10',
      '2026-11-19T07:10',
      '2026-11-18T07:10',
      '2026-11-17T07:10',
      '2026-11-16T07:10',
      '2026-11-12T07:10',
      '2026-11-10T07:10',
      '2026-11-09T07:10',
    ])
    // Before the clock change the same local time was an hour earlier in UTC.
    expect(days.at(-1)).toBe('2026-09-29T06:10')
    expect(days).toHaveLength(31)
  })

  test.each([
    ['a Friday', '2026-10-23T17:00:00+02:00', 8, '2026-10-16T15:00'],
    ['a Saturday without that of a holiday', '2026-08-22T17:00:00+02:00', 7, '2026-08-08T15:00'],
    ['a Sunday', '2026-10-18T17:00:00+02:00', 8, '2026-10-11T15:00'],
    ['Epiphany', '2026-01-06T12:00:00+01:00', 5, '2026-01-01T11:00'],
    ['midnight, which ends a Thursday', '2026-10-23T00:00:00+02:00', 32, '2026-10-21T22:00'],
    ['a minute after midnight, of a Friday', '2026-10-23T00:01:00+02:00', 8, '2026-10-15T22:01'],
  ])('of %s', (_, end, count, newest) => {
    const ends = iso(comparableEnds(Date.parse(end)))
    expect(ends[0]).toBe(newest)
    expect(ends).toHaveLength(count)
  })

  test.each([
    // In spring the hour from 02:00 is missing: hours that end until 04:00 are no hours, or other ones.
    ['2026-04-12T02:00:00+02:00', false],
    ['2026-04-12T02:30:00+02:00', false],
    ['2026-04-12T03:15:00+02:00', false],
    ['2026-04-12T03:59:00+02:00', false],
    ['2026-04-12T04:00:00+02:00', true],
    ['2026-04-12T01:59:00+02:00', true],
  ])('but not across the clock change of spring: %s', (end, isCompared) => {
    const days = iso(comparableEnds(Date.parse(end))).map((at) => at.slice(0, 10))
    expect(days.includes('2026-03-29')).toBe(isCompared)
    expect(days).toContain('2026-03-22')
  })

  test.each([
    // In autumn the hour from 02:00 is there twice: of those that end in it, the first counts.
    ['2026-11-08T02:00:00+01:00', '2026-10-25T00:00'],
    ['2026-11-08T02:30:00+01:00', '2026-10-25T00:30'],
    ['2026-11-08T03:00:00+01:00', null],
    ['2026-11-08T03:30:00+01:00', null],
    ['2026-11-08T04:00:00+01:00', '2026-10-25T03:00'],
  ])('nor across that of autumn: %s', (end, other) => {
    const found = iso(comparableEnds(Date.parse(end))).filter((at) => at.startsWith('2026-10-25'))
    expect(found).toEqual(other ? [other] : [])
  })

  /** The local time on the clock, without arithmetic on offsets. */
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Warsaw',
    dateStyle: 'short',
    timeStyle: 'short',
  })

  test('as found by looking at a clock every quarter of an hour', () => {
    for (const end of ['2026-10-18T10:15:00Z', '2026-12-01T22:45:00Z', '2026-05-10T02:30:00Z']) {
      const at = Date.parse(end)
      const [day = '', time = ''] = clock.format(at).split(' ')
      const weekday = new Date(day).getUTCDay()
      const found: number[] = []
      for (let other = at - 15 * MINUTE_MS; clock.format(other).slice(0, 10) >= daysBefore(day, 56); ) {
        const [otherDay = '', otherTime = ''] = clock.format(other).split(' ')
        const otherWeekday = new Date(otherDay).getUTCDay()
        const isWorkday = (number: number) => number >= 1 && number <= 4
        const isSameKind = weekday === otherWeekday || (isWorkday(weekday) && isWorkday(otherWeekday))
        if (otherTime === time && otherDay !== day && isSameKind && !HOLIDAYS.includes(otherDay)) found.push(other)
        other -= 15 * MINUTE_MS
      }
      expect(iso(comparableEnds(at))).toEqual(iso(found))
    }
  })
})

const HOLIDAYS = ['2026-11-11', '2026-11-01', '2026-04-05', '2026-04-06', '2026-05-01', '2026-05-03']

const daysBefore = (day: string, count: number) =>
  new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10)

test.each([
  ['2026-10-20T08:00:00Z', '06:45 07:00 07:15 07:30 07:45 08:00'],
  ['2026-10-20T08:01:00Z', '06:45 07:00 07:15 07:30 07:45 08:00 08:15'],
  ['2026-10-20T08:14:00Z', '06:45 07:00 07:15 07:30 07:45 08:00 08:15'],
])('an hour until %s needs its quarters and one on each side', (end, quarters) => {
  expect(iso(quartersAround(Date.parse(end))).map((at) => at.slice(11))).toEqual(quarters.split(' '))
})
