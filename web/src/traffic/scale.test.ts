import { expect, test } from 'vitest'
import { scaleOf } from './scale.ts'

test.each([
  [1_150, [0, 400, 800, 1_200]],
  [980, [0, 400, 800, 1_200]],
  [12_600, [0, 4_000, 8_000, 12_000, 16_000]],
  [3, [0, 1, 2, 3]],
  [0, [0]],
])('a scale for %i has round ticks that contain it', (max, ticks) => {
  expect(scaleOf(max).ticks).toEqual(ticks)
  expect(scaleOf(max).top).toBeGreaterThanOrEqual(max)
})
