import { expect, test } from 'vitest'
import { trafficRandom } from './random.ts'

const draws = <T>(count: number, draw: () => T): T[] => Array.from({ length: count }, draw)
const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const deviation = (values: number[]): number => {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

test('equal seeds give equal traffic, other seeds other traffic', () => {
  const story = (seed: string) => draws(20, trafficRandom(seed).next)

  expect(story('a')).toEqual(story('a'))
  expect(story('a')).not.toEqual(story('b'))
  expect(Math.abs((story('x:1')[0] ?? 0) - (story('x:2')[0] ?? 0))).toBeGreaterThan(0.001)
})

test('normal numbers have the requested mean and deviation', () => {
  const random = trafficRandom('moments')
  const normal = draws(20_000, () => random.normal(50, 8))
  const beta = draws(20_000, () => random.beta(5.19, 8.85))

  expect(mean(normal)).toBeCloseTo(50, 0)
  expect(deviation(normal)).toBeCloseTo(8, 0)
  // Of Beta(a, b): a / (a + b), and the root of ab / ((a + b)² (a + b + 1)).
  expect(mean(beta)).toBeCloseTo(0.3697, 2)
  expect(deviation(beta)).toBeCloseTo(0.1245, 2)
})

test('integers reach both ends and never exceed them', () => {
  const random = trafficRandom('whole')
  const seen = new Set(draws(2_000, () => random.whole(3, 7)))

  expect([...seen].sort()).toEqual([3, 4, 5, 6, 7])
})

test('choices follow their weights', () => {
  const random = trafficRandom('weights')
  const chosen = draws(10_000, () =>
    random.weighted([
      ['often', 9],
      ['seldom', 1],
      ['never', 0],
    ]),
  )

  expect(chosen.filter((choice) => choice === 'seldom').length / chosen.length).toBeCloseTo(0.1, 1)
  expect(chosen).not.toContain('never')
})
