import { violations } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import { bitsOf, fromBits, toBits } from './violations.ts'

test.each(violations.map((violation, index) => [violation, 2 ** index] as const))(
  '%s is the bit %s',
  (violation, bit) => {
    expect(toBits({ [violation]: true })).toBe(bit)
    expect(violations.filter((other) => fromBits(bit)[other])).toEqual([violation])
  },
)

test('every set of violations round-trips', () => {
  for (let bits = 0; bits < 32; bits++) expect(toBits(fromBits(bits))).toBe(bits)
})

test('false, null or absent flags set no bits', () => {
  expect(toBits({ overload: false, overheight: null, overspeed: undefined })).toBe(0)
  expect(bitsOf({})).toBe(0)
  expect(bitsOf({ overspeed: true, wrongDirection: true })).toBe(20)
})
