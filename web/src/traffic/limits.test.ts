import type { WireLocation } from '@rogatka/contract/locations.ts'
import { expect, test } from 'vitest'
import { axleLimitOf, grossLimitOf, toleranceOf, toneOf } from './limits.ts'

test('a bin is certainly above the limit after the tolerance', () => {
  // 40 t measured with 7 %: certain from 42.8 t.
  expect([39, 40, 42, 43].map((from) => toneOf(from, 40, 7))).toEqual([undefined, 'tolerated', 'tolerated', 'certain'])
})

const laneOf = (laneNumber: number, name: 'A(5)' | 'C(15)' | null) => ({
  laneNumber,
  accuracyClass: name && { name },
})
const station = { lanes: [laneOf(1, 'A(5)'), laneOf(2, 'C(15)'), laneOf(3, null)] } as WireLocation
const minimum = { judged: 9, overloadBasis: 'minimum' } as const

test('the tolerance is that of the selected lanes, and nothing is above a limit where nothing is judged', () => {
  // docs/domain.md: A(5) has 5 % of gross weight and 8 % of a single axle, C(15) has 15 and 20 %.
  const of = (lanes: number[], judged = 9) => toleranceOf({ station, lanes }, { ...minimum, judged }, 'gross')
  expect([of([]), of([1]), of([2, 3])]).toEqual([15, 5, 15])
  expect(toleranceOf({ station, lanes: [1] }, minimum, 'singleAxle')).toBe(8)
  // Judged by what was measured, without a tolerance; or not judged at all.
  expect([of([3]), of([3], 0)]).toEqual([0, null])
  expect(toneOf(50, 40, null)).toBeUndefined()
  expect(toneOf(40, 40, 0)).toBe('certain')
})

test('there is no tolerance where overload is judged by what was measured', () => {
  const of = (judged: number) => toleranceOf({ station, lanes: [] }, { judged, overloadBasis: 'measured' }, 'gross')
  expect([of(9), of(0)]).toEqual([0, null])
})

test('the limits are those of the station, and that of single axles is the higher one', () => {
  const limits = { gross: 44_500, drivingAxle: 13_000, otherAxle: 10_500 }
  // A first axle never drives.
  expect([axleLimitOf('first', limits), axleLimitOf('single', limits)]).toEqual([10.5, 13])
  expect(axleLimitOf('single', { ...limits, drivingAxle: 9_000 })).toBe(10.5)
  expect([grossLimitOf(limits), grossLimitOf({ ...limits, gross: null })]).toEqual([44.5, null])
})

test('nothing is above a limit that the law does not have', () => {
  expect(toneOf(50, null, 0)).toBeUndefined()
})
