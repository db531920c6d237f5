import { expect, test } from 'vitest'
import { minutesOf, rangeNow } from './openViews.ts'

const WEEK = 7 * 24 * 60

const week = (dateTimeStart: string, dateTimeEnd: string) => minutesOf({ dateTimeStart, dateTimeEnd })

test('minutes of a range are those of the clock in Poland, also over a clock change', () => {
  // Clocks in Poland go back on 25 October 2026 and forward on 28 March 2027.
  expect(week('2026-10-20T06:00:00Z', '2026-10-27T07:00:00Z')).toBe(WEEK)
  expect(week('2027-03-25T07:00:00Z', '2027-04-01T06:00:00Z')).toBe(WEEK)
  expect(week('2026-10-13T06:00:00Z', '2026-10-20T06:00:00Z')).toBe(WEEK)
  expect(minutesOf({})).toBeNull()
})

test('a moving range keeps its length and time of day over a clock change', () => {
  expect(rangeNow(WEEK, Date.parse('2026-10-27T06:59:30Z'))).toEqual({
    start: '2026-10-20T06:00:00.000Z',
    end: '2026-10-27T07:00:00.000Z',
  })
  expect(rangeNow(26 * 60, Date.parse('2027-03-28T10:00:00Z'))).toEqual({
    start: '2027-03-27T09:00:00.000Z',
    end: '2027-03-28T10:00:00.000Z',
  })
})
