import { expect, test } from 'vitest'
import { nextAttemptAt, RETRY_DELAYS } from './schedule.ts'

test('repeats after 5 s, 1, 5 and 30 min, 2, 6, 12 and 24 h', () => {
  const seconds = [5, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400]
  expect(RETRY_DELAYS).toEqual(seconds.map((count) => count * 1_000))
})

test('the next attempt follows the delay of the failed ones, and none the last', () => {
  const now = new Date('2026-10-20T08:00:00Z')
  expect(nextAttemptAt(1, now)).toEqual(new Date('2026-10-20T08:00:05Z'))
  expect(nextAttemptAt(8, now)).toEqual(new Date('2026-10-21T08:00:00Z'))
  expect(nextAttemptAt(9, now)).toBeNull()
})
