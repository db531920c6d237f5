import type { AxlesGroup, WireVehicle } from '@rogatka/contract/vehicle.ts'
import { isAtOrOverLimit } from '@rogatka/domain/vehicle/weight.ts'
import { expect, test } from 'vitest'
import { findingsOf, limitStatusOf, missingWeight, overloadedAxles } from './useFindings.ts'

const group = (axles: number[], overload: number) => ({ type: axles.length, axles, overload }) as AxlesGroup

const vehicle = (more: Partial<WireVehicle>, groups: AxlesGroup[] = []) =>
  ({
    overloadTL: 0,
    overloadSA: 0,
    overloadMA: 0,
    overheight: false,
    overspeed: false,
    overlane: false,
    wrongDirection: false,
    speed: 80,
    speedLimit: 80,
    vehHeight: 398,
    axlesComplex: { totalLoad: 0, minTotalLoad: 0, maxTotalLoad: 0, axlesGroups: groups },
    ...more,
  }) as WireVehicle

test('a vehicle within its limits has nothing to show', () => {
  expect(findingsOf(vehicle({}, [group([1], 0), group([2, 3], 0)]))).toEqual([])
})

test('lists each overloaded axle and group, and the excess speed, after driving violations', () => {
  const findings = findingsOf(
    vehicle(
      {
        overloadTL: 9.6,
        overloadSA: 9.2,
        overloadMA: 6.1,
        overspeed: true,
        speed: 97,
        overlane: true,
        wrongDirection: true,
      },
      [group([1], 0), group([2], 9.2), group([3, 4, 5], 6.1)],
    ),
  )

  expect(findings).toEqual([
    { kind: 'wrongDirection' },
    { kind: 'overlane' },
    { kind: 'total', percent: 9.6 },
    { kind: 'axle', axle: 2, percent: 9.2 },
    { kind: 'group', axles: 3, percent: 6.1 },
    { kind: 'speed', over: 17 },
  ])
})

test('without axle data only the worst overload of axles is named', () => {
  expect(findingsOf(vehicle({ overloadSA: 4, overloadMA: 3, axlesComplex: null }))).toEqual([
    { kind: 'axle', axle: null, percent: 4 },
    { kind: 'group', axles: null, percent: 3 },
  ])
})

test('all wheels of an overloaded group are marked', () => {
  expect(overloadedAxles(vehicle({}, [group([1], 0), group([2], 1), group([3, 4, 5], 2)]))).toEqual([2, 3, 4, 5])
})

test('a load over its limit is a certain overload only beyond the tolerance', () => {
  expect(limitStatusOf({ totalLoad: 25_540, limitTotalLoad: 24_000, overload: 0 })).toBe('tolerance')
  expect(limitStatusOf({ totalLoad: 25_540, limitTotalLoad: 24_000, overload: 0.1 })).toBe('over')
  expect(limitStatusOf({ totalLoad: 24_000, limitTotalLoad: 24_000, overload: 0 })).toBe('ok')
  expect(limitStatusOf({ totalLoad: 24_000, limitTotalLoad: null, overload: 0 })).toBe('ok')
})

test('the total load is red if it reaches its limit', () => {
  expect(isAtOrOverLimit({ totalLoad: 40_000, limitTotalLoad: 40_000 })).toBe(true)
  expect(isAtOrOverLimit({ totalLoad: 39_999, limitTotalLoad: 40_000 })).toBe(false)
  expect(isAtOrOverLimit({ totalLoad: 50_000, limitTotalLoad: null })).toBe(false)
  expect(isAtOrOverLimit({ totalLoad: null, limitTotalLoad: 40_000 })).toBe(false)
})

test('attributes a missing weight to the lane only if it has no scale', () => {
  expect(missingWeight({ lane: { laneNumber: 1, accuracyClass: null } })).toBe('no-scale')
  expect(missingWeight({ lane: { laneNumber: 2, accuracyClass: { name: 'B+(7)' } } })).toBe('not-weighed')
})
