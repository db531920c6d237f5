import { expect, test } from 'vitest'
import { meanSpeed, v85 } from './speedDistribution.ts'

// domain-2, section 6: vehicles by speed, km/h.
const EXAMPLE = { 78: 4, 79: 6, 80: 9, 81: 14, 82: 18, 83: 16, 84: 12, 85: 9, 86: 5, 87: 4, 88: 2, 90: 1 }
const countsOf = (speeds: Record<number, number>) => {
  const first = Math.min(...Object.keys(speeds).map(Number))
  const last = Math.max(...Object.keys(speeds).map(Number))
  return { first, counts: Array.from({ length: last - first + 1 }, (_, index) => speeds[first + index] ?? 0) }
}

test('V85 is that of the published example', () => {
  expect(v85(countsOf(EXAMPLE))).toBe(85)
})

test('V85 is the smallest whole speed that 85 % do not exceed', () => {
  expect(v85(countsOf({ 50: 85, 90: 15 }))).toBe(50)
  expect(v85(countsOf({ 50: 84, 90: 16 }))).toBe(90)
  expect(v85({ first: 0, counts: [] })).toBeNull()
})

test('means count each vehicle', () => {
  const vehicles = Object.entries(EXAMPLE).flatMap(([speed, count]) => Array<number>(count).fill(Number(speed)))
  expect(meanSpeed(countsOf(EXAMPLE))).toBe(Math.round((10 * vehicles.reduce((a, b) => a + b)) / 100) / 10)
  expect(meanSpeed({ first: 0, counts: [] })).toBeNull()
})
