import { expect, test } from 'vitest'
import { firstTrailerAxle, isArticulatedBus, isDrivingAxle, partsOf, widestTrailerGap } from './axleRoles.ts'
import type { VehicleKind } from './kind.ts'

test.each<[string, VehicleKind, number[], number | null, number[]]>([
  ['a rigid lorry', 'rigid', [0, 530], null, [2]],
  ['a rigid lorry with a tandem', 'rigid', [0, 500, 135], null, [2]],
  ['a lorry with two steered axles', 'rigid', [0, 195, 320, 135], null, [3, 4]],
  ['a tractor with a tridem', 'articulated', [0, 370, 560, 131, 131], 3, [2]],
  ['a three-axle tractor with a tridem', 'articulated', [0, 300, 135, 560, 131, 131], 4, [2]],
  ['a tractor with one axle behind', 'articulated', [0, 370, 700], 3, [2]],
  ['a road train of two and two', 'roadTrain', [0, 500, 550, 480], 3, [2]],
  ['a road train of three and two', 'roadTrain', [0, 500, 135, 560, 480], 4, [2]],
  ['a road train of four and two', 'roadTrain', [0, 195, 320, 135, 560, 130], 5, [3, 4]],
  ['a car with a tandem trailer', 'carWithTrailer', [0, 270, 320, 75], 3, [2]],
  ['a combination of which only two axles were seen', 'articulated', [0, 370], null, [2]],
  ['a coach with a trailing axle', 'bus', [0, 600, 140], null, [2]],
  ['an articulated bus', 'bus', [0, 590, 670], null, [2, 3]],
  ['an unclassified vehicle', 'unclassified', [0, 400, 300], null, [2, 3]],
  ['one axle', 'rigid', [0], null, []],
])('%s', (_, kind, gaps, trailer, driving) => {
  const axles = gaps.map((_, index) => index + 1)

  expect(firstTrailerAxle({ kind, gaps })).toBe(trailer)
  expect(axles.filter((axle) => isDrivingAxle({ kind, gaps }, axle))).toEqual(driving)
})

test('the widest trailer spacing needs two trailer axles', () => {
  expect(widestTrailerGap({ kind: 'articulated', gaps: [0, 370, 560, 200] })).toBe(200)
  expect(widestTrailerGap({ kind: 'articulated', gaps: [0, 370, 560, 131, 200, 150] })).toBe(200)
  expect(widestTrailerGap({ kind: 'articulated', gaps: [0, 370, 560] })).toBeNull()
  expect(widestTrailerGap({ kind: 'rigid', gaps: [0, 370, 560, 200] })).toBeNull()
})

test('axles belong to a vehicle part, or to both if unknown', () => {
  const articulated = { kind: 'articulated', gaps: [0, 300, 135, 560, 131, 131] } as const

  expect(partsOf(articulated, [2, 3])).toEqual(['motor'])
  expect(partsOf(articulated, [4, 5, 6])).toEqual(['trailer'])
  expect(partsOf(articulated, [3, 4])).toEqual(['motor', 'trailer'])
  expect(partsOf({ ...articulated, kind: 'unclassified' }, [2, 3])).toEqual(['motor', 'trailer'])
})

test('a bus is articulated if its third axle is over 180 cm behind the second', () => {
  expect(isArticulatedBus({ kind: 'bus', gaps: [0, 600, 180] })).toBe(false)
  expect(isArticulatedBus({ kind: 'bus', gaps: [0, 600, 181] })).toBe(true)
  expect(isArticulatedBus({ kind: 'rigid', gaps: [0, 600, 181] })).toBe(false)
})
