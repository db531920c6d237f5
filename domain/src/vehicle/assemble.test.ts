import { expect, test } from 'vitest'
import { axlesComplexOf, axlesOf } from './assemble.ts'
import type { DerivedAxle, DerivedGroup } from './derived.ts'

const axle = (more: Partial<DerivedAxle>): DerivedAxle => ({
  type: 1,
  leftWeight: 4_000,
  rightWeight: 4_000,
  totalLoad: 8_000,
  gap: 0,
  limit: 10_000,
  overload: 0,
  ...more,
})

const groups: DerivedGroup[] = [
  { axles: [1], totalLoad: 8_000, limit: 10_000, overload: 0 },
  { axles: [2, 3], totalLoad: 22_000, limit: 18_000, overload: 8.2 },
]

test('an axle alone and one in a group have their own tolerance', () => {
  const axles = axlesOf([axle({}), axle({ type: 2, gap: 130, limit: null, overload: 1.5 })], 'B(10)')

  expect(axles[0]).toEqual({
    type: 1,
    totalLoad: 8_000,
    minTotalLoad: 6_957, // 8,000 / 1.15
    maxTotalLoad: 9_412, // 8,000 / 0.85
    leftWeight: 4_000,
    rightWeight: 4_000,
    gap: 0,
    limitTotalLoad: 10_000,
    overload: 0,
  })
  expect(axles[1]).toMatchObject({ minTotalLoad: 6_667, maxTotalLoad: 10_000, limitTotalLoad: null, overload: 1.5 })
})

test('gross weight and groups have their own tolerance', () => {
  expect(axlesComplexOf(30_000, groups, 'B(10)')).toEqual({
    totalLoad: 30_000,
    minTotalLoad: 27_273,
    maxTotalLoad: 33_333,
    axlesGroups: [
      {
        type: 1,
        totalLoad: 8_000,
        minTotalLoad: 6_957,
        maxTotalLoad: 9_412,
        limitTotalLoad: 10_000,
        overload: 0,
        axles: [1],
      },
      {
        type: 2,
        totalLoad: 22_000,
        minTotalLoad: 19_469, // 22,000 / 1.13
        maxTotalLoad: 25_287, // 22,000 / 0.87
        limitTotalLoad: 18_000,
        overload: 8.2,
        axles: [2, 3],
      },
    ],
  })
})

test('without an accuracy class the range is the measured value', () => {
  expect(axlesOf([axle({})], null)[0]).toMatchObject({ minTotalLoad: 8_000, totalLoad: 8_000, maxTotalLoad: 8_000 })
  expect(axlesComplexOf(30_000, groups, null)).toMatchObject({ minTotalLoad: 30_000, maxTotalLoad: 30_000 })
})

test('a vehicle that was not weighed has no axle complex', () => {
  expect(axlesComplexOf(null, groups, 'B(10)')).toBeNull()
})
