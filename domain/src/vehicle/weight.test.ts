import { expect, test } from 'vitest'
import { isAtOrOverLimit } from './weight.ts'

test.each([
  [39_999, 40_000, false],
  [40_000, 40_000, true],
  [40_001, 40_000, true],
  [null, 40_000, false],
  [40_000, null, false],
  [null, null, false],
])('a gross weight of %s kg with a limit of %s kg is at or over it: %s', (totalLoad, limitTotalLoad, expected) => {
  expect(isAtOrOverLimit({ totalLoad, limitTotalLoad })).toBe(expected)
})
