import { expect, test } from 'vitest'
import { gapsOf } from './axles.ts'
import { kinds, layouts } from './kinds.ts'
import { axleLoadsOf, grossOf, splitOf } from './loads.ts'
import { trafficRandom } from './random.ts'

const KG_PER_KN = 1000 / 9.80665
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

test('axles of an articulated lorry of 392 kN carry about 7.6, 10.8 and 21.6 t', () => {
  const [steering = 0, drive = 0, ...tridem] = splitOf('113', 392 * KG_PER_KN)

  expect(steering / 1000).toBeCloseTo(7.6, 1)
  expect(drive / 1000).toBeCloseTo(10.8, 1)
  expect(sum(tridem) / 1000).toBeCloseTo(21.6, 1)
  expect(tridem).toHaveLength(3)
})

test.each([
  ['11', 150, [59.8, 90.2]],
  ['12', 230, [72.39, 105.6, 52.01]],
  ['112', 300, [72.44, 96.96, 65.3, 65.3]],
] as const)('a %s of %i kN follows the formulas of docs/domain.md', (layout, gross, expected) => {
  const split = splitOf(layout, gross * KG_PER_KN).map((load) => load / KG_PER_KN)

  expect(split.map((load) => load.toFixed(1))).toEqual(expected.map((load) => load.toFixed(1)))
})

test.each(kinds.flatMap((kind) => layouts[kind].map(([layout]) => layout)))(
  'axle loads of a %s add up to its gross weight, one per axle, all plausible',
  (layout) => {
    const random = trafficRandom(`loads:${layout}`)
    for (let i = 0; i < 300; i++) {
      const gross = grossOf(layout, random)
      const loads = axleLoadsOf(layout, gross, random)

      expect(loads).toHaveLength(gapsOf(layout, random).length + 1)
      expect(Math.abs(sum(loads) - gross)).toBeLessThanOrEqual(loads.length)
      expect(Math.min(...loads)).toBeGreaterThan(gross * 0.02)
      expect(Math.max(...loads)).toBeLessThan(20_000)
    }
  },
)

test('gross weights of articulated lorries: 7 to 8 % exceed 40 t, steering axles 6.97 ± 0.52 t', () => {
  const random = trafficRandom('113')
  const detections = Array.from({ length: 20_000 }, () => {
    const gross = grossOf('113', random)
    return { gross, steering: axleLoadsOf('113', gross, random)[0] ?? 0 }
  })
  const steering = detections.map((detection) => detection.steering)
  const mean = sum(steering) / steering.length
  const deviation = Math.sqrt(sum(steering.map((load) => (load - mean) ** 2)) / steering.length)
  const over = detections.filter(({ gross }) => gross > 40_000).length / detections.length

  expect(over).toBeGreaterThan(0.06)
  expect(over).toBeLessThan(0.085)
  expect(mean).toBeGreaterThan(6_800)
  expect(mean).toBeLessThan(7_150)
  expect((100 * deviation) / mean).toBeGreaterThan(6)
  expect((100 * deviation) / mean).toBeLessThan(9)
})

test('an overloading haulier always exceeds the permitted weight', () => {
  const random = trafficRandom('greedy')

  expect(Math.min(...Array.from({ length: 500 }, () => grossOf('113', random, true)))).toBeGreaterThan(40_000)
})
