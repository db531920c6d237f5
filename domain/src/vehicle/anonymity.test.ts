import { expect, test } from 'vitest'
import { maskPlate } from './anonymity.ts'

test.each([
  ['WGM4K281', 'WG******'],
  ['AB', 'AB'],
  ['A', 'A'],
  ['', ''],
])('%s is shown as %s', (plate, masked) => {
  expect(maskPlate(plate)).toBe(masked)
})
