import { expect, test } from 'vitest'
import { downtimeMinutes, intervalOfMonth, monthAt, runningTotals } from './downtime.ts'
import { durationText } from './duration.ts'

const from = (reported: string, removed: string | null) => ({
  reportedAt: new Date(reported),
  removedAt: removed === null ? null : new Date(removed),
})
const NOW = new Date('2026-11-15T12:00:30Z')
const hours = (h: number) => h * 60

test.each([
  ['a failure of an hour and 5 minutes', '2026-10-05T08:00Z', '2026-10-05T09:05Z', 65],
  ['seconds that do not make a minute are not counted', '2026-10-05T08:00:40Z', '2026-10-05T08:02:39Z', 1],
  ['over the end of the month', '2026-10-31T20:00Z', '2026-11-01T04:00Z', hours(8)],
  ['over the spring night of 23 hours: noon to noon in Warsaw', '2026-03-28T11:00Z', '2026-03-29T10:00Z', hours(23)],
  ['over the autumn night of 25 hours: noon to noon in Warsaw', '2026-10-24T10:00Z', '2026-10-25T11:00Z', hours(25)],
  ['an open one to now', '2026-11-15T10:00Z', null, 120],
  ['one removed before it was reported is nothing', '2026-10-05T08:00Z', '2026-10-05T07:00Z', 0],
  ['an open one reported ahead of the clock is nothing', '2026-11-15T12:05Z', null, 0],
])('%s', (_, reported, removed, minutes) => {
  expect(downtimeMinutes(from(reported, removed), NOW)).toBe(minutes)
})

test('a month begins and ends at midnight in Warsaw, in winter and summer time', () => {
  expect(intervalOfMonth({ year: 2026, month: 10 })).toEqual({
    from: new Date('2026-09-30T22:00Z'),
    to: new Date('2026-10-31T23:00Z'),
  })
  expect(intervalOfMonth({ year: 2026, month: 3 })).toEqual({
    from: new Date('2026-02-28T23:00Z'),
    to: new Date('2026-03-31T22:00Z'),
  })
  expect(intervalOfMonth({ year: 2026, month: 12 }).to).toEqual(new Date('2026-12-31T23:00Z'))
})

test('the month of an instant follows Warsaw time', () => {
  expect(monthAt(new Date('2026-12-31T23:00Z'))).toEqual({ year: 2027, month: 1 })
  expect(monthAt(new Date('2026-10-31T22:59:59Z'))).toEqual({ year: 2026, month: 10 })
})

test('overlapping failures are counted once, row by row', () => {
  const rows = [
    from('2026-10-05T08:00Z', '2026-10-05T10:00Z'), // 120
    from('2026-10-05T09:00Z', '2026-10-05T11:30Z'), // 90 more
    from('2026-10-05T09:10Z', '2026-10-05T09:20Z'), // within both
    from('2026-10-05T11:30Z', '2026-10-05T11:45Z'), // touches: 15 more
    from('2026-10-07T00:00Z', '2026-10-07T01:00Z'), // apart: 60 more
  ]
  expect(runningTotals(rows, intervalOfMonth({ year: 2026, month: 10 }), NOW)).toEqual([120, 210, 210, 225, 285])
})

test('a failure between two others adds only the uncovered minutes', () => {
  const rows = [
    from('2026-10-05T08:00Z', '2026-10-05T09:00Z'),
    from('2026-10-05T10:00Z', '2026-10-05T11:00Z'),
    from('2026-10-05T08:30Z', '2026-10-05T10:30Z'),
  ]
  expect(runningTotals(rows, intervalOfMonth({ year: 2026, month: 10 }), NOW)).toEqual([60, 120, 180])
})

test('failures apart from each other add up, also if the later is reported first', () => {
  const rows = [from('2026-10-05T10:00Z', '2026-10-05T11:00Z'), from('2026-10-05T08:00Z', '2026-10-05T09:00Z')]
  expect(runningTotals(rows, intervalOfMonth({ year: 2026, month: 10 }), NOW)).toEqual([60, 120])
})

test('a failure across the end of a month is split between the months', () => {
  // In Warsaw 31 October 21:00 to 1 November 05:00.
  const night = [from('2026-10-31T20:00Z', '2026-11-01T04:00Z')]
  expect(runningTotals(night, intervalOfMonth({ year: 2026, month: 10 }), NOW)).toEqual([hours(3)])
  expect(runningTotals(night, intervalOfMonth({ year: 2026, month: 11 }), NOW)).toEqual([hours(5)])
})

test('a failure that lasts through a month counts all of it, with the hour of the clock change', () => {
  const long = [from('2026-09-01T00:00Z', null)]
  expect(runningTotals(long, intervalOfMonth({ year: 2026, month: 10 }), NOW)).toEqual([31 * hours(24) + 60])
  expect(runningTotals([from('2026-01-01T00:00Z', null)], intervalOfMonth({ year: 2026, month: 3 }), NOW)).toEqual([
    31 * hours(24) - 60,
  ])
})

test('open failures last to now, and a month that has not come has none', () => {
  const rows = [from('2026-11-15T10:00Z', null), from('2026-11-15T11:30Z', null)]
  expect(runningTotals(rows, intervalOfMonth({ year: 2026, month: 11 }), NOW)).toEqual([120, 120])
  expect(runningTotals(rows, intervalOfMonth({ year: 2026, month: 12 }), NOW)).toEqual([0, 0])
})

test.each([
  [0, '0 min'],
  [45, '45 min'],
  [60, '1 h'],
  [205, '3 h 25 min'],
  [1440, '1 d'],
  [1445, '1 d 5 min'],
  [3085, '2 d 3 h 25 min'],
])('%i minutes are %s', (minutes, text) => {
  expect(durationText(minutes)).toBe(text)
})

test.each([
  ['the later is reported first', ['09:00', '10:00'], ['08:00', '09:00']],
  ['the earlier is reported first', ['08:00', '09:00'], ['09:00', '10:00']],
])('failures that touch are counted once each: %s', (_, first, second) => {
  const rows = [first, second].map(([begin, end]) => from(`2026-10-05T${begin}Z`, `2026-10-05T${end}Z`))
  expect(runningTotals(rows, intervalOfMonth({ year: 2026, month: 10 }), NOW)).toEqual([60, 120])
})
