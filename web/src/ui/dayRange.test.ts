import { expect, test } from 'vitest'
import { daysOf, rangeOf } from './dayRange.ts'

test('days are those of Poland, both included, in summer and winter time', () => {
  // The 25th of October 2026 has 25 hours.
  const range = rangeOf({ from: '2026-10-24', until: '2026-10-25' }, 'from')
  expect(range).toEqual({ dateTimeStart: '2026-10-23T22:00:00.000Z', dateTimeEnd: '2026-10-25T23:00:00.000Z' })
  expect(daysOf(range)).toEqual({ from: '2026-10-24', until: '2026-10-25' })
  expect(daysOf({})).toEqual({ from: null, until: null })
})

test('a day beyond the other end moves that end', () => {
  expect(daysOf(rangeOf({ from: '2026-10-24', until: '2026-10-20' }, 'from'))).toEqual({
    from: '2026-10-24',
    until: '2026-10-24',
  })
  expect(daysOf(rangeOf({ from: '2026-10-24', until: '2026-10-20' }, 'until'))).toEqual({
    from: '2026-10-20',
    until: '2026-10-20',
  })
})
