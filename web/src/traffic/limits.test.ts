import type { WireLocation } from '@rogatka/contract/locations.ts'
import { expect, test } from 'vitest'
import { axleLimitOf, toleranceOf, toneOf } from './limits.ts'

test('a bin is certainly above the limit after the tolerance', () => {
  // 40 t measured with 7 %: certain from 42.8 t.
  expect([39, 40, 42, 43].map((from) => toneOf(from, 40, 7))).toEqual([undefined, 'tolerated', 'tolerated', 'certain'])
})

test('the tolerance is that of the selected lanes, and nothing is above a limit where nothing is judged', () => {
  // docs/domain.md: A(5) has 5 % of gross weight and 8 % of a single axle, C(15) has 15 and 20 %.
  const laneOf = (laneNumber: number, name: 'A(5)' | 'C(15)' | null) => ({
    laneNumber,
    accuracyClass: name && { name },
  })
  const station = { lanes: [laneOf(1, 'A(5)'), laneOf(2, 'C(15)'), laneOf(3, null)] } as WireLocation
  const of = (lanes: number[], judged = 9) => toleranceOf({ station, lanes, judged }, 'gross')
  expect([of([]), of([1]), of([2, 3])]).toEqual([15, 5, 15])
  expect(toleranceOf({ station, lanes: [1], judged: 9 }, 'singleAxle')).toBe(8)
  // Judged by what was measured, without a tolerance; or not judged at all.
  expect([of([3]), of([3], 0)]).toEqual([0, null])
  expect(toneOf(50, 40, null)).toBeUndefined()
  expect(toneOf(40, 40, 0)).toBe('certain')
})

test('a first axle never drives, so that its limit is 10 t', () => {
  expect(axleLimitOf('first')).toBe(10)
  expect(axleLimitOf('single')).toBe(11.5)
})
