import { expect, test } from 'vitest'
import { isInSample, type WeighedVehicle } from './sample.ts'

const tractor: WeighedVehicle = {
  ctg323: 5,
  speed: 85,
  totalLoad: 38_000,
  overlane: false,
  gaps: [0, 374, 567, 131, 131],
  leftWeight: 3_500,
  rightWeight: 3_450,
}

test('a loaded tractor with a semi-trailer on a tridem is in the sample', () => {
  expect(isInSample(tractor)).toBe(true)
})

test.each<[string, Partial<WeighedVehicle>, boolean]>([
  ['another class', { ctg323: 4 }, false],
  ['no class', { ctg323: null }, false],
  ['between lanes', { overlane: true }, false],
  ['59 km/h', { speed: 59 }, false],
  ['60 km/h', { speed: 60 }, true],
  ['100 km/h', { speed: 100 }, true],
  ['101 km/h', { speed: 101 }, false],
  ['no speed', { speed: null }, false],
  ['11,999 kg', { totalLoad: 11_999 }, false],
  ['12,000 kg', { totalLoad: 12_000 }, true],
  ['60,000 kg', { totalLoad: 60_000 }, true],
  ['60,001 kg', { totalLoad: 60_001 }, false],
  ['no load', { totalLoad: null }, false],
  ['four axles', { gaps: [0, 374, 567, 131] }, false],
  ['six axles', { gaps: [0, 374, 567, 131, 131, 131] }, false],
  ['a gap of 279', { gaps: [0, 279, 567, 131, 131] }, false],
  ['gaps at their lower ends', { gaps: [0, 280, 360, 110, 110] }, true],
  ['gaps at their upper ends', { gaps: [0, 450, 860, 150, 150] }, true],
  ['a tandem before a single axle', { gaps: [0, 374, 567, 131, 151] }, false],
  ['a first axle of 3,499 kg', { leftWeight: 1_750, rightWeight: 1_749 }, false],
  ['a first axle of 10,500 kg', { leftWeight: 5_250, rightWeight: 5_250 }, true],
  ['a first axle of 10,501 kg', { leftWeight: 5_250, rightWeight: 5_251 }, false],
  ['a wheel 40 % lighter', { leftWeight: 4_000, rightWeight: 2_400 }, false],
  ['a wheel a little less than 40 % lighter', { leftWeight: 2_401, rightWeight: 4_000 }, true],
  ['a wheel that was not weighed', { leftWeight: null }, false],
])('%s: %o', (_, differing, expected) => {
  expect(isInSample({ ...tractor, ...differing })).toBe(expected)
})
