import { expect, test } from 'vitest'
import { overloadPercent } from './overload.ts'

test.each([
  ['exactly at the limit', 44_000, 40_000, 10, 0],
  ['a kilogram over is at least a tenth', 44_002, 40_000, 10, 0.1],
  ['50,000 / 1.1 = 45,455 of 40,000', 50_000, 40_000, 10, 13.6],
  ['twice and a half', 110_000, 40_000, 10, 150],
  ['no limit', 90_000, null, 10, 0],
  ['no limit, stored as 0', 90_000, 0, 10, 0],
  ['no tolerance: nothing is certain', 90_000, 40_000, null, 0],
])('on the minimum: %s', (_, measured, limit, tolerance, percent) => {
  expect(overloadPercent(measured, limit, tolerance)).toBe(percent)
})

test.each([
  ['exactly at the limit', 40_000, 40_000, 10, 0],
  ['what was measured counts', 44_000, 40_000, 10, 10],
  ['without a tolerance too', 42_500, 40_000, null, 6.3],
  ['no limit', 90_000, null, null, 0],
])('on the measured value: %s', (_, measured, limit, tolerance, percent) => {
  expect(overloadPercent(measured, limit, tolerance, 'measured')).toBe(percent)
})
