import { expect, test } from 'vitest'
import { shiftRange } from './shift.ts'

const THREE = ['06:00', '14:00', '22:00']

// Warsaw is ahead of UTC by one hour in winter and by two in summer, from 29 March to 25 October 2026.
test.each([
  ['in winter', THREE, '2026-01-15T12:00:00Z', '2026-01-15T05:00:00Z', '2026-01-15T13:00:00Z'],
  ['at its beginning', THREE, '2026-07-15T04:00:00Z', '2026-07-15T04:00:00Z', '2026-07-15T12:00:00Z'],
  ['before the next one', THREE, '2026-07-15T03:59:59.999Z', '2026-07-14T20:00:00Z', '2026-07-15T04:00:00Z'],
  ['in the night of nine hours', THREE, '2026-10-25T00:30:00Z', '2026-10-24T20:00:00Z', '2026-10-25T05:00:00Z'],
  ['in the night of seven hours', THREE, '2026-03-29T01:30:00Z', '2026-03-28T21:00:00Z', '2026-03-29T04:00:00Z'],
  ['of a whole day of 25 hours', ['00:00'], '2026-10-25T22:59:00Z', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
])('the shift of an instant %s', (_, starts, at, from, to) => {
  expect(shiftRange(starts, new Date(at))).toEqual({ from: new Date(from), to: new Date(to) })
})
