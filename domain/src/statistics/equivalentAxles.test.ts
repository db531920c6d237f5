import { expect, test } from 'vitest'
import { avoidableFourthPower, equivalentAxles, fourthPowerSum } from './equivalentAxles.ts'

// domain-2, section 6.
const LEGAL = [7600, 10_800, 7200, 7200, 7200]
const OVERLOADED = [8100, 13_200, 9300, 9200, 9300]

test('equivalent axles are those of the published examples', () => {
  const sum = fourthPowerSum(LEGAL)
  expect(sum).toBe(25_003_264_000_000_000n)
  expect(equivalentAxles(sum, 'n100').toFixed(4)).toBe('2.3125')
  expect(equivalentAxles(sum, 'n115').toFixed(4)).toBe('1.3222')
})

test('overloaded vehicles have the published share of damage', () => {
  const [legal, overloaded] = [fourthPowerSum(LEGAL), fourthPowerSum(OVERLOADED)]
  const avoidable = avoidableFourthPower(overloaded, 147)
  expect(equivalentAxles(overloaded, 'n100').toFixed(4)).toBe('5.2523')
  expect(equivalentAxles(avoidable, 'n100').toFixed(4)).toBe('2.2177')
  const all = Number(7n * overloaded + 93n * legal)
  expect(((100 * Number(7n * overloaded)) / all).toFixed(1)).toBe('14.6')
  expect(((100 * Number(7n * avoidable)) / all).toFixed(1)).toBe('6.2')
})

test('vehicles without overload add nothing that could be avoided', () => {
  expect(avoidableFourthPower(fourthPowerSum(LEGAL), 0)).toBe(0n)
})
