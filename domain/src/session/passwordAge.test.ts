import { expect, test } from 'vitest'
import { passwordExpired } from './passwordAge.ts'

test.each([
  ['2026-01-15T10:00:00Z', '2026-04-15T10:00:00.000Z', false],
  ['2026-01-15T10:00:00Z', '2026-04-15T10:00:00.001Z', true],
  // 3 calendar months, not 90 days: from 1 July they are 92
  ['2026-07-01T00:00:00Z', '2026-09-30T12:00:00Z', false],
  // a day that the month lacks becomes its last
  ['2026-01-31T08:00:00Z', '2026-04-30T08:00:00Z', false],
  ['2026-01-31T08:00:00Z', '2026-04-30T08:00:01Z', true],
  ['2025-11-30T08:00:00Z', '2026-02-28T08:00:01Z', true],
  ['2027-11-30T08:00:00Z', '2028-02-29T08:00:00Z', false],
  // over the turn of the year
  ['2025-12-10T08:00:00Z', '2026-03-10T08:00:01Z', true],
])('a password of %s at %s has expired: %s', (updatedAt, now, expired) => {
  expect(passwordExpired(updatedAt, new Date(now))).toBe(expired)
  expect(passwordExpired(new Date(updatedAt), new Date(now))).toBe(expired)
})

test.each([[null], [undefined], ['']])('a missing time (%s) counts as expired', (missing) => {
  expect(passwordExpired(missing, new Date('2026-01-01T00:00:00Z'))).toBe(true)
})

test.each([['yesterday'], [new Date(Number.NaN)]])('an invalid time (%s) counts as not expired', (invalid) => {
  expect(passwordExpired(invalid, new Date('2026-01-01T00:00:00Z'))).toBe(false)
})

test('a time in the future is not expired', () => {
  expect(passwordExpired('2026-05-01T00:00:00Z', new Date('2026-01-01T00:00:00Z'))).toBe(false)
})
