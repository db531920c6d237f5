import { describe, expect, test } from 'vitest'
import { axleGroups } from './axleGroups.ts'
import type { VehicleKind } from './kind.ts'
import {
  axleLimit,
  grossLimit,
  groupLimit,
  heightLimit,
  highestLimits,
  type LegalLimits,
  lengthLimit,
} from './limits.ts'
import limitsPl from './limits-pl.json' with { type: 'json' }

const limits = limitsPl as LegalLimits

describe('gross weight', () => {
  test.each<[string, VehicleKind, number[], number | null]>([
    ['a motorcycle has none', 'motorcycle', [0, 150], null],
    ['a car', 'car', [0, 270], 3_500],
    ['a van', 'van', [0, 370], 3_500],
    ['a car with a trailer', 'carWithTrailer', [0, 270, 320], 7_000],
    ['a lorry of 2 axles', 'rigid', [0, 530], 18_000],
    ['a lorry of 3 axles', 'rigid', [0, 500, 135], 26_000],
    ['a lorry of 4 axles', 'rigid', [0, 195, 320, 135], 32_000],
    ['a lorry of 5 axles', 'rigid', [0, 195, 320, 135, 135], 40_000],
    ['a bus of 2 axles', 'bus', [0, 600], 19_500],
    ['a bus of 3 axles', 'bus', [0, 600, 140], 26_000],
    ['an articulated bus', 'bus', [0, 590, 670], 28_000],
    ['an articulated lorry of 2 + 1', 'articulated', [0, 370, 700], 28_000],
    ['of 2 + 2, trailer axles 180 cm apart', 'articulated', [0, 370, 560, 180], 36_000],
    ['of 2 + 2, trailer axles 181 cm apart', 'articulated', [0, 370, 560, 181], 38_000],
    ['of 3 + 1', 'articulated', [0, 300, 135, 600], 36_000],
    ['of 2 + 3', 'articulated', [0, 370, 560, 131, 131], 40_000],
    ['of 3 + 3', 'articulated', [0, 300, 135, 560, 131, 131], 40_000],
    ['a road train of 2 + 1', 'roadTrain', [0, 500, 700], 28_000],
    ['a road train of 2 + 2', 'roadTrain', [0, 500, 550, 480], 36_000],
    ['a road train of 3 + 2', 'roadTrain', [0, 500, 135, 560, 480], 40_000],
    ['unclassified, 1 axle', 'unclassified', [0], 19_500],
    ['unclassified, 2 axles', 'unclassified', [0, 500], 19_500],
    ['unclassified, 3 axles', 'unclassified', [0, 500, 500], 28_000],
    ['unclassified, 4 axles', 'unclassified', [0, 500, 500, 130], 38_000],
    ['unclassified, 24 axles', 'unclassified', Array<number>(24).fill(200), 40_000],
    ['a lorry whose axles are unknown', 'rigid', [], null],
    ['nothing known', 'unclassified', [], null],
    ['a road train of which only two axles were seen', 'roadTrain', [0, 500], 19_500],
  ])('%s', (_, kind, gaps, limit) => {
    expect(grossLimit(limits, { kind, gaps })).toBe(limit)
  })
})

describe('dimensions', () => {
  test.each<[string, VehicleKind, number[], number]>([
    ['a car', 'car', [0, 270], 1_200],
    ['a lorry', 'rigid', [0, 530], 1_200],
    ['an articulated lorry', 'articulated', [0, 370, 560, 131, 131], 1_650],
    ['a road train', 'roadTrain', [0, 500, 550, 480], 1_875],
    ['a car with a trailer', 'carWithTrailer', [0, 270, 320], 1_875],
    ['a bus of 2 axles', 'bus', [0, 600], 1_350],
    ['a bus of 3 axles', 'bus', [0, 600, 140], 1_500],
    ['an articulated bus', 'bus', [0, 590, 670], 1_875],
    ['a bus whose axles are unknown', 'bus', [], 1_875],
    ['an unclassified vehicle', 'unclassified', [], 1_875],
  ])('length of %s', (_, kind, gaps, limit) => {
    expect(lengthLimit(limits, { kind, gaps })).toBe(limit)
  })

  test('height limit applies to every vehicle', () => {
    expect(heightLimit(limits, { kind: 'unclassified', gaps: [] })).toBe(400)
    expect(heightLimit(limits, { kind: 'bus', gaps: [0, 600] })).toBe(400)
  })
})

