import { expect, test } from 'vitest'
import { aboveLimit, loadBins, speedBins } from './bins.ts'

test('bins of speeds end at their upper edge, so that a limit separates them', () => {
  // 88 to 93 km/h
  expect(speedBins(88, [1, 2, 3, 4, 5, 6])).toEqual([
    { from: 87, to: 88, count: 1 },
    { from: 88, to: 89, count: 2 },
    { from: 89, to: 90, count: 3 },
    { from: 90, to: 91, count: 4 },
    { from: 91, to: 92, count: 5 },
    { from: 92, to: 93, count: 6 },
  ])
  const wide = speedBins(
    41,
    Array.from({ length: 100 }, () => 1),
  )
  expect(wide[0]).toEqual({ from: 40, to: 42, count: 2 })
  expect(wide.at(-1)).toEqual({ from: 138, to: 140, count: 2 })
  expect(wide.reduce((sum, { count }) => sum + count, 0)).toBe(100)
  expect(wide.length).toBeLessThanOrEqual(60)
})

test('bins of loads begin at their lower edge', () => {
  const bins = loadBins(0.5, [1, 0, 4])
  expect(bins.at(-1)).toEqual({ from: 1, to: 1.5, count: 4 })
  // The last one of all has no upper edge.
  expect(loadBins(1, [], 60).slice(58)).toEqual([
    { from: 58, to: 59, count: 0 },
    { from: 59, to: null, count: 0 },
  ])
  expect(loadBins(1, [2], 3).map(({ count }) => count)).toEqual([2, 0, 0])
})

test('loads above a limit are counted from the next edge, unless the last bin has some below it', () => {
  const bins = loadBins(0.5, [1, 0, 4, 2])
  expect([aboveLimit(bins, 1), aboveLimit(bins, 0.6), aboveLimit(bins, 1.2)]).toEqual([
    { from: 1, count: 6 },
    { from: 1, count: 6 },
    { from: 1.5, count: 2 },
  ])
  const long = loadBins(1, [...Array.from({ length: 59 }, () => 0), 3])
  expect(aboveLimit(long, 59)).toEqual({ from: 59, count: 3 })
  // The last bin is from 59 on.
  expect(aboveLimit(long, 60)).toEqual({ from: 60, count: null })
  expect(aboveLimit(loadBins(1, [2], 60), 60)).toEqual({ from: 60, count: 0 })
})
