import { expect, test } from 'vitest'
import { seededRandom } from './random.ts'

test('equal seeds give equal numbers, other seeds other numbers', () => {
  const numbers = (seed: number) => Array.from({ length: 20 }, seededRandom(seed).next)

  expect(numbers(1)).toEqual(numbers(1))
  expect(numbers(1)).not.toEqual(numbers(2))
})

test('numbers are those of mulberry32', () => {
  const { next } = seededRandom(1)
  expect([next(), next(), next()]).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522])
})

test('choices reach every value and no other', () => {
  const random = seededRandom(3)
  const seen = (draw: () => number) => [...new Set(Array.from({ length: 500 }, draw))].sort()

  expect(seen(() => random.below(4))).toEqual([0, 1, 2, 3])
  expect(seen(() => random.pick([5, 7]))).toEqual([5, 7])
  expect(() => random.pick([])).toThrow('nothing to choose from')
})

test('a chance comes about as often as its probability', () => {
  const random = seededRandom(5)
  const hits = Array.from({ length: 10_000 }, () => random.happens(0.1)).filter(Boolean)

  expect(hits.length / 10_000).toBeCloseTo(0.1, 1)
})