describe('groups', () => {
  test.each([
    ['motor', 99, 11_500],
    ['motor', 100, 16_000],
    ['motor', 129, 16_000],
    ['motor', 130, 19_000],
    ['motor', 180, 19_000],
    ['trailer', 99, 11_000],
    ['trailer', 100, 16_000],
    ['trailer', 129, 16_000],
    ['trailer', 130, 18_000],
    ['trailer', 179, 18_000],
    ['trailer', 180, 20_000],
  ])('a tandem of the %s at %s cm may carry %s kg', (part, gap, limit) => {
    const vehicle =
      part === 'motor'
        ? ({ kind: 'rigid', gaps: [0, 500, gap] } as const)
        : ({ kind: 'articulated', gaps: [0, 370, 560, gap] } as const)

    expect(groupLimit(limits, vehicle, part === 'motor' ? [2, 3] : [3, 4])).toBe(limit)
  })

  test.each([
    [130, 130, 21_000],
    [131, 131, 24_000],
    [130, 131, 24_000],
    [140, 140, 24_000],
    [140, 141, null],
  ])('a tridem at %s and %s cm may carry %s kg', (first, second, limit) => {
    expect(groupLimit(limits, { kind: 'articulated', gaps: [0, 370, 560, first, second] }, [3, 4, 5])).toBe(limit)
  })

  test('an unclassified vehicle has the milder limit of motor and trailer', () => {
    expect(groupLimit(limits, { kind: 'unclassified', gaps: [0, 500, 130] }, [2, 3])).toBe(19_000)
    expect(groupLimit(limits, { kind: 'unclassified', gaps: [0, 500, 180] }, [2, 3])).toBe(20_000)
  })

  test('one axle, four axles and a tridem of the motor vehicle have no limit as a group', () => {
    expect(groupLimit(limits, { kind: 'rigid', gaps: [0, 500] }, [2])).toBeNull()
    expect(groupLimit(limits, { kind: 'articulated', gaps: [0, 370, 560, 131, 131, 131] }, [3, 4, 5, 6])).toBeNull()
    expect(groupLimit(limits, { kind: 'rigid', gaps: [0, 500, 135, 135] }, [2, 3, 4])).toBeNull()
  })
})

describe('axles', () => {
  test.each<[string, VehicleKind, number[], (number | null)[]]>([
    ['a lorry', 'rigid', [0, 530], [10_000, 11_500]],
    ['a tandem is judged as a whole', 'rigid', [0, 500, 135], [10_000, null, null]],
    ['a tractor with a tridem', 'articulated', [0, 370, 560, 131, 131], [10_000, 11_500, null, null, null]],
    [
      'a group without a limit is judged axle by axle',
      'articulated',
      [0, 370, 560, 150, 150],
      [10_000, 11_500, 10_000, 10_000, 10_000],
    ],
    ['a road train', 'roadTrain', [0, 500, 550, 480], [10_000, 11_500, 10_000, 10_000]],
  ])('%s', (_, kind, gaps, expected) => {
    const vehicle = { kind, gaps }
    const found = axleGroups(gaps).flatMap((group) => group.map((axle) => axleLimit(limits, vehicle, axle, group)))

    expect(found).toEqual(expected)
  })
})

test('limits match docs/domain.md', () => {
  const stricter: LegalLimits = { ...limits, axle: { driving: 8_000, nonDriving: 8_000 }, height: [{ limit: 380 }] }

  expect(axleLimit(stricter, { kind: 'rigid', gaps: [0, 530] }, 2, [2])).toBe(8_000)
  expect(heightLimit(stricter, { kind: 'rigid', gaps: [0, 530] })).toBe(380)
})

test('a rule for the axle spacing of a trailer does not apply to a vehicle without one', () => {
  const close: LegalLimits = { ...limits, gross: [{ trailerGap: { max: 180 }, limit: 36_000 }, { limit: 18_000 }] }

  expect(grossLimit(close, { kind: 'articulated', gaps: [0, 370, 560, 180] })).toBe(36_000)
  expect(grossLimit(close, { kind: 'rigid', gaps: [0, 530] })).toBe(18_000)
})

describe('highest limits', () => {
  test('are those of the heaviest vehicle, and of single axles', () => {
    expect(highestLimits(limits)).toEqual({ gross: 40_000, drivingAxle: 11_500, otherAxle: 10_000 })
  })

  test('have no gross weight if no rule limits it', () => {
    expect(highestLimits({ ...limits, gross: [{ limit: null }] }).gross).toBeNull()
    expect(highestLimits({ ...limits, gross: [] }).gross).toBeNull()
  })
})
