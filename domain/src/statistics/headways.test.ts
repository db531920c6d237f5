import { expect, test } from 'vitest'
import { HEADWAY_BINS, headwayBin, headwayEdge, headwaysBelow } from './headways.ts'

test('bins are half seconds up to 10 s, then wider', () => {
  expect([0, 499, 500, 9_999, 10_000, 14_999, 15_000, 30_000, 60_000, 600_000].map(headwayBin)).toEqual([
    0, 0, 1, 19, 20, 20, 21, 22, 23, 23,
  ])
  expect(headwayBin(600_001)).toBeNull()
  expect(HEADWAY_BINS).toBe(24)
})

test('each edge begins its bin', () => {
  for (let bin = 0; bin < HEADWAY_BINS; bin++) expect(headwayBin(headwayEdge(bin))).toBe(bin)
})

test('counts short headways', () => {
  expect(headwaysBelow([1, 2, 4, 8, 16], 1_000)).toBe(3)
  expect(headwaysBelow([1, 2, 4, 8, 16], 2_000)).toBe(15)
})
