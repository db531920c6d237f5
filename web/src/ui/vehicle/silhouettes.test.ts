import { categories } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import { type Layout, silhouette } from './silhouettes.ts'

test.each([
  ['an articulated lorry 1-1-3', 9, [1, 1, 3], 5],
  ['an articulated lorry 1-2-3', 9, [1, 2, 3], 6],
  ['an articulated lorry whose trailer axles stand apart', 9, [1, 1, 1, 1], 4],
  ['a lorry with a tandem', 3, [1, 2], 3],
  ['a lorry with two steered axles', 3, [2, 2], 4],
  ['a road train with a turntable trailer', 8, [1, 1, 1, 2], 5],
  ['a car with a tandem trailer', 2, [1, 1, 2], 4],
  ['a bus with three axles', 5, [1, 2], 3],
] as [string, number, Layout, number][])(
  '%s has its axles, from front to rear, inside its drawing',
  (_, category, layout, axles) => {
    const { wheels, width } = silhouette(category, layout)

    expect(wheels).toHaveLength(axles)
    expect(wheels.map(({ x }) => x)).toEqual(wheels.map(({ x }) => x).toSorted((a, b) => a - b))
    expect(Math.max(...wheels.map(({ x, r }) => x + r))).toBeLessThanOrEqual(width)
  },
)

test('a layout unknown for its category falls back to the usual one', () => {
  expect(silhouette(9, [1, 1])).toEqual(silhouette(9, [1, 1, 3]))
  expect(
    silhouette(
      9,
      Array.from({ length: 24 }, () => 1),
    ),
  ).toEqual(silhouette(9, [1, 1, 3]))
})

test.each([[null], [6], [0], [99]])('category %s is drawn as not classified', (category) => {
  expect(silhouette(category)).toBe(silhouette(null))
})

test('every category has its own drawing', () => {
  const widths = categories.map((category) => silhouette(category === 'lack' ? null : Number(category)).parts[0]?.d)

  expect(new Set(widths).size).toBeGreaterThanOrEqual(categories.length - 2)
})
