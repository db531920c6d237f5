import { expect, test } from 'vitest'
import { overspeedRange, speedRange } from './ranges.ts'

test.each([
  [null, 0],
  [0, 0],
  [1, 1],
  [49, 1],
  [50, 2],
  [59, 2],
  [60, 3],
  [99, 6],
  [100, 7],
  [139, 10],
  [140, 11],
  [400, 11],
])('%s km/h is in the range %s', (speed, range) => {
  expect(speedRange(speed)).toBe(range)
})

test.each([
  [null, 90, 0],
  [200, null, 0],
  [90, 90, 0],
  [40, 90, 0],
  [91, 90, 1],
  [100, 90, 1],
  [101, 90, 2],
  [110, 90, 2],
  [111, 90, 3],
  [121, 90, 4],
  [131, 90, 5],
  [140, 90, 5],
  [141, 90, 6],
  [300, 90, 6],
])('%s km/h where %s are allowed is in the range %s', (speed, limit, range) => {
  expect(overspeedRange(speed, limit)).toBe(range)
})
